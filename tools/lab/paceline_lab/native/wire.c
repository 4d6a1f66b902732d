// wire: a link between two network interfaces, in user space.
//
// Each direction has a rate, a FIFO that holds at most so many bytes, and a propagation delay. A frame that does not
// fit into the FIFO is dropped, and counted. It is a process and not a kernel queue on purpose: a chain of kernel hops
// lets TCP feel the far queue through its socket buffer, so that a bottleneck in the kernel never drops anything.
//
//   wire --a IF --b IF --rate BITS/S --fifo BYTES --delay-us US [--rate-back BITS/S] [--fifo-back BYTES]
//        [--delay-back-us US] [--stats FILE]
//
// "Forward" is from a to b. A rate of 0 means unlimited. Once a second, and once when it ends, one JSON line with the
// counters since the start is appended to FILE. SIGTERM and SIGINT end it; frames still inside are lost, not counted.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_BYTES = 2048, FRAMES = 32768, BATCH = 64 };

struct frame {
  uint64_t leave_ns;
  int length;
  unsigned char bytes[FRAME_BYTES];
};

// A frame waits in `line` from its arrival to the end of its propagation; only the part before its transmission
// ends counts as the FIFO's backlog. Free frames are a stack, so that the busy ones stay in the cache.
struct direction {
  const char *name;
  int in, out;
  double bits_per_second;
  uint64_t fifo_bytes, delay_ns;
  uint64_t busy_until_ns;
  struct frame *frames;
  int *line, *unused;
  uint64_t head, tail;
  int unused_count;
  uint64_t offered_packets, offered_bytes, forwarded_packets, forwarded_bytes, dropped_packets, dropped_bytes;
  uint64_t oversize_packets, backlog_max_bytes, backlog_max_second_bytes, late_ns, late_max_ns;
};

static volatile sig_atomic_t ending;
static void end(int signal_number) {
  (void)signal_number;
  ending = 1;
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void fail(const char *what, const char *which) {
  fprintf(stderr, "wire: %s (%s): %s\n", what, which, strerror(errno));
  exit(2);
}

static int open_interface(const char *interface) {
  unsigned index = if_nametoindex(interface);
  if (index == 0) fail("there is no interface", interface);
  int s = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (s < 0) fail("cannot open a packet socket for", interface);
  int buffer = 16 << 20, one = 1;
  setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
  setsockopt(s, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer);
  if (setsockopt(s, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one)) fail("cannot ignore own frames on", interface);
  setsockopt(s, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof one);
  if (setsockopt(s, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one)) fail("cannot have arrival times on", interface);
  struct sockaddr_ll address = {
      .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)index};
  if (bind(s, (struct sockaddr *)&address, sizeof address)) fail("cannot listen on", interface);
  return s;
}

static void prepare(struct direction *d, const char *name, int in, int out) {
  d->name = name;
  d->in = in;
  d->out = out;
  d->frames = mmap(NULL, FRAMES * sizeof *d->frames, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (d->frames == MAP_FAILED) fail("no memory for frames of direction", name);
  d->line = malloc(FRAMES * sizeof *d->line);
  d->unused = malloc(FRAMES * sizeof *d->unused);
  if (!d->line || !d->unused) fail("no memory for direction", name);
  for (int i = 0; i < FRAMES; i++) d->unused[i] = FRAMES - 1 - i;
  d->unused_count = FRAMES;
}

// Sends what is due and says when the next frame is.
static uint64_t send_due(struct direction *d, uint64_t horizon_ns) {
  while (d->head < d->tail) {
    int which = d->line[d->head % FRAMES];
    struct frame *f = &d->frames[which];
    uint64_t t = now_ns();
    if (f->leave_ns > t) return f->leave_ns < horizon_ns ? f->leave_ns : horizon_ns;
    uint64_t late = t - f->leave_ns;
    d->late_ns += late;
    if (late > d->late_max_ns) d->late_max_ns = late;
    // The far end's queue is memory of this machine, not of the link: wait for it rather than lose a frame.
    while (send(d->out, f->bytes, (size_t)f->length, 0) < 0 && (errno == ENOBUFS || errno == EAGAIN) && !ending) {
      struct pollfd writable = {d->out, POLLOUT, 0};
      poll(&writable, 1, 1);
    }
    d->forwarded_packets++;
    d->forwarded_bytes += (uint64_t)f->length;
    d->unused[d->unused_count++] = which;
    d->head++;
  }
  return horizon_ns;
}

// When a frame reached the link, by the kernel's stamp: had this process to wait for a processor, the link had not.
static uint64_t arrival_ns(struct msghdr *message, uint64_t now, int64_t wall_ahead_ns) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) {
      struct timespec at;
      memcpy(&at, CMSG_DATA(c), sizeof at);
      int64_t stamp = (int64_t)at.tv_sec * 1000000000ll + at.tv_nsec - wall_ahead_ns;
      return stamp > 0 && (uint64_t)stamp < now ? (uint64_t)stamp : now;
    }
  return now;
}

static void accept_frames(struct direction *d) {
  unsigned char spare[FRAME_BYTES];
  struct timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  int64_t wall_ahead_ns = (int64_t)wall.tv_sec * 1000000000ll + wall.tv_nsec - (int64_t)now_ns();
  for (int i = 0; i < BATCH; i++) {
    struct frame *f = d->unused_count > 0 ? &d->frames[d->unused[d->unused_count - 1]] : NULL;
    char control[CMSG_SPACE(sizeof(struct timespec))];
    struct iovec part = {f ? f->bytes : spare, FRAME_BYTES};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = recvmsg(d->in, &message, MSG_TRUNC);
    if (length < 0) return;
    uint64_t t = arrival_ns(&message, now_ns(), wall_ahead_ns);
    d->offered_packets++;
    d->offered_bytes += (uint64_t)length;
    if (length > FRAME_BYTES) {
      // A sender with segmentation offload on: no real wire would carry this.
      d->oversize_packets++;
      d->dropped_packets++;
      d->dropped_bytes += (uint64_t)length;
      continue;
    }
    if (d->busy_until_ns < t) d->busy_until_ns = t;
    uint64_t backlog = 0;
    if (d->bits_per_second > 0) backlog = (uint64_t)((double)(d->busy_until_ns - t) * d->bits_per_second / 8e9 + 0.5);
    if (!f || (d->bits_per_second > 0 && backlog + (uint64_t)length > d->fifo_bytes)) {
      d->dropped_packets++;
      d->dropped_bytes += (uint64_t)length;
      continue;
    }
    backlog += (uint64_t)length;
    if (backlog > d->backlog_max_bytes) d->backlog_max_bytes = backlog;
    if (backlog > d->backlog_max_second_bytes) d->backlog_max_second_bytes = backlog;
    if (d->bits_per_second > 0) d->busy_until_ns += (uint64_t)((double)length * 8e9 / d->bits_per_second);
    f->leave_ns = d->busy_until_ns + d->delay_ns;
    f->length = (int)length;
    d->line[d->tail++ % FRAMES] = d->unused[--d->unused_count];
  }
}

static void report_direction(FILE *out, struct direction *d) {
  fprintf(out,
          "\"%s\":{\"offeredPackets\":%lu,\"offeredBytes\":%lu,\"forwardedPackets\":%lu,\"forwardedBytes\":%lu,"
          "\"droppedPackets\":%lu,\"droppedBytes\":%lu,\"oversizePackets\":%lu,\"backlogMaxBytes\":%lu,"
          "\"backlogMaxSecondBytes\":%lu,\"latenessMeanUs\":%.1f,\"latenessMaxUs\":%.1f}",
          d->name, d->offered_packets, d->offered_bytes, d->forwarded_packets, d->forwarded_bytes, d->dropped_packets,
          d->dropped_bytes, d->oversize_packets, d->backlog_max_bytes, d->backlog_max_second_bytes,
          d->forwarded_packets ? (double)d->late_ns / 1e3 / (double)d->forwarded_packets : 0,
          (double)d->late_max_ns / 1e3);
  d->backlog_max_second_bytes = 0;
}

static void report(FILE *out, struct direction *directions, int final) {
  if (!out) return;
  fprintf(out, "{\"monotonic\":%.6f,\"final\":%s,", (double)now_ns() / 1e9, final ? "true" : "false");
  report_direction(out, &directions[0]);
  fprintf(out, ",");
  report_direction(out, &directions[1]);
  fprintf(out, "}\n");
  fflush(out);
}

static double number(const char *name, const char *text) {
  char *rest;
  errno = 0;
  double value = strtod(text, &rest);
  if (errno || *rest || !(value >= 0)) {
    fprintf(stderr, "wire: the %s (%s) is not a number from 0 up\n", name, text);
    exit(2);
  }
  return value;
}

int main(int count, char **words) {
  const char *a = NULL, *b = NULL, *stats = NULL;
  double rate = 100e6, fifo = 1e6, delay_us = 5000, rate_back = -1, fifo_back = -1, delay_back_us = -1;
  static const struct option options[] = {{"a", 1, 0, 'a'},        {"b", 1, 0, 'b'},         {"rate", 1, 0, 'r'},
                                          {"fifo", 1, 0, 'f'},     {"delay-us", 1, 0, 'd'},  {"rate-back", 1, 0, 'R'},
                                          {"fifo-back", 1, 0, 'F'}, {"delay-back-us", 1, 0, 'D'}, {"stats", 1, 0, 's'},
                                          {0, 0, 0, 0}};
  for (int o; (o = getopt_long(count, words, "", options, NULL)) != -1;) switch (o) {
      case 'a': a = optarg; break;
      case 'b': b = optarg; break;
      case 'r': rate = number("rate", optarg); break;
      case 'f': fifo = number("fifo", optarg); break;
      case 'd': delay_us = number("delay-us", optarg); break;
      case 'R': rate_back = number("rate-back", optarg); break;
      case 'F': fifo_back = number("fifo-back", optarg); break;
      case 'D': delay_back_us = number("delay-back-us", optarg); break;
      case 's': stats = optarg; break;
      default: return 2;
    }
  if (!a || !b) {
    fprintf(stderr, "wire: name the two interfaces with --a IF --b IF\n");
    return 2;
  }
  static struct direction directions[2];
  directions[0] = (struct direction){
      .bits_per_second = rate, .fifo_bytes = (uint64_t)fifo, .delay_ns = (uint64_t)(delay_us * 1000)};
  directions[1] = (struct direction){.bits_per_second = rate_back < 0 ? rate : rate_back,
                                     .fifo_bytes = (uint64_t)(fifo_back < 0 ? fifo : fifo_back),
                                     .delay_ns = (uint64_t)((delay_back_us < 0 ? delay_us : delay_back_us) * 1000)};
  int at_a = open_interface(a), at_b = open_interface(b);
  prepare(&directions[0], "forward", at_a, at_b);
  prepare(&directions[1], "backward", at_b, at_a);
  FILE *out = NULL;
  if (stats && !(out = fopen(stats, "ae"))) fail("cannot write", stats);
  struct sigaction on_end = {.sa_handler = end};
  sigaction(SIGTERM, &on_end, NULL);
  sigaction(SIGINT, &on_end, NULL);
  // Timers of user processes are rounded by 50 us otherwise: half a frame's time at 100 Mbit/s.
  prctl(PR_SET_TIMERSLACK, 1000UL);
  // A link does not wait for a processor. Where the machine does not allow this, arrival times still keep it exact.
  struct sched_param first = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_RR, &first)) setpriority(PRIO_PROCESS, 0, -15);

  uint64_t next_report_ns = now_ns() + 1000000000ull;
  while (!ending) {
    uint64_t t = now_ns();
    if (t >= next_report_ns) {
      report(out, directions, 0);
      next_report_ns += 1000000000ull;
    }
    uint64_t wake_ns = next_report_ns;
    for (int i = 0; i < 2; i++) wake_ns = send_due(&directions[i], wake_ns);
    t = now_ns();
    struct timespec wait = {0, 0};
    if (wake_ns > t) {
      wait.tv_sec = (time_t)((wake_ns - t) / 1000000000ull);
      wait.tv_nsec = (long)((wake_ns - t) % 1000000000ull);
    }
    struct pollfd readable[2] = {{at_a, POLLIN, 0}, {at_b, POLLIN, 0}};
    if (ppoll(readable, 2, &wait, NULL) <= 0) continue;
    for (int i = 0; i < 2; i++) {
      if (readable[i].revents & (POLLERR | POLLHUP)) {
        // An interface that went down says so once; one that was removed says so for ever.
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(readable[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
        if (if_nametoindex(i == 0 ? a : b) == 0) ending = 1;
      }
      if (readable[i].revents & POLLIN) accept_frames(&directions[i]);
    }
  }
  report(out, directions, 1);
  return 0;
}
