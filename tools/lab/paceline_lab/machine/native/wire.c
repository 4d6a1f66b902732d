// wire: a link between two network interfaces, in user space.
//
// Each direction has a rate, a queue, and a propagation delay. The queue is a FIFO that holds at most so many bytes, or
// one of those that share a link fairly (queue.h). A frame that it drops is counted. It is a process and not a kernel
// queue on purpose: a chain of kernel hops lets TCP feel the far queue through its socket buffer, so that a bottleneck
// in the kernel never drops anything.
//
//   wire --a IF --b IF --rate BITS/S --fifo BYTES --delay-us US [--rate-back BITS/S] [--fifo-back BYTES]
//        [--delay-back-us US] [--queue fifo|fq-codel|per-user|weighted|profiled|priority|htb]
//        [--weights CLASS,...] [--police BITS/S,BYTES [--scavenger WEIGHT]] [--delays ADDRESS=US,...] [--load-delay LOAD,US]
//        [--stats FILE]
//
// Frames come by a ring that the kernel writes to, each with the time of its arrival; what happens to one is worked out
// from that time, however late it is read. Whoever waits is taken at the moment at which the link gets free, and before
// a frame joins, the link has done all that it could do until then. So a busy wire wakes once in a GRAIN, as a network
// card that gathers its interrupts does, and sends all that is due together: never early, and late by a GRAIN at most
// where it has a processor.
//
// What goes forward to one of the IPv4 addresses of --delays has the propagation delay that stands there, behind the same
// queue: users are not all equally far away.
//
// With --load-delay the propagation delay of each direction grows with its load: not at all up to this load, from 0 to 1,
// then linearly, by so much at a full link. The load is the part of the time in which the link sends, over about the last
// second (exponentially). No frame overtakes another where it falls.
//
// "Forward" is from a to b. A rate of 0 means unlimited. A user, for per-user, is an address at b. Once a second, and
// once when it ends, one JSON line with the counters since the start is appended to FILE; frames that CoDel drops are
// among the dropped, and counted by themselves, too. SIGTERM and SIGINT end it; frames still inside are lost, not
// counted.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <math.h>
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

#include "port.h"
#include "queue.h"

enum { FRAMES = 32768, BATCH = 64, GRAIN_NS = 200000, MOST_DELAYS = 256 };
#define LOAD_OVER_NS 1e9

// Frames that all have the same propagation delay, in the order in which they leave.
struct way {
  uint32_t address;  // in network order; of the first way, whoever has none of his own
  uint64_t delay_ns;
  struct line line;
};

// A frame waits in the queue until its transmission begins, and in `line` until the end of its propagation. Free frames
// are a stack, so that the busy ones stay in the cache.
struct direction {
  const char *name;
  struct port *in;
  int out;
  double bits_per_second;
  uint64_t fifo_bytes;
  uint64_t busy_until_ns;
  // By how much the delay grows at a full link, above which load, and the load at busy_until_ns.
  uint64_t load_delay_ns;
  double light_load, load;
  struct queue *queue;
  struct way ways[MOST_DELAYS + 1];
  int way_count;
  struct frame *unused;
  uint64_t offered_packets, offered_bytes, forwarded_packets, forwarded_bytes, dropped_packets, dropped_bytes;
  uint64_t codel_dropped_packets, oversize_packets, backlog_max_bytes, backlog_max_second_bytes, late_ns, late_max_ns;
};

static volatile sig_atomic_t ending;
static void end(int signal_number) {
  (void)signal_number;
  ending = 1;
}

static void release(struct direction *d, struct frame *f) {
  f->next = d->unused;
  d->unused = f;
}

// How frames wait, in both directions.
struct discipline {
  enum kind kind;
  const char *weights;
  double police_rate, police_burst, scavenger;
};

static void prepare(struct direction *d, const char *name, struct port *in, int out, struct discipline how, int users_send) {
  d->name = name;
  d->in = in;
  d->out = out;
  // Nothing waits for a link without a rate.
  d->queue = new_queue(how.kind, d->bits_per_second > 0 ? d->fifo_bytes : UINT64_MAX, users_send);
  struct frame *frames = calloc(FRAMES, sizeof *frames);
  unsigned char *bytes =
      mmap(NULL, (size_t)FRAMES * FRAME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!d->queue || !frames || bytes == MAP_FAILED) fail("no memory for direction", name);
  if (has_classes(how.kind) && !weigh(d->queue, how.weights)) {
    fprintf(stderr, "wire: the weights (%s) are not understood; each class is DSCP+DSCP:WEIGHT, the last only WEIGHT\n", how.weights);
    exit(2);
  }
  if (how.police_rate > 0 && !police(d->queue, how.police_rate, (uint64_t)how.police_burst, how.scavenger)) {
    fprintf(stderr, "wire: to police needs from 2 to %d classes, and a burst (%g) of at least %d bytes\n", MOST_CLASSES - 1, how.police_burst, QUANTUM);
    exit(2);
  }
  if (!ready(d->queue)) fail("no memory for direction", name);
  for (int i = FRAMES - 1; i >= 0; i--) {
    frames[i].bytes = bytes + (size_t)i * FRAME_BYTES;
    release(d, &frames[i]);
  }
}

// Sends what is due.
static void send_due(struct direction *d) {
  struct mmsghdr messages[BATCH];
  struct iovec parts[BATCH];
  uint64_t t = now_ns();
  int way = 0;
  while (!ending) {
    int due = 0;
    while (way < d->way_count && !(d->ways[way].line.first && d->ways[way].line.first->at_ns <= t)) way++;
    if (way == d->way_count) return;
    struct line *line = &d->ways[way].line;
    for (struct frame *f = line->first; f && due < BATCH && f->at_ns <= t; f = f->next, due++) {
      parts[due] = (struct iovec){f->bytes, (size_t)f->length};
      messages[due] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[due], .msg_iovlen = 1}};
    }
    int sent = sendmmsg(d->out, messages, (unsigned)due, 0);
    if (sent < 0 && (errno == ENOBUFS || errno == EAGAIN || errno == EINTR)) {
      // The far end's queue is memory of this machine, not of the link: wait for it rather than lose a frame.
      struct pollfd writable = {d->out, POLLOUT, 0};
      poll(&writable, 1, 1);
      continue;
    }
    // A far end that takes no frames loses them one by one, as an unplugged one does.
    for (int i = 0; i < (sent > 0 ? sent : 1); i++) {
      struct frame *f = pop(line);
      uint64_t late = t - f->at_ns;
      d->late_ns += late;
      if (late > d->late_max_ns) d->late_max_ns = late;
      d->forwarded_packets++;
      d->forwarded_bytes += (uint64_t)f->length;
      release(d, f);
    }
  }
}

static void count_drop(struct direction *d, uint64_t length) {
  d->dropped_packets++;
  d->dropped_bytes += length;
}

// What the queue has dropped by its last put or take; returns how many.
static uint64_t clear_dropped(struct direction *d) {
  uint64_t frames = 0;
  for (struct frame *f; (f = pop(&d->queue->dropped)); frames++) {
    count_drop(d, (uint64_t)f->length);
    release(d, f);
  }
  return frames;
}

static struct way *way_of(struct direction *d, const struct frame *f) {
  uint32_t address = 0;
  if (d->way_count > 1 && f->length >= 34 && f->bytes[12] == 8 && f->bytes[13] == 0) memcpy(&address, f->bytes + 30, 4);
  for (int i = 1; i < d->way_count; i++)
    if (d->ways[i].address == address) return &d->ways[i];
  return &d->ways[0];
}

// What the load was at busy_until_ns has decayed since then: the link was idle.
static double load_at(const struct direction *d, uint64_t t) {
  return t > d->busy_until_ns ? d->load * exp(-(double)(t - d->busy_until_ns) / LOAD_OVER_NS) : d->load;
}

static uint64_t load_delay_ns(const struct direction *d, double load) {
  return load > d->light_load ? (uint64_t)((double)d->load_delay_ns * (load - d->light_load) / (1 - d->light_load)) : 0;
}

// The link sends for so long, from busy_until_ns on.
static void be_busy(struct direction *d, uint64_t sending_ns) {
  double kept = exp(-(double)sending_ns / LOAD_OVER_NS);
  d->load = d->load * kept + 1 - kept;
  d->busy_until_ns += sending_ns;
}

static void be_idle_until(struct direction *d, uint64_t t) {
  if (d->busy_until_ns >= t) return;
  d->load = load_at(d, t);
  d->busy_until_ns = t;
}

// What the link has done by this time: it takes the next frame at the moment at which it gets free.
static void serve(struct direction *d, uint64_t t) {
  while (backlog(d->queue) > 0 && d->busy_until_ns <= t) {
    struct frame *f = take(d->queue, d->busy_until_ns);
    d->codel_dropped_packets += clear_dropped(d);
    if (!f) continue;
    if (d->bits_per_second > 0) be_busy(d, (uint64_t)((double)f->length * 8e9 / d->bits_per_second));
    struct way *way = way_of(d, f);
    f->at_ns = d->busy_until_ns + way->delay_ns + load_delay_ns(d, d->load);
    if (way->line.first && way->line.last->at_ns > f->at_ns) f->at_ns = way->line.last->at_ns;
    append(&way->line, f);
  }
}

// A frame that was at the link at this time, whole or in part, joins the queue or is dropped.
static void accept_frame(struct direction *d, uint64_t t, const unsigned char *bytes, uint64_t length) {
  d->offered_packets++;
  d->offered_bytes += length;
  serve(d, t);
  be_idle_until(d, t);
  uint64_t sending = 0;
  if (d->bits_per_second > 0) sending = (uint64_t)((double)(d->busy_until_ns - t) * d->bits_per_second / 8e9 + 0.5);
  // One that is longer is a sender's with segmentation offload on: no real wire would carry this.
  int oversize = length > FRAME_BYTES;
  if (oversize) d->oversize_packets++;
  if (oversize || !d->unused) {
    count_drop(d, length);
    return;
  }
  struct frame *f = d->unused;
  d->unused = f->next;
  f->length = (int)length;
  memcpy(f->bytes, bytes, length);
  put(d->queue, f, t, sending);
  clear_dropped(d);
  uint64_t waiting = sending + backlog(d->queue);
  if (waiting > d->backlog_max_bytes) d->backlog_max_bytes = waiting;
  if (waiting > d->backlog_max_second_bytes) d->backlog_max_second_bytes = waiting;
  serve(d, t);
}

static void accept_frames(struct direction *d) {
  for (int seen = 0; seen < SLOTS; seen++) {
    struct tpacket2_hdr *slot = first_slot(d->in);
    if (!slot) return;
    accept_frame(d, arrival_ns(d->in, slot, seen == 0), (unsigned char *)slot + slot->tp_mac, slot->tp_len);
    free_slot(d->in, slot);
  }
}

// When something is to be done next: a frame leaves or is taken, or one that came in the meantime may have to be. With
// nothing on its way, 0: the next arrival tells.
static uint64_t next_wake_ns(struct direction *directions, uint64_t t) {
  uint64_t wake = UINT64_MAX;
  int busy = 0;
  for (int i = 0; i < 2; i++) {
    struct direction *d = &directions[i];
    for (struct way *way = d->ways; way < d->ways + d->way_count; way++) {
      if (t + way->delay_ns / 2 < wake) wake = t + way->delay_ns / 2;
      if (!way->line.first) continue;
      busy = 1;
      if (way->line.first->at_ns < wake) wake = way->line.first->at_ns;
    }
    if (backlog(d->queue) > 0) {
      busy = 1;
      if (d->busy_until_ns < wake) wake = d->busy_until_ns;
    }
  }
  if (!busy) return 0;
  return wake > t + GRAIN_NS ? wake : t + GRAIN_NS;
}

static void report_direction(FILE *out, struct direction *d, uint64_t t) {
  fprintf(out,
          "\"%s\":{\"offeredPackets\":%lu,\"offeredBytes\":%lu,\"forwardedPackets\":%lu,\"forwardedBytes\":%lu,"
          "\"droppedPackets\":%lu,\"droppedBytes\":%lu,\"codelDroppedPackets\":%lu,\"oversizePackets\":%lu,"
          "\"backlogMaxBytes\":%lu,\"backlogMaxSecondBytes\":%lu,\"latenessMeanUs\":%.1f,\"latenessMaxUs\":%.1f",
          d->name, d->offered_packets, d->offered_bytes, d->forwarded_packets, d->forwarded_bytes, d->dropped_packets,
          d->dropped_bytes, d->codel_dropped_packets, d->oversize_packets, d->backlog_max_bytes,
          d->backlog_max_second_bytes,
          d->forwarded_packets ? (double)d->late_ns / 1e3 / (double)d->forwarded_packets : 0,
          (double)d->late_max_ns / 1e3);
  if (d->load_delay_ns) fprintf(out, ",\"load\":%.4f,\"loadDelayUs\":%lu", load_at(d, t), load_delay_ns(d, load_at(d, t)) / 1000);
  fprintf(out, "}");
  d->backlog_max_second_bytes = 0;
}

static void report(FILE *out, struct direction *directions, int final) {
  if (!out) return;
  uint64_t t = now_ns();
  fprintf(out, "{\"monotonic\":%.6f,\"final\":%s,", (double)t / 1e9, final ? "true" : "false");
  report_direction(out, &directions[0], t);
  fprintf(out, ",");
  report_direction(out, &directions[1], t);
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

// Of the addresses that have one of their own: "10.0.0.1=64000,10.0.0.2=224000".
static void set_delays(struct direction *d, char *text) {
  for (char *rest = NULL, *one = strtok_r(text, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
    char *equals = strchr(one, '=');
    struct way *way = &d->ways[d->way_count];
    if (equals) *equals = 0;
    if (!equals || d->way_count > MOST_DELAYS || inet_pton(AF_INET, one, &way->address) != 1) {
      fprintf(stderr, "wire: the delay (%s) must be ADDRESS=US, at most %d of them\n", one, MOST_DELAYS);
      exit(2);
    }
    way->delay_ns = (uint64_t)(number("delay", equals + 1) * 1000);
    d->way_count++;
  }
}

int main(int count, char **words) {
  const char *a = NULL, *b = NULL, *stats = NULL, *queue = "fifo";
  struct discipline how = {.weights = ""};
  char *delays = NULL, *comma = NULL;
  double rate = 100e6, fifo = 1e6, delay_us = 5000, rate_back = -1, fifo_back = -1, delay_back_us = -1,
         light_load = 0, load_delay_us = 0;
  static const struct option options[] = {{"a", 1, 0, 'a'},        {"b", 1, 0, 'b'},         {"rate", 1, 0, 'r'},
                                          {"fifo", 1, 0, 'f'},     {"delay-us", 1, 0, 'd'},  {"rate-back", 1, 0, 'R'},
                                          {"fifo-back", 1, 0, 'F'}, {"delay-back-us", 1, 0, 'D'}, {"queue", 1, 0, 'q'},
                                          {"weights", 1, 0, 'w'},  {"delays", 1, 0, 'u'},   {"stats", 1, 0, 's'},
                                          {"police", 1, 0, 'p'},   {"scavenger", 1, 0, 'v'}, {"load-delay", 1, 0, 'l'},
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
      case 'q': queue = optarg; break;
      case 'w': how.weights = optarg; break;
      case 'p':
        if ((comma = strchr(optarg, ','))) *comma = 0;
        how.police_rate = number("policed rate", optarg);
        how.police_burst = comma ? number("policed burst", comma + 1) : 0;
        break;
      case 'v': how.scavenger = number("weight of the scavenger", optarg); break;
      case 'u': delays = optarg; break;
      case 'l':
        if ((comma = strchr(optarg, ','))) *comma = 0;
        light_load = number("load without a delay", optarg);
        load_delay_us = comma ? number("delay of a full link", comma + 1) : 0;
        if (light_load < 1 && load_delay_us > 0) break;
        fprintf(stderr, "wire: the delay by load must be LOAD,US, with a LOAD below 1 and above 0 us. Maybe 0.1,70000\n");
        return 2;
      case 's': stats = optarg; break;
      default: return 2;
    }
  if (!a || !b) {
    fprintf(stderr, "wire: name the two interfaces with --a IF --b IF\n");
    return 2;
  }
  how.kind = kind_named(queue);
  if (how.kind == KINDS) {
    fprintf(stderr, "wire: the queue (%s) must be fifo, fq-codel, per-user, weighted, profiled, priority or htb\n", queue);
    return 2;
  }
  static struct direction directions[2];
  directions[0] = (struct direction){
      .bits_per_second = rate, .fifo_bytes = (uint64_t)fifo, .ways = {{.delay_ns = (uint64_t)(delay_us * 1000)}}, .way_count = 1};
  directions[1] = (struct direction){.bits_per_second = rate_back < 0 ? rate : rate_back,
                                     .fifo_bytes = (uint64_t)(fifo_back < 0 ? fifo : fifo_back),
                                     .ways = {{.delay_ns = (uint64_t)((delay_back_us < 0 ? delay_us : delay_back_us) * 1000)}},
                                     .way_count = 1};
  if (delays) set_delays(&directions[0], delays);
  for (int i = 0; i < 2; i++) {
    directions[i].light_load = light_load;
    directions[i].load_delay_ns = (uint64_t)(load_delay_us * 1000);
  }
  struct port ports[] = {open_interface(a), open_interface(b)};
  prepare(&directions[0], "forward", &ports[0], ports[1].socket, how, 0);
  prepare(&directions[1], "backward", &ports[1], ports[0].socket, how, 1);
  struct sigaction on_end = {.sa_handler = end};
  sigaction(SIGTERM, &on_end, NULL);
  sigaction(SIGINT, &on_end, NULL);
  // Whoever sees this file may send frames and signals.
  FILE *out = NULL;
  if (stats && !(out = fopen(stats, "ae"))) fail("cannot write", stats);
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
    for (int i = 0; i < 2; i++) {
      accept_frames(&directions[i]);
      serve(&directions[i], t);
      send_due(&directions[i]);
    }
    uint64_t wake_ns = next_wake_ns(directions, t);
    if (wake_ns == 0) {
      if (!wait_for_arrival(ports, next_report_ns > t ? next_report_ns - t : 0)) ending = 1;
      continue;
    }
    if (wake_ns > next_report_ns) wake_ns = next_report_ns;
    struct timespec at = {(time_t)(wake_ns / 1000000000ull), (long)(wake_ns % 1000000000ull)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
  }
  report(out, directions, 1);
  return 0;
}
