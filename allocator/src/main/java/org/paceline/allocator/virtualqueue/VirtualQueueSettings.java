package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import java.util.OptionalDouble;
import org.paceline.intents.unit.DataRate;

/** How a {@link NominalShare} follows what it sees: the B, alpha, kappa and beta of the paper. */
@AutoValue
public abstract class VirtualQueueSettings {
  /** The part of the greatest gain that is taken where nobody says another: 0.1 for B = 5. */
  private static final double CAUTION = 0.6;

  private static final int GREATEST_SHARPNESS = 50;
  private static final double LEAST_ALPHA = 0.1;
  private static final double GREATEST_ALPHA = 10;
  private static final double LEAST_VIRTUAL = 0.5;

  // As many as a double has digits.
  private static final int HALVINGS = 53;

  /** B = 5, alpha = 1, beta = 0.95. */
  public static final VirtualQueueSettings STANDARD = of(5, 1);

  /** B: how sharply the price rises with the utilisation. */
  public abstract int sharpness();

  /** How much congestion is worth a full link: a higher one fills the queue, and the link. */
  public abstract double alpha();

  /** kappa: how far a share moves in one period. */
  public abstract double gain();

  /** beta: the virtual queue's part of the capacity. */
  public abstract double virtual();

  /** The part of the capacity at which an adaptive virtual queue holds the load; empty: fixed. */
  public abstract OptionalDouble adaptive();

  /** With the standard gain and virtual capacity. */
  public static VirtualQueueSettings of(int sharpness, double alpha) {
    return of(sharpness, alpha, standardGain(sharpness), 0.95);
  }

  /** A safe one for this B. */
  public static double standardGain(int sharpness) {
    return CAUTION / (sharpness + 1);
  }

  /**
   * @throws IllegalArgumentException where the loop would not be stable, or the queue be none
   */
  public static VirtualQueueSettings of(int sharpness, double alpha, double gain, double virtual) {
    if (sharpness < 1 || sharpness > GREATEST_SHARPNESS) {
      throw new IllegalArgumentException(
          "The sharpness B ("
              + sharpness
              + ") must be from 1 to "
              + GREATEST_SHARPNESS
              + ". Maybe 5, as the paper has it.");
    }
    if (!(alpha >= LEAST_ALPHA && alpha <= GREATEST_ALPHA)) {
      throw new IllegalArgumentException(
          "The alpha (" + alpha + ") must be from 0.1 to 10. Maybe 1, as the paper has it.");
    }
    if (!(gain > 0 && gain < 1.0 / (sharpness + 1))) {
      throw new IllegalArgumentException(
          "The gain kappa ("
              + gain
              + ") must be above 0 and below 1 / (B + 1), or the loop swings. Maybe "
              + standardGain(sharpness)
              + " for B = "
              + sharpness
              + ".");
    }
    if (!(virtual >= LEAST_VIRTUAL && virtual <= 1)) {
      throw new IllegalArgumentException(
          "The virtual part beta (" + virtual + ") must be from 0.5 to 1. Maybe 0.95.");
    }
    return new AutoValue_VirtualQueueSettings(
        sharpness, alpha, gain, virtual, OptionalDouble.empty());
  }

  /**
   * The same, with a virtual queue that adapts until the load is this part of the capacity
   * (Kunniyur and Srikant 2001).
   */
  public VirtualQueueSettings adaptingTo(double utilisation) {
    if (!(utilisation >= LEAST_VIRTUAL && utilisation <= 1)) {
      throw new IllegalArgumentException(
          "The adaptive utilisation (" + utilisation + ") must be from 0.5 to 1. Maybe 0.95.");
    }
    return new AutoValue_VirtualQueueSettings(
        sharpness(), alpha(), gain(), virtual(), OptionalDouble.of(utilisation));
  }

  /**
   * The utilisation of the virtual queue at which a share stands still, equation 5: the root of rho
   * = alpha (1 - p) / p. The right side falls and the left one rises, so there is one.
   */
  public double utilisation() {
    double low = 0;
    double high = 1;
    for (int halving = 0; halving < HALVINGS; halving++) {
      double middle = (low + high) / 2;
      if (balance(middle) > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Above 0 where a share grows. */
  double balance(double utilisation) {
    double price = price(utilisation);
    return 1 - price - price * utilisation / alpha();
  }

  /** p, a probability. */
  double price(double utilisation) {
    return Math.min(1, Math.pow(utilisation, sharpness()));
  }

  /** What greedy flows send together over a resource once its share stands still. */
  public DataRate settled(DataRate capacity) {
    return Rates.times(capacity, adaptive().orElse(virtual() * utilisation()));
  }
}
