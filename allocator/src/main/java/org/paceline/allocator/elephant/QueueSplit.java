package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;

/**
 * What the two queues of a port have: that of the elephants, and that of all others. Yan et al.
 * 2013, experiment 6: a fixed split loses packets when traffic changes, so this one follows it.
 *
 * <p>With g what others were granted and m what they were measured to send beside their grants,
 * they need n = g + (1 + h) m. They have more at once when they need more than they have, and less
 * only where n is below their share by a margin. A queue that is full hides what is sent to it, so
 * while one with traffic beside its grants is, it needs twice its share. Elephants have the rest,
 * and neither side less than a least part of the port, except that nothing that was granted is
 * taken for it. O(1).
 */
@AutoValue
public abstract class QueueSplit {
  private static final long KILOBIT = 1_000_000;

  /** With less, two queues would be none. */
  public static final DataRate LEAST_CAPACITY = DataRate.ofKilobitsPerSecond(100);

  private static final double FULL = 0.95;

  /** So little of a share that it is noise. */
  private static final double NOTHING = 0.05;

  public abstract DataRate elephants();

  public abstract DataRate others();

  /** What is known of the others at a port. */
  @AutoValue
  public abstract static class Need {
    /** What others were granted of the link. */
    public abstract DataRate granted();

    /** What they were measured to send beside all grants. */
    public abstract DataRate beside();

    /** What they were measured to send, within their grants and beside. */
    public abstract DataRate sent();

    public static Need of(DataRate granted, DataRate beside, DataRate sent) {
      return new AutoValue_QueueSplit_Need(granted, beside, sent);
    }

    /** Whether what is sent beside grants may be held back by a queue of this rate. */
    private boolean isFull(long share) {
      return sent().millibitsPerSecond() >= FULL * share
          && beside().millibitsPerSecond() >= NOTHING * share;
    }
  }

  /** Whether a port of this capacity can be divided between two queues. */
  public static boolean canDivide(DataRate capacity) {
    return capacity.compareTo(LEAST_CAPACITY) >= 0;
  }

  /**
   * The split from now on.
   *
   * @param before what others had, of the same capacity or another; empty where there were no
   *     queues
   * @throws IllegalArgumentException if the capacity cannot be divided
   */
  public static QueueSplit of(
      DataRate capacity, Need need, Optional<DataRate> before, QueueSplitRule rule) {
    if (!canDivide(capacity)) {
      throw new IllegalArgumentException(
          "The capacity ("
              + capacity
              + ") of a port cannot be divided between two queues. Maybe set the link's capacity.");
    }
    long whole = capacity.millibitsPerSecond();
    long granted = need.granted().millibitsPerSecond();
    long had = before.map(DataRate::millibitsPerSecond).orElse(0L);
    long needed = sum(granted, rule.withHeadroom(need.beside().millibitsPerSecond()));
    if (had > 0 && need.isFull(had)) {
      needed = Math.max(needed, sum(had, had));
    }
    long least = rule.least(whole);
    long most = Math.min(whole - KILOBIT, Math.max(whole - least, granted));
    needed = Math.max(least, Math.min(most, needed));
    boolean stays = had >= needed && had <= most && !rule.isClearlyBelow(needed, had);
    long others = stays ? had : needed;
    return new AutoValue_QueueSplit(
        DataRate.ofMillibitsPerSecond(whole - others), DataRate.ofMillibitsPerSecond(others));
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
