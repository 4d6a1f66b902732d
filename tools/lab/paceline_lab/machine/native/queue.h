// queue: what waits for a link. One of seven kinds, behind three functions:
//
//   put      a frame joins. Who is dropped for it, itself or another, is then in `dropped`.
//   take     the frame to be sent next, or NULL. Whom CoDel drops before it is then in `dropped`.
//   backlog  how many bytes wait.
//
// fifo      One line that holds so many bytes, with those that are just being sent. Who does not fit is dropped.
// fq-codel  FlowQueue-CoDel (RFC 8290): a line for each flow, and CoDel (RFC 8289) for each line. Lines are served in
//           turn, so many bytes each, and a flow that comes anew goes first (DRR++). Flows are told apart by a hash, so
//           that two may have the same line.
// per-user  The same, with turns of users, as CAKE shares a link with dual-dsthost: what a flow may send in a turn is
//           divided by the number of flows that its user has waiting. A flow gets a line of its own, if one of eight is
//           free. CAKE's other parts are not here: it also drops from whom nothing slows down, and with many flows it
//           lets each wait for longer.
// weighted  A FIFO for each class of DSCPs, each with a weight. Classes are served in turn, each so many bytes as its
//           weight says (deficit round robin, Shreedhar and Varghese 1995). What a class leaves unused, the others
//           share in proportion to their weights. A full class drops its own frames and nobody else's.
// profiled  The router of Yan et al. (2013, section III-A): a FIFO for each class of DSCPs, in the order of their
//           priority, each with a part of the link and of the buffer. A class that has had no more of the link than
//           its part is in profile; the first of those that waits is served, and if none of them waits, the first
//           that does. The first class may be policed: what a flow of it sends beyond a token bucket goes to a class
//           of its own behind all others (a scavenger), or is dropped by chance, the more likely the fuller the
//           first class is (WRED).
// priority  A FIFO for each class of DSCPs, in the order of their priority: the first of those that waits is served,
//           however long the others have waited, as by Linux's sch_prio.
// htb       A class for each set of DSCPs, each with a rate that it always has, as with Linux's sch_htb below one root
//           of the link's rate. Classes that have had no more than their rate go first, in turn; what of the link they
//           leave, the others borrow, in turn and in proportion to their rates. In each class waits an fq-codel.
//
// ECN is not used: who would be marked is dropped. No clock is read here: the caller says when a frame comes and when
// the link is free.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET_NS = 5000000, INTERVAL_NS = 100000000 };
enum { QUANTUM = 1514, PLACES = 1024, MOST_FRAMES = 10240, MOST_DROPPED_AT_ONCE = 64, WAYS = 8 };

enum { MOST_CLASSES = 8, DSCPS = 64, NETWORK_CONTROL = 48 };
// In bytes: for how much a class that sent little is still in profile, and one that sent much still out of it.
enum { MOST_CREDIT = 4 * QUANTUM };

enum kind { FIFO, FQ_CODEL, PER_USER, WEIGHTED, PROFILED, PRIORITY, HTB, KINDS };
static const char *const KIND_NAMES[KINDS] = {"fifo", "fq-codel", "per-user", "weighted", "profiled", "priority", "htb"};

// Whether it has classes of DSCPs.
static int has_classes(enum kind kind) { return kind >= WEIGHTED && kind < KINDS; }

// Of the kind htb: to whom a class owes what it sends, itself or whom it borrows of.
enum level { OWN, BORROWED, LEVELS };

struct frame {
  struct frame *next;
  uint64_t at_ns;  // when it came to the queue; after that it is the caller's
  int length;
  unsigned char *bytes;
};

struct line {
  struct frame *first, *last;
};

struct codel {
  uint64_t first_above_ns, drop_next_ns;
  uint32_t count, last_count;
  int dropping;
};

enum turn { IDLE, NEW, OLD };

struct flow {
  struct flow *next;
  enum turn turn;
  struct line line;
  uint64_t bytes;
  int deficit;
  unsigned user;
  int shares;  // it is one of those by whom its user's turn is divided
  struct codel codel;
};

struct turns {
  struct flow *first, *last;
};

// Who has which place of a table, by hash.
struct places {
  uint32_t hash[PLACES];
  unsigned uses[PLACES];
};

struct queue;

// One class of the kinds that have classes.
struct class {
  struct line line;
  uint64_t bytes, quantum, deficit;
  // Only of `profiled`: its part of the link, what it holds at most, and by how much it has had less than its part.
  double part, credit;
  uint64_t most_bytes;
  // Only of `htb`: what waits, its rate, when credit was last given by it, and what is left of its turn of each level.
  struct queue *leaf;
  double bytes_per_ns;
  uint64_t credited_ns;
  int64_t left[LEVELS];
};

// Of one policed flow.
struct bucket {
  double bytes;
  uint64_t filled_ns;
};

struct queue {
  enum kind kind;
  uint64_t bytes, most_bytes;
  unsigned frames;
  struct line dropped;
  struct line fifo;
  int users_send;
  struct flow flows[PLACES];
  struct turns turns[OLD + 1];
  struct places flow_places, user_places;
  unsigned sharing[PLACES];
  struct class classes[MOST_CLASSES];
  unsigned class_count, class_in_turn, level_in_turn[LEVELS];
  int turn_began;
  unsigned char class_of_dscp[DSCPS];
  // Of the policer; a rate of 0 is none.
  double police_bytes_per_ns;
  uint64_t police_burst;
  int scavenger;
  uint64_t chance;
  struct bucket buckets[PLACES];
};

// The kind of this name, or KINDS if there is none.
static enum kind kind_named(const char *name) {
  int kind = 0;
  while (kind < KINDS && strcmp(name, KIND_NAMES[kind])) kind++;
  return (enum kind)kind;
}

// Of a kind; `most_bytes` is the FIFO's, or each class's. Users are at the far end of the link, or, where `users_send`, at this one.
static struct queue *new_queue(enum kind kind, uint64_t most_bytes, int users_send) {
  struct queue *q = calloc(1, sizeof *q);
  if (!q) return NULL;
  q->kind = kind;
  q->most_bytes = most_bytes;
  q->users_send = users_send;
  return q;
}

// What the kinds with classes share by: classes with commas between them, each its DSCPs with + between them, a colon and
// a weight, which of htb is its rate in kbit/s, and to priority says nothing. The last is of all other DSCPs and has
// none: "10+18:4000,1000". False: the text is not understood.
static int weigh(struct queue *q, const char *text) {
  unsigned long weights[MOST_CLASSES], least = ULONG_MAX;
  unsigned char dscps[MOST_CLASSES][DSCPS] = {{0}};
  for (q->class_count = 0; q->class_count < MOST_CLASSES;) {
    char *rest = NULL;
    unsigned long value = strtoul(text, &rest, 10);
    int other = *rest != '+' && *rest != ':';
    for (; *rest == '+' || *rest == ':'; value = strtoul(text, &rest, 10)) {
      if (rest == text || value >= DSCPS) return 0;
      dscps[q->class_count][value] = 1;
      text = rest + 1;
      if (*rest == ':') {
        value = strtoul(text, &rest, 10);
        break;
      }
    }
    if (rest == text || value == 0 || value > 1000000000 || other != !*rest) return 0;
    weights[q->class_count++] = value;
    if (value < least) least = value;
    if (other) break;
    if (*rest != ',') return 0;
    text = rest + 1;
  }
  memset(q->class_of_dscp, (int)q->class_count - 1, sizeof q->class_of_dscp);
  for (unsigned c = 0; c < q->class_count; c++) {
    q->classes[c].part = (double)weights[c];
    // Who has the least weight may send one frame of any size in a turn.
    q->classes[c].quantum = QUANTUM * weights[c] / least;
    for (int dscp = 0; dscp < DSCPS; dscp++)
      if (dscps[c][dscp]) q->class_of_dscp[dscp] = (unsigned char)c;
  }
  return q->class_count > 0;
}

// Polices the first class: so many bits a second and bytes at once for each of its flows. What is beyond goes to a class
// of its own with this weight, or, with none, is dropped by chance. False: there is no class of others to protect.
static int police(struct queue *q, double bits_per_second, uint64_t burst, double scavenger_weight) {
  if (q->class_count < 2 || q->class_count == MOST_CLASSES || burst < QUANTUM) return 0;
  q->police_bytes_per_ns = bits_per_second / 8e9;
  q->police_burst = burst;
  if (scavenger_weight > 0) {
    q->scavenger = 1;
    q->classes[q->class_count++].part = scavenger_weight;
  }
  return 1;
}

// Before the first frame: weights become parts of the link and of the buffer.
static void divide(struct queue *q) {
  double sum = 0;
  for (unsigned c = 0; c < q->class_count; c++) sum += q->classes[c].part;
  for (unsigned c = 0; c < q->class_count; c++) {
    q->classes[c].part /= sum;
    q->classes[c].most_bytes = (uint64_t)(q->classes[c].part * (double)q->most_bytes);
    q->classes[c].credit = MOST_CREDIT;
  }
  q->chance = 88172645463325252u;
}

// Before the first frame, of htb: weights become rates. False: no memory.
static int rate(struct queue *q) {
  for (unsigned c = 0; c < q->class_count; c++) {
    struct class *class = &q->classes[c];
    class->bytes_per_ns = class->part * 1000 / 8 / 1e9;
    class->credit = MOST_CREDIT;
    for (int level = 0; level < LEVELS; level++) class->left[level] = (int64_t)class->quantum;
    if (!(class->leaf = new_queue(FQ_CODEL, q->most_bytes, q->users_send))) return 0;
  }
  return 1;
}

// Before the first frame. False: no memory.
static int ready(struct queue *q) {
  if (q->kind == HTB) return rate(q);
  divide(q);
  return 1;
}

static void append(struct line *line, struct frame *f) {
  f->next = NULL;
  if (line->first) line->last->next = f;
  else line->first = f;
  line->last = f;
}

static struct frame *pop(struct line *line) {
  struct frame *f = line->first;
  if (f) line->first = f->next;
  return f;
}

static uint64_t backlog(const struct queue *q) { return q->bytes; }

// FNV-1a. Places are told by the last bits, which must depend on all.
static uint32_t hashed(uint32_t hash, const unsigned char *bytes, int count) {
  for (int i = 0; i < count; i++) hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

static uint32_t mixed(uint32_t hash) {
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

// The hashes of a frame's flow (addresses, protocol, ports) and of its user (an address). The seed is always the same,
// so that a run can be repeated. What is not IP is one flow for each of its types.
static void name(const struct frame *f, int users_send, uint32_t *flow, uint32_t *user) {
  const unsigned char *b = f->bytes, *source = b, *destination = b;
  int type = b[12] << 8 | b[13], size = 0, protocol = 0, ports = 0;
  if (type == 0x0800 && f->length >= 34) {
    source = b + 26, destination = b + 30, size = 4, protocol = b[23];
    // Only a packet's first fragment has ports; all are to be of one flow.
    int fragment = (b[20] << 8 | b[21]) & 0x3fff;
    if (!fragment) ports = 14 + (b[14] & 15) * 4;
  } else if (type == 0x86dd && f->length >= 54) {
    source = b + 22, destination = b + 38, size = 16, protocol = b[20], ports = 54;
  }
  uint32_t hash = hashed(2166136261u, b + 12, 2);
  *user = mixed(hashed(hash, users_send ? source : destination, size));
  hash = hashed(hashed(hash, source, size), destination, size);
  hash = (hash ^ (uint32_t)protocol) * 16777619u;
  int has_ports = ports && (protocol == 6 || protocol == 17) && f->length >= ports + 4;
  *flow = mixed(hashed(hash, b + ports, has_ports ? 4 : 0));
}

// The place of what has this hash: its own, or the first of so many that is free. If there is neither, it shares one.
static unsigned place_of(struct places *p, uint32_t hash, unsigned ways) {
  unsigned home = hash % PLACES, place = home;
  int found = 0;
  for (unsigned i = 0; i < ways; i++) {
    unsigned at = (home + i) % PLACES;
    if (p->uses[at] && p->hash[at] == hash) return at;
    if (!p->uses[at] && !found) place = at, found = 1;
  }
  if (!p->uses[place]) p->hash[place] = hash;
  return place;
}

static void leave_turn(struct queue *q, struct flow *w) {
  q->turns[w->turn].first = w->next;
  w->turn = IDLE;
}

static void join_turn(struct queue *q, struct flow *w, enum turn turn) {
  struct turns *turns = &q->turns[turn];
  w->turn = turn;
  w->next = NULL;
  if (turns->first) turns->last->next = w;
  else turns->first = w;
  turns->last = w;
}

// As in CAKE, a flow divides its user's turn from when it waits among the old until it is found empty there.
static void share(struct queue *q, struct flow *w) {
  if (w->shares) return;
  w->shares = 1;
  q->sharing[w->user]++;
}

// What a flow may send in one turn.
static int quantum(const struct queue *q, const struct flow *w) {
  unsigned flows = q->sharing[w->user];
  return flows < 2 ? QUANTUM : flows < QUANTUM ? QUANTUM / (int)flows : 1;
}

static struct frame *first_of(struct queue *q, struct flow *w) {
  struct frame *f = pop(&w->line);
  if (!f) return NULL;
  w->bytes -= (uint64_t)f->length;
  q->bytes -= (uint64_t)f->length;
  q->frames--;
  return f;
}

// From the head of whoever has most waiting, half of it at most: to look for him takes long.
static void drop_of_fattest(struct queue *q) {
  struct flow *fattest = q->flows;
  for (int i = 1; i < PLACES; i++)
    if (q->flows[i].bytes > fattest->bytes) fattest = &q->flows[i];
  uint64_t half = fattest->bytes / 2;
  for (int i = 0; i < MOST_DROPPED_AT_ONCE && (i == 0 || fattest->bytes > half); i++)
    append(&q->dropped, first_of(q, fattest));
}

static void fair_put(struct queue *q, struct frame *f) {
  unsigned ways = q->kind == PER_USER ? WAYS : 1;
  uint32_t flow_hash, user_hash;
  name(f, q->users_send, &flow_hash, &user_hash);
  unsigned place = place_of(&q->flow_places, flow_hash, ways);
  struct flow *w = &q->flows[place];
  if (w->turn == IDLE) {
    // For fq-codel each flow is a user by itself.
    w->user = q->kind == PER_USER ? place_of(&q->user_places, user_hash, ways) : place;
    q->user_places.uses[w->user]++;
    q->flow_places.uses[place] = 1;
    w->deficit = quantum(q, w);
    join_turn(q, w, NEW);
  } else if (w->turn == OLD) {
    share(q, w);
  }
  append(&w->line, f);
  w->bytes += (uint64_t)f->length;
  q->bytes += (uint64_t)f->length;
  q->frames++;
  if (q->frames > MOST_FRAMES) drop_of_fattest(q);
}

// A flow of which nothing waits gives its places up.
static void retire(struct queue *q, struct flow *w) {
  if (w->shares) q->sharing[w->user]--;
  w->shares = 0;
  q->user_places.uses[w->user]--;
  q->flow_places.uses[w - q->flows] = 0;
}

static uint64_t control_law(uint64_t t, uint32_t count) {
  return t + (uint64_t)(INTERVAL_NS / sqrt((double)count));
}

// A flow's first frame, and whether CoDel may drop it: for an interval every one has waited for longer than the target.
// Where no more than a packet's bytes wait, there is no queue. As in Linux these are all flows' and not this one's.
static struct frame *codel_first(struct queue *q, struct flow *w, uint64_t t, int *may_drop) {
  struct codel *c = &w->codel;
  *may_drop = 0;
  struct frame *f = first_of(q, w);
  if (!f || t - f->at_ns < TARGET_NS || q->bytes <= QUANTUM) c->first_above_ns = 0;
  else if (c->first_above_ns == 0) c->first_above_ns = t + INTERVAL_NS;
  else *may_drop = t >= c->first_above_ns;
  return f;
}

// RFC 8289, section 5.
static struct frame *codel_take(struct queue *q, struct flow *w, uint64_t t) {
  struct codel *c = &w->codel;
  int may_drop;
  struct frame *f = codel_first(q, w, t, &may_drop);
  if (c->dropping) {
    if (!may_drop) c->dropping = 0;
    while (c->dropping && t >= c->drop_next_ns) {
      append(&q->dropped, f);
      c->count++;
      f = codel_first(q, w, t, &may_drop);
      if (may_drop) c->drop_next_ns = control_law(c->drop_next_ns, c->count);
      else c->dropping = 0;
    }
  } else if (may_drop) {
    append(&q->dropped, f);
    f = codel_first(q, w, t, &may_drop);
    c->dropping = 1;
    // Soon after it last stopped dropping, it goes on with the rate that held the queue then.
    uint32_t since = c->count - c->last_count;
    int soon = (int64_t)(t - c->drop_next_ns) < 16ll * INTERVAL_NS;
    c->count = since > 1 && soon ? since : 1;
    c->drop_next_ns = control_law(t, c->count);
    c->last_count = c->count;
  }
  return f;
}

// RFC 8290, section 4.2.
static struct frame *fair_take(struct queue *q, uint64_t t) {
  for (;;) {
    struct flow *w = q->turns[NEW].first ? q->turns[NEW].first : q->turns[OLD].first;
    if (!w) return NULL;
    enum turn turn = w->turn;
    if (w->deficit <= 0) {
      leave_turn(q, w);
      join_turn(q, w, OLD);
      if (w->line.first) share(q, w);
      w->deficit += quantum(q, w);
      continue;
    }
    struct frame *f = codel_take(q, w, t);
    if (f) {
      w->deficit -= f->length;
      return f;
    }
    leave_turn(q, w);
    // A new one waits for a turn of the old, else it would be new again at once and always go first.
    if (turn == NEW) join_turn(q, w, OLD);
    else retire(q, w);
  }
}

// What is not IP, such as ARP and LLDP, is network control (CS6). Were it behind a class that is starved, hosts would
// lose each other, whatever the class of their packets.
static int dscp_of(const struct frame *f) {
  const unsigned char *b = f->bytes;
  int type = b[12] << 8 | b[13];
  if (type == 0x0800) return f->length >= 34 ? b[15] >> 2 : 0;
  if (type == 0x86dd) return f->length >= 54 ? ((b[14] & 15) << 4 | b[15] >> 4) >> 2 : 0;
  return NETWORK_CONTROL;
}

static void classed_put(struct queue *q, struct frame *f) {
  struct class *c = &q->classes[q->class_of_dscp[dscp_of(f)]];
  if (c->bytes + (uint64_t)f->length > q->most_bytes) {
    append(&q->dropped, f);
    return;
  }
  append(&c->line, f);
  c->bytes += (uint64_t)f->length;
  q->bytes += (uint64_t)f->length;
}

static struct frame *weighted_take(struct queue *q) {
  while (q->bytes > 0) {
    struct class *c = &q->classes[q->class_in_turn];
    if (c->line.first && !q->turn_began) c->deficit += c->quantum;
    q->turn_began = 1;
    if (c->line.first && (uint64_t)c->line.first->length <= c->deficit) {
      struct frame *f = pop(&c->line);
      c->deficit -= (uint64_t)f->length;
      c->bytes -= (uint64_t)f->length;
      q->bytes -= (uint64_t)f->length;
      return f;
    }
    // Who has nothing to send saves nothing for later.
    if (!c->line.first) c->deficit = 0;
    q->class_in_turn = (q->class_in_turn + 1) % q->class_count;
    q->turn_began = 0;
  }
  return NULL;
}

// Whether the policer finds a token for it.
static int conforms(struct queue *q, const struct frame *f, uint64_t t) {
  uint32_t flow, user;
  name(f, q->users_send, &flow, &user);
  struct bucket *b = &q->buckets[flow % PLACES];
  double most = (double)q->police_burst;
  b->bytes = b->filled_ns == 0 ? most : b->bytes + (double)(t - b->filled_ns) * q->police_bytes_per_ns;
  if (b->bytes > most) b->bytes = most;
  b->filled_ns = t + (t == 0);
  if (b->bytes < f->length) return 0;
  b->bytes -= f->length;
  return 1;
}

// From 0 up to 1: xorshift64, so that a run can be repeated.
static double drawn(struct queue *q) {
  q->chance ^= q->chance << 13;
  q->chance ^= q->chance >> 7;
  q->chance ^= q->chance << 17;
  return (double)(q->chance >> 11) / 9007199254740992.0;
}

static void profiled_put(struct queue *q, struct frame *f, uint64_t t) {
  unsigned number = q->class_of_dscp[dscp_of(f)];
  int lost = 0;
  if (number == 0 && q->police_bytes_per_ns > 0 && !conforms(q, f, t)) {
    if (q->scavenger) number = q->class_count - 1;
    else lost = drawn(q) * (double)q->classes[0].most_bytes < (double)q->classes[0].bytes;
  }
  struct class *c = &q->classes[number];
  if (lost || c->bytes + (uint64_t)f->length > c->most_bytes) {
    append(&q->dropped, f);
    return;
  }
  append(&c->line, f);
  c->bytes += (uint64_t)f->length;
  q->bytes += (uint64_t)f->length;
}

static struct frame *profiled_take(struct queue *q) {
  struct class *chosen = NULL;
  for (unsigned c = 0; c < q->class_count && !(chosen && chosen->credit > 0); c++)
    if (q->classes[c].line.first && (!chosen || q->classes[c].credit > 0)) chosen = &q->classes[c];
  if (!chosen) return NULL;
  struct frame *f = pop(&chosen->line);
  chosen->bytes -= (uint64_t)f->length;
  q->bytes -= (uint64_t)f->length;
  chosen->credit -= f->length;
  for (unsigned c = 0; c < q->class_count; c++) {
    double *credit = &q->classes[c].credit;
    *credit += q->classes[c].part * f->length;
    if (*credit > MOST_CREDIT) *credit = MOST_CREDIT;
    if (*credit < -MOST_CREDIT) *credit = -MOST_CREDIT;
  }
  return f;
}

static struct frame *priority_take(struct queue *q) {
  for (unsigned c = 0; c < q->class_count; c++) {
    struct frame *f = pop(&q->classes[c].line);
    if (!f) continue;
    q->classes[c].bytes -= (uint64_t)f->length;
    q->bytes -= (uint64_t)f->length;
    return f;
  }
  return NULL;
}

// What a class's leaf has dropped is dropped by the queue; so much waits now.
static void settle(struct queue *q, struct class *c) {
  for (struct frame *f; (f = pop(&c->leaf->dropped));) append(&q->dropped, f);
  q->bytes += c->leaf->bytes;
  q->bytes -= c->bytes;
  c->bytes = c->leaf->bytes;
}

static void htb_put(struct queue *q, struct frame *f) {
  struct class *c = &q->classes[q->class_of_dscp[dscp_of(f)]];
  fair_put(c->leaf, f);
  settle(q, c);
}

// What a class sends within its rate is taken off its credit. What it borrows is not, so that it has its rate again at once.
static struct frame *htb_take(struct queue *q, uint64_t t) {
  for (unsigned i = 0; i < q->class_count; i++) {
    struct class *c = &q->classes[i];
    c->credit += (double)(t - c->credited_ns) * c->bytes_per_ns;
    if (c->credit > MOST_CREDIT) c->credit = MOST_CREDIT;
    c->credited_ns = t;
  }
  for (enum level level = OWN; level < LEVELS; level++) {
    unsigned *turn = &q->level_in_turn[level];
    for (unsigned seen = 0; seen < q->class_count; seen++, *turn = (*turn + 1) % q->class_count) {
      struct class *c = &q->classes[*turn];
      if (c->bytes == 0 || (c->credit > 0) != (level == OWN)) continue;
      struct frame *f = fair_take(c->leaf, t);
      settle(q, c);
      if (!f) continue;
      if (level == OWN) c->credit -= f->length;
      c->left[level] -= f->length;
      if (c->left[level] < 0) {
        c->left[level] += (int64_t)c->quantum;
        *turn = (*turn + 1) % q->class_count;
      }
      return f;
    }
  }
  return NULL;
}

// A frame that comes at t, while so many bytes of another are still to be sent.
static void put(struct queue *q, struct frame *f, uint64_t t, uint64_t sending_bytes) {
  f->at_ns = t;
  if (q->kind == WEIGHTED || q->kind == PRIORITY) {
    classed_put(q, f);
  } else if (q->kind == HTB) {
    htb_put(q, f);
  } else if (q->kind == PROFILED) {
    profiled_put(q, f, t);
  } else if (q->kind != FIFO) {
    fair_put(q, f);
  } else if (sending_bytes + q->bytes + (uint64_t)f->length > q->most_bytes) {
    append(&q->dropped, f);
  } else {
    append(&q->fifo, f);
    q->bytes += (uint64_t)f->length;
  }
}

// The frame that the link sends from t on. NULL although some waited: CoDel dropped them.
static struct frame *take(struct queue *q, uint64_t t) {
  if (q->kind == WEIGHTED) return weighted_take(q);
  if (q->kind == PROFILED) return profiled_take(q);
  if (q->kind == PRIORITY) return priority_take(q);
  if (q->kind == HTB) return htb_take(q, t);
  if (q->kind != FIFO) return fair_take(q, t);
  struct frame *f = pop(&q->fifo);
  if (f) q->bytes -= (uint64_t)f->length;
  return f;
}
