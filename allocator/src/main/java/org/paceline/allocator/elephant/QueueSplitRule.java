package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;

/**
 * How the split of a port between elephants and all others follows the traffic. Yan et al. 2013 say
 * that it must be watched and adjusted (experiment 6) and give no numbers.
 */
@AutoValue
public abstract class QueueSplitRule {
  private static final int THOUSAND = 1_000;

  /** So that neither queue is ever without a rate, in which it could show what it would send. */
  public static final int GREATEST_LEAST = 450;

  public static final QueueSplitRule DEFAULT = of(100, 250, 200);

  /** What either side has of a port at least, in thousandths of its capacity. */
  public abstract int leastThousandths();

  /** What others have above what was measured of them, in thousandths of that. */
  public abstract int headroomThousandths();

  /** By how much less others must need before they have less, in thousandths. */
  public abstract int marginThousandths();

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public static QueueSplitRule of(int least, int headroom, int margin) {
    require("least share of a port", least, 1, GREATEST_LEAST);
    require("headroom", headroom, 0, 2 * THOUSAND);
    require("margin", margin, 0, THOUSAND - 1);
    return new AutoValue_QueueSplitRule(least, headroom, margin);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "The "
              + name
              + " ("
              + value
              + " thousandths) of elephant isolation must lie from "
              + least
              + " to "
              + most
              + ".");
    }
  }

  long least(long capacity) {
    return Math.max(1, part(capacity, leastThousandths()));
  }

  long withHeadroom(long measured) {
    return measured + part(measured, headroomThousandths());
  }

  /** Whether so much less is needed that it is worth a change. */
  boolean isClearlyBelow(long need, long share) {
    return need < share - part(share, marginThousandths());
  }

  private static long part(long rate, int thousandths) {
    return rate / THOUSAND * thousandths + rate % THOUSAND * thousandths / THOUSAND;
  }
}
