// voice: RTP-like calls over UDP, and a probe of the round trip, for many users in one light process.
//
//   voice send  LOCAL:PORT REMOTE:PORT...    50 packets a second to every remote, each through its own connected socket
//   voice hear  LOCAL:PORT NAME ...          pairs; one JSON line a stream and second
//   voice probe LOCAL REMOTE MS              one ICMP echo every MS milliseconds; one JSON line a second with all round trips
//
// All of them run until SIGTERM or SIGINT. Send times are CLOCK_MONOTONIC: sender and hearer share one machine, so a
// one-way delay needs no clock synchronisation. A second of a stream is a second of its sender's clock.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// RTP header (12 bytes), then the send time; G.729 carries 20 bytes of speech in 20 ms.
enum { PAYLOAD = 32, INTERVAL_MS = 20, MOST = 4096 };
struct packet {
  uint8_t version, type;
  uint16_t sequence16;
  uint32_t timestamp, source;
  uint32_t sequence;
  uint64_t sent_ns;
  uint8_t speech[8];
} __attribute__((packed));
_Static_assert(sizeof(struct packet) == PAYLOAD, "an RTP header and 20 bytes");

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
  fprintf(stderr, "voice: %s (%s): %s\n", what, which, strerror(errno));
  exit(2);
}
static struct sockaddr_in address(const char *text) {
  char host[64];
  const char *colon = strrchr(text, ':');
  struct sockaddr_in a = {.sin_family = AF_INET};
  if (!colon || colon - text >= (long)sizeof host) fail("an address is HOST:PORT, not", text);
  memcpy(host, text, (size_t)(colon - text));
  host[colon - text] = 0;
  a.sin_port = htons((uint16_t)atoi(colon + 1));
  if (inet_pton(AF_INET, host, &a.sin_addr) != 1) fail("not an IPv4 address", text);
  return a;
}
static int udp(const char *local, const char *remote) {
  int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
  if (s < 0) fail("cannot open a socket for", local);
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  // The usual size, also where the machine's default was raised: what a host has queued is what this lets it.
  int usual = 106496;
  setsockopt(s, SOL_SOCKET, SO_SNDBUF, &usual, sizeof usual);
  struct sockaddr_in l = address(local);
  if (bind(s, (struct sockaddr *)&l, sizeof l)) fail("cannot bind", local);
  if (remote) {
    struct sockaddr_in r = address(remote);
    if (connect(s, (struct sockaddr *)&r, sizeof r)) fail("cannot connect to", remote);
  }
  return s;
}
static void sleep_until(uint64_t t) {
  struct timespec at = {(time_t)(t / 1000000000ull), (long)(t % 1000000000ull)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static int send_calls(int count, char **words) {
  static int sockets[MOST];
  int n = count - 1;
  if (n < 1 || n > MOST) fail("how many remotes?", "send");
  for (int i = 0; i < n; i++) sockets[i] = udp(words[0], words[i + 1]);
  // The streams start evenly spread over one interval, as independent callers would on average.
  uint64_t start = now_ns() + 10000000ull;
  for (uint32_t tick = 0; !ending; tick++)
    for (int i = 0; i < n && !ending; i++) {
      sleep_until(start + tick * (INTERVAL_MS * 1000000ull) + (uint64_t)i * (INTERVAL_MS * 1000000ull) / (uint64_t)n);
      struct packet p = {.version = 0x80, .type = 18, .sequence16 = htons((uint16_t)tick),
                         .timestamp = htonl(tick * 160), .source = htonl((uint32_t)i),
                         .sequence = htonl(tick), .sent_ns = htobe64(now_ns())};
      // A full socket buffer or a hearer that is not up yet (ECONNREFUSED) is a packet lost, as it is in a call.
      if (send(sockets[i], &p, sizeof p, 0) < 0) continue;
    }
  return 0;
}

struct stream {
  int socket;
  const char *name;
  uint64_t second;
  uint32_t received, first, last;
  double delay_sum_ms, delay_max_ms, jitter_sum_ms, jitter_ms, transit_ms;
  int heard;
};
static void tell(struct stream *s) {
  if (s->received)
    printf("{\"stream\":\"%s\",\"second\":%lu,\"received\":%u,\"first\":%u,\"last\":%u,\"delayMs\":%.4f,"
           "\"delayMaxMs\":%.4f,\"jitterMs\":%.4f}\n",
           s->name, s->second, s->received, s->first, s->last, s->delay_sum_ms / s->received, s->delay_max_ms,
           s->jitter_sum_ms / s->received);
  // Whoever reports of calls while they last reads them as they come.
  fflush(stdout);
  s->received = 0;
  s->delay_sum_ms = s->delay_max_ms = s->jitter_sum_ms = 0;
}
static int hear_calls(int count, char **words) {
  int n = count / 2, poller = epoll_create1(EPOLL_CLOEXEC);
  struct stream *streams = calloc((size_t)n + 1, sizeof *streams);
  for (int i = 0; i < n; i++) {
    streams[i] = (struct stream){.socket = udp(words[2 * i], NULL), .name = words[2 * i + 1]};
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = &streams[i]};
    epoll_ctl(poller, EPOLL_CTL_ADD, streams[i].socket, &e);
  }
  struct epoll_event events[64];
  while (!ending) {
    int ready = epoll_wait(poller, events, 64, 200);
    for (int k = 0; k < ready; k++) {
      struct stream *s = events[k].data.ptr;
      struct packet p;
      ssize_t length;
      while ((length = recv(s->socket, &p, sizeof p, 0)) >= 0) {
        if (length != sizeof p) continue;
        uint64_t sent = be64toh(p.sent_ns);
        double transit = (double)(now_ns() - sent) / 1e6;
        if (sent / 1000000000ull != s->second) {
          tell(s);
          s->second = sent / 1000000000ull;
        }
        // RFC 3550, 6.4.1: the smoothed difference of transit times.
        if (s->heard) {
          double difference = transit - s->transit_ms;
          s->jitter_ms += ((difference < 0 ? -difference : difference) - s->jitter_ms) / 16;
        }
        s->heard = 1;
        s->transit_ms = transit;
        if (!s->received) s->first = ntohl(p.sequence);
        s->last = ntohl(p.sequence);
        s->received++;
        s->delay_sum_ms += transit;
        s->jitter_sum_ms += s->jitter_ms;
        if (transit > s->delay_max_ms) s->delay_max_ms = transit;
      }
    }
  }
  for (int i = 0; i < n; i++) tell(&streams[i]);
  return 0;
}

// ICMP, because the far kernel answers it: no process there adds its own waiting time to the network's.
static uint16_t checksum(const void *bytes, size_t length) {
  uint32_t sum = 0;
  const uint16_t *words = bytes;
  for (size_t i = 0; i < length / 2; i++) sum += words[i];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}
static int probe(char **words) {
  struct question {
    struct icmphdr head;
    uint32_t sequence, unused;
    uint64_t sent_ns;
  } __attribute__((packed, aligned(4)));
  int s = socket(AF_INET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_ICMP);
  if (s < 0) fail("cannot open a raw socket to", words[1]);
  struct sockaddr_in local = {.sin_family = AF_INET}, remote = {.sin_family = AF_INET};
  if (inet_pton(AF_INET, words[0], &local.sin_addr) != 1) fail("not an IPv4 address", words[0]);
  if (inet_pton(AF_INET, words[1], &remote.sin_addr) != 1) fail("not an IPv4 address", words[1]);
  if (bind(s, (struct sockaddr *)&local, sizeof local)) fail("cannot bind", words[0]);
  if (connect(s, (struct sockaddr *)&remote, sizeof remote)) fail("cannot connect to", words[1]);
  uint64_t every = (uint64_t)(atof(words[2]) * 1e6), next = now_ns() + every, second = 0;
  if (every < 1000000) fail("a probe's interval is at least 1 ms, not", words[2]);
  uint16_t id = htons((uint16_t)getpid());
  uint32_t sequence = 0, told = 0;
  struct pollfd readable = {s, POLLIN, 0};
  while (!ending) {
    uint64_t t = now_ns();
    if (t >= next) {
      struct question q = {.head = {.type = ICMP_ECHO}, .sequence = htonl(sequence), .sent_ns = htobe64(t)};
      q.head.un.echo.id = id;
      q.head.un.echo.sequence = htons((uint16_t)sequence++);
      q.head.checksum = checksum(&q, sizeof q);
      if (send(s, &q, sizeof q, 0) < 0) { /* lost: the sequence numbers tell */
      }
      next += every;
      continue;
    }
    struct timespec wait = {0, (long)(next - t)};
    if (ppoll(&readable, 1, &wait, NULL) <= 0) continue;
    unsigned char bytes[256];
    ssize_t length;
    while ((length = recv(s, bytes, sizeof bytes, 0)) > 0) {
      size_t header = (size_t)(bytes[0] & 15) * 4;
      struct question q;
      if ((size_t)length < header + sizeof q) continue;
      memcpy(&q, bytes + header, sizeof q);
      if (q.head.type != ICMP_ECHOREPLY || q.head.un.echo.id != id) continue;
      uint64_t sent = be64toh(q.sent_ns);
      if (sent / 1000000000ull != second) {
        if (second) printf("]}\n");
        fflush(stdout);
        second = sent / 1000000000ull;
        told = 0;
        printf("{\"second\":%lu,\"sequence\":%u,\"roundTripMs\":[", second, ntohl(q.sequence));
      }
      printf("%s%.4f", told++ ? "," : "", (double)(now_ns() - sent) / 1e6);
    }
  }
  if (second) printf("]}\n");
  return 0;
}

int main(int count, char **words) {
  struct sigaction on_end = {.sa_handler = end};
  sigaction(SIGTERM, &on_end, NULL);
  sigaction(SIGINT, &on_end, NULL);
  prctl(PR_SET_TIMERSLACK, 1000UL);
  struct rlimit files = {MOST * 2, MOST * 2};
  setrlimit(RLIMIT_NOFILE, &files);
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  if (count >= 4 && !strcmp(words[1], "send")) return send_calls(count - 2, words + 2);
  if (count >= 4 && count % 2 == 0 && !strcmp(words[1], "hear")) return hear_calls(count - 2, words + 2);
  if (count == 5 && !strcmp(words[1], "probe")) return probe(words + 2);
  fprintf(stderr, "usage: voice send|hear|probe ...; see the head of voice.c\n");
  return 2;
}
