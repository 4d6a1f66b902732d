// port: one end of a wire. The kernel writes the frames that come to a network interface into a ring, each with the time of
// its arrival; nothing is copied or asked for frame by frame.
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

// The kernel's head of a slot takes less than 128 bytes.
enum { SLOT_BYTES = 2048, SLOTS = 8192, FRAME_BYTES = SLOT_BYTES - 128 };
// A frame takes 121 us at 100 Mbit/s.
enum { CLOSE_NS = 20000 };

// Whose frames lie in the slots, in order, from `next` on.
struct port {
  const char *name;
  int socket;
  unsigned char *ring;
  unsigned next;
  int64_t wall_ahead_ns;
};

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void fail(const char *what, const char *which) {
  fprintf(stderr, "wire: %s (%s): %s\n", what, which, strerror(errno));
  exit(2);
}

static struct port open_interface(const char *interface) {
  unsigned index = if_nametoindex(interface);
  if (index == 0) fail("there is no interface", interface);
  int s = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (s < 0) fail("cannot open a packet socket for", interface);
  int buffer = 16 << 20, one = 1, version = TPACKET_V2;
  setsockopt(s, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer);
  if (setsockopt(s, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one)) fail("cannot ignore own frames on", interface);
  setsockopt(s, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof one);
  if (setsockopt(s, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one)) fail("cannot have arrival times on", interface);
  struct tpacket_req ring = {.tp_block_size = 64 * SLOT_BYTES,
                             .tp_block_nr = SLOTS / 64,
                             .tp_frame_size = SLOT_BYTES,
                             .tp_frame_nr = SLOTS};
  if (setsockopt(s, SOL_PACKET, PACKET_VERSION, &version, sizeof version) ||
      setsockopt(s, SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring))
    fail("cannot have a ring of frames for", interface);
  void *slots = mmap(NULL, (size_t)SLOTS * SLOT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, s, 0);
  if (slots == MAP_FAILED) fail("cannot see the ring of frames of", interface);
  struct sockaddr_ll address = {
      .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)index};
  if (bind(s, (struct sockaddr *)&address, sizeof address)) fail("cannot listen on", interface);
  return (struct port){.name = interface, .socket = s, .ring = slots};
}

// The oldest frame that came, or NULL.
static struct tpacket2_hdr *first_slot(struct port *p) {
  struct tpacket2_hdr *slot = (struct tpacket2_hdr *)(p->ring + (size_t)p->next * SLOT_BYTES);
  return __atomic_load_n(&slot->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER ? slot : NULL;
}

static void free_slot(struct port *p, struct tpacket2_hdr *slot) {
  __atomic_store_n(&slot->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
  p->next = (p->next + 1) % SLOTS;
}

// By how much the wall clock, which the kernel's stamps are of, is ahead of ours. A pause between the readings would count as much, and
// every frame would seem to have come so much earlier: of several tries the one with the least time between them holds.
static int64_t wall_ahead_ns(void) {
  int64_t ahead = 0;
  uint64_t least = UINT64_MAX;
  for (int tries = 0; tries < 5 && least > CLOSE_NS; tries++) {
    struct timespec wall;
    uint64_t before = now_ns();
    clock_gettime(CLOCK_REALTIME, &wall);
    uint64_t took = now_ns() - before;
    if (took >= least) continue;
    least = took;
    ahead = (int64_t)wall.tv_sec * 1000000000ll + wall.tv_nsec - (int64_t)before;
  }
  return ahead;
}

// When a frame reached the link, by the kernel's stamp: had this process to wait for a processor, the link had not.
static uint64_t arrival_ns(struct port *p, const struct tpacket2_hdr *slot, int first_of_many) {
  if (first_of_many) p->wall_ahead_ns = wall_ahead_ns();
  uint64_t now = now_ns();
  int64_t stamp = (int64_t)slot->tp_sec * 1000000000ll + slot->tp_nsec - p->wall_ahead_ns;
  return stamp > 0 && (uint64_t)stamp < now ? (uint64_t)stamp : now;
}

// Waits for the next arrival at one of two ports, at most so long. False: one of their interfaces was removed.
static int wait_for_arrival(struct port *ports, uint64_t wait_ns) {
  struct pollfd readable[2] = {{ports[0].socket, POLLIN, 0}, {ports[1].socket, POLLIN, 0}};
  struct timespec wait = {(time_t)(wait_ns / 1000000000ull), (long)(wait_ns % 1000000000ull)};
  if (ppoll(readable, 2, &wait, NULL) <= 0) return 1;
  for (int i = 0; i < 2; i++) {
    if (!(readable[i].revents & (POLLERR | POLLHUP))) continue;
    // An interface that went down says so once; one that was removed says so for ever.
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(readable[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (if_nametoindex(ports[i].name) == 0) return 0;
  }
  return 1;
}
