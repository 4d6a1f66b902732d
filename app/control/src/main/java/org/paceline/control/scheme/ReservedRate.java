package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import org.paceline.control.port.ReservedRates;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.unit.DataRate;

/** What a reservation is for a conversation of a scheme that keeps to it. */
@AutoValue
public abstract class ReservedRate {
  /** Zero for best effort. */
  public abstract DataRate rate();

  /** What of it is lent to nobody, used or not. */
  public abstract DataRate firm();

  /** What its intent lets it have at most. */
  public abstract DataRate most();

  /** Whether it was reserved by name and time, and not only by its intent. */
  public abstract boolean isPromised();

  /**
   * What an intent reserves for each of its conversations: its least rate.
   *
   * @param reserved by name and time; no more of it counts than the intent allows
   */
  public static ReservedRate of(EffectivePolicy policy, ReservedRates.Due reserved) {
    DataRate most = policy.maximumRate().map(Sourced::value).orElse(DataRate.MAX);
    DataRate least = policy.minimumRate().map(Sourced::value).orElse(DataRate.ZERO);
    DataRate rate = reserved.rate().compareTo(least) < 0 ? least : reserved.rate();
    return new AutoValue_ReservedRate(
        lesser(rate, most),
        lesser(reserved.firm(), most),
        most,
        !reserved.equals(ReservedRates.Due.NOTHING));
  }

  /** What a booked circuit is for an elephant: its least rate, whatever its intent says. */
  public static ReservedRate ofCircuit(ReservedRates.Due reserved) {
    DataRate rate = reserved.circuit();
    return new AutoValue_ReservedRate(rate, lesser(reserved.firm(), rate), DataRate.MAX, true);
  }

  /** Whether all of it is lent while it is not used. */
  public boolean isLent() {
    return firm().equals(DataRate.ZERO) && !rate().equals(DataRate.ZERO);
  }

  /** The same with so much reserved, as far as its intent lets it have that. */
  ReservedRate reserving(DataRate other) {
    DataRate rate = lesser(other, most());
    return new AutoValue_ReservedRate(rate, lesser(firm(), rate), most(), isPromised());
  }

  private static DataRate lesser(DataRate one, DataRate other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
