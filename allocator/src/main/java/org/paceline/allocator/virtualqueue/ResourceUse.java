package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/**
 * What flows have sent over one resource in the last period, in sum. Hungry flows send all that the
 * resource lets them, so they count with their weights; sated ones send less, for they have no more
 * or are held elsewhere, and count with what they send. Sums are all that hosts need to know of
 * each other.
 */
@AutoValue
public abstract class ResourceUse {
  public static final ResourceUse NONE =
      new AutoValue_ResourceUse(0, 0, DataRate.ZERO, DataRate.ZERO);

  public abstract double hungryWeight();

  public abstract double satedWeight();

  public abstract DataRate hungrySent();

  public abstract DataRate satedSent();

  /**
   * @throws IllegalArgumentException where a weight is no number from 0 up
   */
  public static ResourceUse of(
      double hungryWeight, double satedWeight, DataRate hungrySent, DataRate satedSent) {
    return new AutoValue_ResourceUse(
        checked(hungryWeight), checked(satedWeight), hungrySent, satedSent);
  }

  public static ResourceUse hungry(double weight, DataRate sent) {
    return of(weight, 0, sent, DataRate.ZERO);
  }

  public static ResourceUse sated(double weight, DataRate sent) {
    return of(0, weight, DataRate.ZERO, sent);
  }

  private static double checked(double weight) {
    if (!(weight >= 0 && Double.isFinite(weight))) {
      throw new IllegalArgumentException(
          "The weight (" + weight + ") must be a number from 0 up. Maybe 1.");
    }
    return weight;
  }

  public ResourceUse plus(ResourceUse other) {
    return of(
        hungryWeight() + other.hungryWeight(),
        satedWeight() + other.satedWeight(),
        hungrySent().plus(other.hungrySent()),
        satedSent().plus(other.satedSent()));
  }

  /**
   * The same where each bit takes so much of the resource: of a link 1, of the air its units.
   *
   * @param cost from 0 up
   */
  public ResourceUse times(double cost) {
    return of(
        hungryWeight() * cost,
        satedWeight() * cost,
        Rates.times(hungrySent(), cost),
        Rates.times(satedSent(), cost));
  }

  public DataRate sent() {
    return hungrySent().plus(satedSent());
  }
}
