package org.paceline.agent.enforce.htb;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.netlink.Attributes;
import org.paceline.agent.netlink.Batch;

/** One HTB class in the kernel's own words: {@code tc_htb_opt} and the attributes around it. */
final class HtbClass {
  /** Of a message about queues: {@code tcmsg}. */
  static final int HEADER = 20;

  private static final int KIND = 1;
  private static final int OPTIONS = 2;
  private static final int STATISTICS = 7;
  private static final int PARAMETERS = 1;
  // Where in the parameters it is.
  private static final int PRIORITY = 40;
  private static final int RATE_64 = 6;
  private static final int CEIL_64 = 7;
  private static final int BASIC = 1;
  private static final int QUEUE = 3;
  private static final int PACKETS_64 = 8;
  private static final int ETHERNET = 1;
  private static final int FAIR_LIMIT = 1;
  private static final int FAIR_LIMIT_OF_ONE = 2;
  private static final int FAIR_TURN = 3;
  private static final int FAIR_FIRST_TURN = 4;
  private static final int FAIR_PACING = 5;
  private static final int FAIR_BUCKETS_LOG = 8;
  // A few sockets in trees of a few, which take 16 bytes each.
  private static final int SIXTEEN_BUCKETS = 4;
  private static final long GREATEST_32 = 0xffff_ffffL;
  // Below this the kernel sends a packet and waits: measured to be smooth and true to the rate.
  private static final long SMALLEST_BURST = 1_600;
  // What a late timer leaves beyond the burst is lost. A busy host's are late by a millisecond now
  // and then; and all classes of a link together never make it queue for longer than this.
  private static final long BURST_MICROS = 2_000;
  // What is borrowed meets the bursts of all who send by right: the pools of several hosts together
  // fill a link, and what they send at once waits there. A late timer costs a borrower little.
  private static final long POOL_BURST_MICROS = 1_000;
  private static final double NANOS_PER_TICK = 64;
  // Who borrows sends so much in its turn; others a packet, for none has to wait for their bursts.
  private static final long PACKET = 1_514;
  private static final long TURN_MICROS = 40_000;
  private static final long MOST_PACKETS_A_TURN = 400;
  // The priority of a class that always has something to send HTB changes only when its queue was
  // empty once (htb_change_class keeps prio_activity). The length of a turn it changes at once.
  private static final int QUARTERED = 2;

  private HtbClass() {}

  /** The attributes of a class with this rate, whose ceiling it may not exceed. */
  static void write(Batch to, ClassRate limits) {
    write(to, limits, BURST_MICROS);
  }

  /** The same of the class from which conversations borrow. */
  static void writePool(Batch to, ClassRate limits) {
    write(to, limits, POOL_BURST_MICROS);
  }

  private static void write(Batch to, ClassRate limits, long burstMicros) {
    // The kernel counts whole bytes.
    long rate = limits.bitsPerSecond() / Byte.SIZE;
    long ceiling = limits.ceilingBitsPerSecond() / Byte.SIZE;
    to.text(KIND, "htb");
    int options = to.begin(OPTIONS);
    int parameters = to.begin(PARAMETERS);
    rate(to, rate);
    rate(to, ceiling);
    to.u32(ticks(burst(limits.bitsPerSecond(), burstMicros), rate));
    to.u32(ticks(burst(limits.ceilingBitsPerSecond(), burstMicros), ceiling));
    to.u32(quantum(limits)).u32(0).u32(limits.rank());
    to.end(parameters);
    if (rate >= GREATEST_32) {
      to.u64(RATE_64, rate);
    }
    if (ceiling >= GREATEST_32) {
      to.u64(CEIL_64, ceiling);
    }
    to.end(options);
  }

  private static void rate(Batch to, long bytesPerSecond) {
    // On Ethernet no table of times by size is needed.
    to.u8(0).u8(ETHERNET).u16(0).u16(0xffff).u16(0);
    to.u32(Math.min(GREATEST_32, bytesPerSecond));
  }

  static long burst(long bitsPerSecond) {
    return burst(bitsPerSecond, BURST_MICROS);
  }

  private static long burst(long bitsPerSecond, long micros) {
    return Math.max(SMALLEST_BURST, bitsPerSecond / Byte.SIZE * micros / 1_000_000);
  }

  /**
   * What a class sends in its turn: those of a rank share what there is about as they share rates,
   * and one of the next rank has a quarter of that.
   */
  static long quantum(ClassRate limits) {
    if (!limits.borrows()) {
      return PACKET;
    }
    long turn = limits.bitsPerSecond() / Byte.SIZE * TURN_MICROS / 1_000_000;
    long most = Math.min(MOST_PACKETS_A_TURN * PACKET, turn);
    return Math.max(PACKET, most >> QUARTERED * limits.rank());
  }

  /** How long so many bytes take, in the kernel's unit. */
  private static long ticks(long bytes, long bytesPerSecond) {
    double nanos = bytes * 1e9 / Math.max(1, bytesPerSecond);
    return Math.min(GREATEST_32, (long) (nanos / NANOS_PER_TICK));
  }

  /**
   * The attributes of a queue that serves sockets in turn. It knows them by themselves: one that
   * sorts packets into so many lines by a hash would give two sockets one line now and then. That
   * each of them is paced, too, is none of its business here.
   */
  static void writeFairQueue(Batch to, int packets) {
    to.text(KIND, "fq");
    int options = to.begin(OPTIONS);
    number(to, FAIR_LIMIT, packets);
    number(to, FAIR_LIMIT_OF_ONE, packets);
    number(to, FAIR_TURN, PACKET);
    number(to, FAIR_FIRST_TURN, PACKET);
    number(to, FAIR_PACING, 0);
    number(to, FAIR_BUCKETS_LOG, SIXTEEN_BUCKETS);
    to.end(options);
  }

  private static void number(Batch to, int attribute, long value) {
    int start = to.begin(attribute);
    to.u32(value).end(start);
  }

  /** The attributes of the queue in a class: first in, first out. */
  static void writeQueue(Batch to, int packets) {
    to.text(KIND, "pfifo");
    int options = to.begin(OPTIONS);
    to.u32(packets).end(options);
  }

  /** The same, limited by bytes. */
  static void writeByteQueue(Batch to, long bytes) {
    to.text(KIND, "bfifo");
    int options = to.begin(OPTIONS);
    to.u32(bytes).end(options);
  }

  /** A class as the kernel shows it, with its header; empty where it is none of ours. */
  static Optional<ClassStatistics> read(ByteBuffer message) {
    int handle = message.getInt(8);
    Attributes all = new Attributes(message.slice(HEADER, message.limit() - HEADER));
    boolean ours = handle >>> 16 == ClassIds.MAJOR && all.is(KIND, "htb");
    if (!ours || (handle & 0xffff) == 0) {
      return Optional.empty();
    }
    Attributes options = all.in(OPTIONS);
    long rate = options.u64(RATE_64).orElseGet(() -> options.u32(PARAMETERS, 8));
    long ceiling = options.u64(CEIL_64).orElseGet(() -> options.u32(PARAMETERS, 20));
    Attributes statistics = all.in(STATISTICS);
    return Optional.of(
        new ClassStatistics(
            handle & 0xffff,
            new ClassRate(
                rate * Byte.SIZE, ceiling * Byte.SIZE, (int) options.u32(PARAMETERS, PRIORITY)),
            statistics.u64(BASIC).orElse(0L),
            statistics.u64(PACKETS_64).orElseGet(() -> statistics.u32(BASIC, Long.BYTES)),
            statistics.u32(QUEUE, 8),
            statistics.u32(QUEUE, 4)));
  }
}
