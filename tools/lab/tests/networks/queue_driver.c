// queue_driver: the wire's queues without a wire. Times are whatever its input says.
//
//   queue_driver KIND MOST_BYTES far|near [WEIGHTS [POLICED BURST [SCAVENGER]]]     whether users are at the far end of the link, or send
//
// Each line of the input is a call, and each line of the output its result as JSON:
//
//   put T SOURCE DESTINATION PORT LENGTH SENDING     {"dropped": [...]}, by the frames' numbers, which count from 0
//   mark DSCP                                        {"dropped": []}; all frames have it that are put from here on
//   take T                                           {"frame": N or null, "dropped": [...], "backlog": BYTES}
#include <stdio.h>

#include "queue.h"

enum { HEAD_BYTES = 64 };

// The driver keeps it behind the head.
static unsigned number_of(const struct frame *f) {
  unsigned number;
  memcpy(&number, f->bytes + HEAD_BYTES, sizeof number);
  return number;
}

static void print_dropped(struct queue *q) {
  printf("\"dropped\":[");
  const char *between = "";
  for (struct frame *f; (f = pop(&q->dropped)); between = ",") printf("%s%u", between, number_of(f));
  printf("]");
}

int main(int count, char **words) {
  if (count < 4 || kind_named(words[1]) == KINDS) return 2;
  struct queue *q = new_queue(kind_named(words[1]), strtoull(words[2], NULL, 10), !strcmp(words[3], "near"));
  if (has_classes(q->kind) && (count < 5 || !weigh(q, words[4]))) return 2;
  if (count > 6 && !police(q, atof(words[5]), strtoull(words[6], NULL, 10), count > 7 ? atof(words[7]) : 0)) return 2;
  if (!ready(q)) return 2;
  unsigned char dscp = 0;
  char call[8];
  unsigned long t, sending;
  unsigned number = 0, source, destination, port, length;
  while (scanf("%7s %lu", call, &t) == 2) {
    if (!strcmp(call, "put")) {
      if (scanf("%u %u %u %u %lu", &source, &destination, &port, &length, &sending) != 5) return 2;
      struct frame *f = calloc(1, sizeof *f);
      unsigned char *b = f->bytes = calloc(1, HEAD_BYTES + sizeof number);
      f->length = (int)length;
      // UDP in IPv4; both addresses are of 10.0.0.0/16.
      b[12] = 8, b[14] = 0x45, b[15] = (unsigned char)(dscp << 2), b[23] = 17, b[26] = b[30] = 10;
      b[28] = (unsigned char)(source >> 8), b[29] = (unsigned char)source;
      b[32] = (unsigned char)(destination >> 8), b[33] = (unsigned char)destination;
      b[36] = (unsigned char)(port >> 8), b[37] = (unsigned char)port;
      memcpy(b + HEAD_BYTES, &number, sizeof number);
      number++;
      put(q, f, t, sending);
      printf("{");
      print_dropped(q);
      printf("}\n");
    } else if (!strcmp(call, "mark")) {
      dscp = (unsigned char)t;
      printf("{\"dropped\":[]}\n");
    } else {
      struct frame *f = take(q, t);
      if (f) printf("{\"frame\":%u,", number_of(f));
      else printf("{\"frame\":null,");
      print_dropped(q);
      printf(",\"backlog\":%lu}\n", backlog(q));
    }
  }
  return 0;
}
