package org.paceline.allocator.reservation;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/**
 * How reservations follow what flows send. The paper (Boley et al. 2017) names these quantities and
 * gives no numbers: its nominal window, its optimal decrease and its optimal increase.
 */
@AutoValue
public abstract class AdaptationRule {
  private static final int THOUSAND = 1_000;

  /** By so much headroom and margin are less where it is seen what a flow tries to send. */
  private static final int WHERE_SEEN = 5;

  /** So little is left to any flow, or what it reserved if that is less: so that it can ask. */
  public static final DataRate LEAST = DataRate.ofKilobitsPerSecond(100);

  /** Less would take whoever sends steadily for one who uses all that it has, and asks for more. */
  public static final int LEAST_HEADROOM = 60;

  public static final AdaptationRule DEFAULT = of(50, 100, 2_000, 50);

  /**
   * Half the nominal window, in thousandths: a demand that is nearer than this to the one before is
   * no change.
   */
  public abstract int marginThousandths();

  /** What a flow keeps above what it sends, in thousandths of that. */
  public abstract int headroomThousandths();

  /** Whoever uses all of its rate may have so much of it next, in thousandths. */
  public abstract int growthThousandths();

  /** What a silent flow keeps of its reservation, in thousandths. */
  public abstract int floorThousandths();

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public static AdaptationRule of(int margin, int headroom, int growth, int floor) {
    require("margin", margin, 0, 500);
    require("headroom", headroom, LEAST_HEADROOM, 2 * THOUSAND);
    require("growth", growth, THOUSAND + 1, 10 * THOUSAND);
    require("floor", floor, 0, THOUSAND);
    return new AutoValue_AdaptationRule(margin, headroom, growth, floor);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "The "
              + name
              + " ("
              + value
              + " thousandths) of adaptive reservations must lie from "
              + least
              + " to "
              + most
              + ".");
    }
  }

  /** With headroom: above it nobody sees what a flow wants. */
  DataRate above(DataRate sent) {
    return scaled(sent, THOUSAND + headroomThousandths());
  }

  /** With the little that is needed where it is seen what a flow tries to send. */
  DataRate justAbove(DataRate tried) {
    return scaled(tried, THOUSAND + headroomThousandths() / WHERE_SEEN);
  }

  /** Whether so much more was tried than let through that it is all that is wanted. */
  boolean isClearlyAbove(DataRate tried, DataRate held) {
    return tried.compareTo(aLittleAbove(held)) > 0;
  }

  /** A tenth. */
  DataRate aLittleAbove(DataRate rate) {
    return scaled(rate, THOUSAND + THOUSAND / 10);
  }

  /** What whoever uses this fully may have next. */
  DataRate beyond(DataRate held) {
    return scaled(held, growthThousandths());
  }

  /** Whether a demand is so far below that it is a change. */
  boolean isClearlyBelow(DataRate demand, DataRate before) {
    return demand.compareTo(scaled(before, THOUSAND - marginThousandths())) < 0;
  }

  /** As {@link #isClearlyBelow}, where it is seen what a flow tries to send. */
  boolean isSeenBelow(DataRate demand, DataRate before) {
    return demand.compareTo(scaled(before, THOUSAND - marginThousandths() / WHERE_SEEN)) < 0;
  }

  /** What a flow keeps while it is silent. */
  DataRate floor(DataRate reserved) {
    DataRate part = scaled(reserved, floorThousandths());
    if (reserved.equals(DataRate.ZERO)) {
      return LEAST;
    }
    DataRate most = LEAST.compareTo(reserved) < 0 ? LEAST : reserved;
    return part.compareTo(most) < 0 ? most : part;
  }

  private static DataRate scaled(DataRate rate, int thousandths) {
    long millibits = rate.millibitsPerSecond();
    double scaled = (double) millibits * thousandths / THOUSAND;
    return scaled >= DataRate.MAX.millibitsPerSecond()
        ? DataRate.MAX
        : DataRate.ofMillibitsPerSecond((long) scaled);
  }
}
