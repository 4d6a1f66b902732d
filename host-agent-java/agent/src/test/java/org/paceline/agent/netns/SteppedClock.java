package org.paceline.agent.netns;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The wall clock of one process, which can be stepped while it runs; its monotonic clock goes on.
 * The machine's own clock is others' too, and time namespaces leave the wall clock alone, so a
 * library between the process and the C library adds the step.
 */
final class SteppedClock {
  private static final String SOURCE =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <stdlib.h>
      #include <sys/time.h>
      #include <time.h>
      #include <unistd.h>
      static long step(void) {
        char text[32] = {0};
        int file = open(getenv("CLOCK_STEP"), O_RDONLY);
        if (file >= 0) { if (read(file, text, 31) < 0) text[0] = 0; close(file); }
        return atol(text);
      }
      int clock_gettime(clockid_t clock, struct timespec *now) {
        static int (*real)(clockid_t, struct timespec *);
        if (!real) real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
        int result = real(clock, now);
        if (clock == CLOCK_REALTIME) now->tv_sec += step();
        return result;
      }
      int gettimeofday(struct timeval *restrict now, void *restrict zone) {
        struct timespec time;
        int result = clock_gettime(CLOCK_REALTIME, &time);
        now->tv_sec = time.tv_sec;
        now->tv_usec = time.tv_nsec / 1000;
        return result;
      }
      """;

  private final Path library;
  private final Path step;

  SteppedClock(Path directory) throws IOException, InterruptedException {
    assumeTrue(
        Sh.run("sh", "-c", "command -v cc || true").length() > 0,
        "Skipped: without a C compiler (cc) no process's clock can be stepped.");
    library = directory.resolve("step.so");
    step = directory.resolve("step");
    Path source = Files.writeString(directory.resolve("step.c"), SOURCE);
    Sh.run("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl");
  }

  /** What starts a program with this clock. */
  List<String> words() {
    return List.of("env", "LD_PRELOAD=" + library, "CLOCK_STEP=" + step);
  }

  /** From what the machine's says. */
  void step(Duration by) throws IOException {
    Files.writeString(step, Long.toString(by.toSeconds()));
  }
}
