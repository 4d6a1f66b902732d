/*
 * Lets Linux in user mode stay suspended (`echo mem >/sys/power/state`). It sleeps then as it does when idle, until its timer fires, and does not
 * sleep at all where none is set: suspended, none is, so it wakes at once. Loaded before the C library (LD_PRELOAD), this lets it sleep there for as
 * many seconds as the file $WORK/suspension says. Its monotonic clock stands still meanwhile, the time since its start and its wall clock go on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int unset;

/* To no time at all only where it is suspended, or while it boots. */
int timer_settime(timer_t timer, int flags, const struct itimerspec *to, struct itimerspec *was) {
  static int (*real)(timer_t, int, const struct itimerspec *, struct itimerspec *);
  if (!real) real = (int (*)(timer_t, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timer_settime");
  unset = to->it_value.tv_sec == 0 && to->it_value.tv_nsec == 0;
  return real(timer, flags, to, was);
}

static void sleep_as_told(void) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/suspension", getenv("WORK"));
  FILE *file = fopen(path, "r");
  if (!file) return;
  struct timespec left = {0};
  if (fscanf(file, "%ld", &left.tv_sec) != 1) left.tv_sec = 0;
  fclose(file);
  while (nanosleep(&left, &left) != 0 && errno == EINTR);
}

/* What it asks before it sleeps. */
int timer_gettime(timer_t timer, struct itimerspec *left) {
  static int (*real)(timer_t, struct itimerspec *);
  if (!real) real = (int (*)(timer_t, struct itimerspec *))dlsym(RTLD_NEXT, "timer_gettime");
  if (unset) sleep_as_told();
  return real(timer, left);
}
