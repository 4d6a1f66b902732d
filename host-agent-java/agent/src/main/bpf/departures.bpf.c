// SPDX-License-Identifier: GPL-2.0
/*
 * Gives every packet of a conversation the time at which it may leave; fq at the root of the
 * interface holds it until then. One entry a conversation: its rate, and when its next packet may
 * leave. One more is the interface's pool: what its conversations may send together while one of
 * them borrows, which is sending more than its own rate. The agent finds and changes all of it in
 * the maps; it loads nothing itself.
 *
 * Runs at the egress hook of an interface (clsact), after the host's own fragmentation.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define SECOND 1000000000ULL
/* Senders are held back by what they have in the queue; who fills it further loses packets here. */
#define HORIZON (2 * SECOND)
#define TOO_FAR (~0ULL)
/* What a sender that wakes up late may catch up, besides a packet. */
#define LATE (SECOND / 1000)
#define NEWCOMERS 0xfffe
#define POOL 0xfffd
#define MOST_RULES 128
#define MOST_FLOWS 65536
#define ANNOUNCED_AGAIN (60 * SECOND)
#define ANNOUNCED_A_SECOND 2000

/*
 * The agent writes the rate and the ceiling, and moves next back where it is too far ahead; the rest is ours. Of the
 * pool: its rate and when what it has room for may leave next.
 */
struct conversation {
  __u64 bytes_per_second; /* 0: there is none */
  __u64 next;             /* when the next packet may leave by the own rate, in ns of CLOCK_MONOTONIC */
  __u64 bytes;            /* of whole frames that have got their time */
  __u64 packets;
  __u64 dropped;
  __u64 ceiling; /* of bytes a second, with what it borrows; not above the rate: it borrows nothing */
  __u64 bounded; /* when the next packet may leave by the ceiling, if it borrows */
};

/*
 * Addresses and ports as on the wire, IPv4 as ::ffff:a.b.c.d; port 0 stands for any. In words of 64 bits, like what else
 * may be kept on the stack: without CAP_PERFMON the kernel lets no part of one be written that it knows.
 */
struct key {
  __u64 local[2];
  __u64 remote[2];
  __u64 ports_and_protocol; /* 16, 16 and 32 bits */
};
#define LOCAL_PORT(key) ((__u16)(key)->ports_and_protocol)
#define REMOTE_PORT(key) ((__u16)((key)->ports_and_protocol >> 16))
#define PROTOCOL(key) ((key)->ports_and_protocol >> 32)
#define ANY_LOCAL_PORT 0xffffffffffff0000ULL
#define ANY_REMOTE_PORT 0xffffffff0000ffffULL

/* What can be told of a rule by a packet alone; the first that matches decides. */
struct rule {
  __u64 local[2], local_mask[2];
  __u64 remote[2], remote_mask[2];
  __u16 local_first, local_last;
  __u16 remote_first, remote_last;
  __u8 protocol; /* 0: either */
  __u8 family;   /* 4, 6; 0: either */
  __u8 verdict;
  __u8 unused[5];
};
struct rules {
  struct rule all[MOST_RULES];
};
enum verdict { END_OF_RULES, MANAGED, LEFT_ALONE };

struct first_packet {
  struct key key;
  __u64 opens; /* the first packet of a TCP connection in its direction */
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 65536);
  __type(key, __u32);
  __type(value, struct conversation);
} conversations SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 4 * MOST_FLOWS);
  __type(key, struct key);
  __type(value, __u32);
} keys SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct rules);
} rules SEC(".maps");

/* Flows that the agent has been told of, and when. */
struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, MOST_FLOWS);
  __type(key, struct key);
  __type(value, __u64);
} seen SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1 << 18);
} first_packets SEC(".maps");

/* How many were announced in this second. */
struct quota {
  __u64 second;
  __u64 used;
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct quota);
} quotas SEC(".maps");

#define AT_NETWORK(skb, offset, to) bpf_skb_load_bytes_relative(skb, offset, to, sizeof(*(to)), BPF_HDR_START_NET)

static __always_inline void map_ipv4(__u64 to[2], __be32 address) {
  to[0] = 0;
  to[1] = (__u64)address << 32 | 0xffff0000;
}

static __always_inline __u64 ports_and_protocol(__be16 local, __be16 remote, __u8 protocol) {
  return local | (__u64)remote << 16 | (__u64)protocol << 32;
}

/* A later fragment has no ports; the socket that sent it knows them, as far as it is connected. */
static __always_inline int ports_of_socket(struct __sk_buff *skb, __u8 protocol, struct key *key) {
  struct bpf_sock *socket = skb->sk;
  if (!socket) return 0;
  socket = bpf_sk_fullsock(socket);
  if (!socket) return 0;
  key->ports_and_protocol = ports_and_protocol(bpf_htons(socket->src_port), socket->dst_port, protocol);
  return 1;
}

static __always_inline int ports(struct __sk_buff *skb, __u32 offset, __u8 protocol, struct key *key, __u64 *opens) {
  __be16 both[2];
  __u8 flags;
  if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP) return 0;
  if (AT_NETWORK(skb, offset, &both)) return 0;
  key->ports_and_protocol = ports_and_protocol(both[0], both[1], protocol);
  if (protocol == IPPROTO_TCP && !AT_NETWORK(skb, offset + 13, &flags)) {
    *opens = (flags & 0x02) != 0;
  }
  return 1;
}

static __always_inline int read_ipv4(struct __sk_buff *skb, struct key *key, __u64 *opens) {
  struct iphdr ip;
  if (AT_NETWORK(skb, 0, &ip)) return 0;
  map_ipv4(key->local, ip.saddr);
  map_ipv4(key->remote, ip.daddr);
  if (ip.frag_off & bpf_htons(0x1fff)) return ports_of_socket(skb, ip.protocol, key);
  return ports(skb, ip.ihl * 4, ip.protocol, key, opens);
}

static __always_inline int read_ipv6(struct __sk_buff *skb, struct key *key, __u64 *opens) {
  struct ipv6hdr ip;
  if (AT_NETWORK(skb, 0, &ip)) return 0;
  __builtin_memcpy(key->local, &ip.saddr, 16);
  __builtin_memcpy(key->remote, &ip.daddr, 16);
  __u32 offset = sizeof(ip);
  __u16 later = 0;
  __u8 protocol = ip.nexthdr;
  if (ip.nexthdr == IPPROTO_FRAGMENT) {
    __be16 fragment[4]; /* next header, offset, identification */
    if (AT_NETWORK(skb, offset, &fragment)) return 0;
    protocol = bpf_ntohs(fragment[0]) >> 8;
    later = fragment[1] & bpf_htons(0xfff8);
    offset += sizeof(fragment);
  }
  return later ? ports_of_socket(skb, protocol, key) : ports(skb, offset, protocol, key, opens);
}

/* The surer a key is, the sooner it is asked for. 0: none. */
static __always_inline __u32 conversation_of(const struct key *exact) {
  __u32 *minor = bpf_map_lookup_elem(&keys, exact);
  if (minor) return *minor;
  struct key some = *exact;
  some.ports_and_protocol &= ANY_REMOTE_PORT;
  minor = bpf_map_lookup_elem(&keys, &some);
  if (minor) return *minor;
  some.ports_and_protocol = exact->ports_and_protocol & ANY_LOCAL_PORT;
  minor = bpf_map_lookup_elem(&keys, &some);
  return minor ? *minor : 0;
}

static __always_inline int within(const __u64 address[2], const __u64 network[2], const __u64 mask[2]) {
  return !(((address[0] ^ network[0]) & mask[0]) | ((address[1] ^ network[1]) & mask[1]));
}

static __always_inline int between(__u64 port, __u16 first, __u16 last) {
  return first <= port && port <= last;
}

/* Whether the rules can tell from the packet alone that it will be managed. */
static __always_inline int is_managed(const struct key *key, __u64 family) {
  __u64 local_port = bpf_ntohs(LOCAL_PORT(key)), remote_port = bpf_ntohs(REMOTE_PORT(key));
  __u32 only = 0;
  struct rules *written = bpf_map_lookup_elem(&rules, &only);
  if (!written) return 0;
  /* Without CAP_PERFMON the kernel lets no pointer move in a loop. */
#pragma unroll
  for (__u32 i = 0; i < MOST_RULES; i++) {
    const struct rule *rule = &written->all[i];
    if (rule->verdict == END_OF_RULES) return 0;
    if (rule->protocol && rule->protocol != PROTOCOL(key)) continue;
    if (rule->family && rule->family != family) continue;
    if (!between(local_port, rule->local_first, rule->local_last)) continue;
    if (!between(remote_port, rule->remote_first, rule->remote_last)) continue;
    if (!within(key->local, rule->local, rule->local_mask)) continue;
    if (!within(key->remote, rule->remote, rule->remote_mask)) continue;
    return rule->verdict == MANAGED;
  }
  return 0;
}

/* Each flow once, and again after a minute. What is beyond the quota the agent finds by itself. */
static __always_inline void announce(const struct key *key, __u64 opens, __u64 now) {
  __u64 *before = bpf_map_lookup_elem(&seen, key);
  if (before && now - *before < ANNOUNCED_AGAIN) return;
  __u32 first = 0;
  struct quota *quota = bpf_map_lookup_elem(&quotas, &first);
  if (!quota) return;
  if (quota->second != now / SECOND) {
    quota->second = now / SECOND;
    quota->used = 0;
  }
  if (quota->used >= ANNOUNCED_A_SECOND) return;
  quota->used++;
  struct first_packet packet;
  packet.key = *key;
  packet.opens = opens;
  if (bpf_ringbuf_output(&first_packets, &packet, sizeof(packet), 0) == 0) {
    bpf_map_update_elem(&seen, key, &now, BPF_ANY);
  }
}

/* In ns; rounded up: never more than the rate. */
static __always_inline __u64 time_of(__u64 length, __u64 rate) { return (length * SECOND + rate - 1) / rate; }

/*
 * When a clock lets the next packet leave; what it has not used for longer than this is lost. This and what follows are
 * functions of their own, for what they keep on the stack to be whole words: see struct key.
 */
static __noinline __u64 read_clock(__u64 *clock, __u64 now, __u64 late) {
  __u64 next = *(volatile __u64 *)clock, earliest = now > late ? now - late : 0;
  if (next >= earliest) return next;
  /* Should another processor have moved it, it has moved it ahead. */
  __sync_val_compare_and_swap(clock, next, earliest);
  return earliest;
}

static __always_inline __u64 later_of(__u64 one, __u64 other) { return one > other ? one : other; }

/* When a packet leaves by its conversation's own rate, which it takes. */
static __noinline __u64 leave_by_own_rate(struct conversation *one, __u64 length, __u64 now) {
  __u64 rate = one->bytes_per_second, ceiling = one->ceiling, takes = time_of(length, rate);
  if (read_clock(&one->next, now, takes + LATE) > now + HORIZON) return TOO_FAR;
  if (ceiling > rate) {
    __u64 of_ceiling = time_of(length, ceiling);
    read_clock(&one->bounded, now, of_ceiling + LATE);
    __sync_fetch_and_add(&one->bounded, of_ceiling);
  }
  return __sync_fetch_and_add(&one->next, takes);
}

/* When a packet leaves that borrows, and takes it; 0 where its own rate lets it leave no later. */
static __noinline __u64 borrow(struct conversation *one, struct conversation *pool, __u64 length, __u64 now) {
  __u64 own = read_clock(&one->next, now, time_of(length, one->bytes_per_second) + LATE);
  if (own <= now) return 0;
  __u64 of_ceiling = time_of(length, one->ceiling);
  __u64 bounded = read_clock(&one->bounded, now, of_ceiling + LATE);
  __u64 departs = later_of(read_clock(&pool->next, now, LATE), bounded);
  if (departs >= own) return 0;
  if (departs > now + HORIZON) return TOO_FAR;
  bounded = __sync_fetch_and_add(&one->bounded, of_ceiling);
  departs = later_of(__sync_fetch_and_add(&pool->next, time_of(length, pool->bytes_per_second)), bounded);
  /* Other processors may have taken that time meanwhile. No later than this, or the next packet would overtake it. */
  return departs < own ? departs : own;
}

/*
 * What leaves by its own rate takes of the pool, too. Where that is more than the pool nobody borrows; but not for longer
 * than this after it.
 */
static __noinline void charge(struct conversation *pool, __u64 length, __u64 now) {
  if (read_clock(&pool->next, now, LATE) < now + HORIZON) {
    __sync_fetch_and_add(&pool->next, time_of(length, pool->bytes_per_second));
  }
}

/*
 * A packet leaves by its conversation's own rate, or borrows from the pool where that is sooner. Either way the pool's
 * clock moves on by what the packet takes of the pool: so what can be borrowed is what own rates leave of it. Nothing
 * overtakes: no clock moves back, and a packet that borrows leaves before its own clock would let the next one leave.
 */
static __noinline __u64 departure(struct conversation *one, struct conversation *pool, __u64 length, __u64 now) {
  if (!pool->bytes_per_second) return leave_by_own_rate(one, length, now);
  if (one->ceiling > one->bytes_per_second) {
    __u64 departs = borrow(one, pool, length, now);
    if (departs) return departs;
  }
  __u64 departs = leave_by_own_rate(one, length, now);
  if (departs != TOO_FAR) charge(pool, length, now);
  return departs;
}

static __noinline int depart(struct __sk_buff *skb, __u32 minor, __u64 now) {
  struct conversation *one = bpf_map_lookup_elem(&conversations, &minor);
  __u32 row = POOL;
  struct conversation *pool = bpf_map_lookup_elem(&conversations, &row);
  if (!one || !pool || !one->bytes_per_second) return TC_ACT_UNSPEC;
  __u64 length = skb->wire_len, departs;
  /* Who has no conversation yet is not of the pool. */
  if (minor == NEWCOMERS) {
    departs = leave_by_own_rate(one, length, now);
  } else {
    departs = departure(one, pool, length, now);
  }
  if (departs == TOO_FAR) {
    __sync_fetch_and_add(&one->dropped, 1);
    return TC_ACT_SHOT;
  }
  __sync_fetch_and_add(&one->bytes, length);
  __sync_fetch_and_add(&one->packets, 1);
  /* TCP may have its own reasons to send later. */
  if (departs > now && departs > skb->tstamp) skb->tstamp = departs;
  return TC_ACT_UNSPEC;
}

/* Other programs at the hook see what is let through, as without this one. */
SEC("classifier")
int departures(struct __sk_buff *skb) {
  struct key key;
  __u64 opens = 0;
  __u64 family = 0;
  /* What other hosts send through this one is theirs. */
  if (skb->ingress_ifindex) return TC_ACT_UNSPEC;
  if (skb->protocol == bpf_htons(ETH_P_IP)) {
    family = read_ipv4(skb, &key, &opens) ? 4 : 0;
  } else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
    family = read_ipv6(skb, &key, &opens) ? 6 : 0;
  }
  if (!family) return TC_ACT_UNSPEC;
  __u64 now = bpf_ktime_get_ns();
  __u32 minor = conversation_of(&key);
  if (!minor) {
    /* Without its peer's port, as a later fragment may be, it is no flow that anybody could find. */
    if (REMOTE_PORT(&key)) announce(&key, opens, now);
    if (!is_managed(&key, family)) return TC_ACT_UNSPEC;
    minor = NEWCOMERS;
  }
  return depart(skb, minor, now);
}

char _license[] SEC("license") = "GPL";
