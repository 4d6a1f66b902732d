package org.paceline.allocator.reservation;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;

/**
 * What a flow is taken to want, from what it was seen to send: CLASSIFY, CALC-THRESHOLD and the
 * optimal steps of Boley et al. 2017, algorithms 2 to 4, which the paper names and leaves open.
 *
 * <p>A flow that uses all that it is let have asks. Below its reservation it then wants all of it
 * at once, so that a reservation is honoured within a period of being asked for; above, it wants
 * its rate times the growth. A flow that sends clearly less than it wanted is taken to want that
 * and some headroom: at once where it sends less than half, else when it did so for two periods.
 * Between the two nothing changes, so that noise moves no rates.
 *
 * <p>Where a meter sees what a flow tries to send, little headroom and little margin are enough,
 * and one period says all; what is tried clearly above the rate is what it wants. Only a little
 * above may be a rise that began within the period, or TCP, which tries no more than it must to
 * find its rate. So at first it wants a little more; who then still asks grows as what is paced
 * does. To grow at once would hold twice its rate for a period, and others would have nothing of
 * it.
 */
@AutoValue
public abstract class DemandEstimate {
  private static final int STEADILY = 2;

  public abstract DataRate reserved();

  /** How much it wants; {@link DataRate#MAX} for all that there is. */
  public abstract DataRate wanted();

  /** Whether it used all that it had when it was last seen: nobody knows how much it wants. */
  public abstract boolean isAsking();

  /** Of a flow of which nothing has been seen: its reservation, or all without one. */
  public static DemandEstimate initial(DataRate reserved) {
    return of(reserved, all(reserved), true);
  }

  private static DataRate all(DataRate reserved) {
    return reserved.equals(DataRate.ZERO) ? DataRate.MAX : reserved;
  }

  static DemandEstimate of(DataRate reserved, DataRate wanted, boolean isAsking) {
    return new AutoValue_DemandEstimate(reserved, wanted, isAsking);
  }

  /** After one more period. */
  public DemandEstimate after(Observation seen, AdaptationRule rule) {
    if (seen.isHeldBack()) {
      DataRate more =
          seen.tried()
              .flatMap(tried -> stepTo(tried, seen.held(), rule))
              .orElseGet(
                  () -> reserved().equals(DataRate.ZERO) ? DataRate.MAX : rule.beyond(seen.held()));
      boolean isReturning = wanted().compareTo(reserved()) < 0;
      return of(reserved(), isReturning ? reserved() : greater(more, reserved()), true);
    }
    DataRate above = seen.tried().map(rule::justAbove).orElseGet(() -> rule.above(peak(seen)));
    DataRate demand = greater(above, rule.floor(reserved()));
    boolean isLess =
        seen.tried().isPresent()
            ? rule.isSeenBelow(demand, wanted())
            : rule.isClearlyBelow(demand, wanted());
    return of(reserved(), isLess ? demand : wanted(), false);
  }

  /** Empty where what is tried does not say how much is wanted. */
  private Optional<DataRate> stepTo(DataRate tried, DataRate held, AdaptationRule rule) {
    if (rule.isClearlyAbove(tried, held)) {
      return Optional.of(rule.justAbove(tried));
    }
    return isAsking() || reserved().equals(DataRate.ZERO)
        ? Optional.empty()
        : Optional.of(rule.aLittleAbove(tried));
  }

  /** The same flow, with another reservation. */
  public DemandEstimate reserving(DataRate other) {
    return other.equals(reserved()) ? this : initial(other);
  }

  private static DataRate peak(Observation seen) {
    List<DataRate> sent = seen.sent();
    DataRate last = sent.get(0);
    boolean isSharp = last.millibitsPerSecond() < seen.held().millibitsPerSecond() / 2;
    DataRate peak = last;
    for (int p = 1; p < STEADILY && p < sent.size() && !isSharp; p++) {
      peak = greater(peak, sent.get(p));
    }
    return peak;
  }

  private static DataRate greater(DataRate one, DataRate other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
