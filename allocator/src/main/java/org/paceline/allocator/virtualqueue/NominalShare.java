package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.intents.unit.DataRate;

/**
 * The nominal fair share X_A of one resource of a small network without a controller: an access
 * link, or the air. Every host runs this loop on the rates that all hosts announce, and paces its
 * flows at the least of their shares. Gkantsidis et al. 2009, section 3.2.
 *
 * <p>The update X + kappa X (1 - p - p rho), p = rho^B, raises X below and lowers it above the
 * utilisation rho with p rho = 1 - p, of the virtual queue: 0.88 for B = 5. Where demand is too
 * small to reach that, X grows without need; it stops at ten times the capacity, from where it is
 * back in a few steps.
 */
@AutoValue
public abstract class NominalShare {
  /** How sharply the price rises with the utilisation: the paper's B. */
  static final int SHARPNESS = 5;

  /** Below 1 / (B + 1), where the loop is stable. */
  static final double GAIN = 0.15;

  /** The virtual queue is this much smaller than the real one: the paper's beta. */
  static final double VIRTUAL = 0.95;

  private static final long MOST = 10;

  public abstract DataRate capacity();

  /** X_A. */
  public abstract DataRate share();

  /**
   * A resource at its start: its share is its capacity.
   *
   * @throws IllegalArgumentException if the capacity is 0
   */
  public static NominalShare of(DataRate capacity) {
    if (capacity.equals(DataRate.ZERO)) {
      throw new IllegalArgumentException(
          "A resource without capacity has no shares. Maybe leave it out.");
    }
    return new AutoValue_NominalShare(capacity, capacity);
  }

  /** Takes in what all flows over the resource were seen to send in the last period. */
  public NominalShare after(DataRate observed) {
    double utilisation =
        observed.millibitsPerSecond() / (VIRTUAL * capacity().millibitsPerSecond());
    // A price is a probability.
    double price = Math.min(1, Math.pow(utilisation, SHARPNESS));
    double factor = Math.max(0.1, 1 + GAIN * (1 - price - price * utilisation));
    double most = (double) capacity().millibitsPerSecond() * MOST;
    double next = Math.min(most, Math.max(1, share().millibitsPerSecond() * factor));
    return new AutoValue_NominalShare(
        capacity(), DataRate.ofMillibitsPerSecond((long) Math.ceil(next)));
  }

  /**
   * What a flow may send: the least of its weighted parts of all resources that it uses, equation
   * 2.
   *
   * @param flow one of the flows of each of the resources
   * @param weights of all flows, above 0
   * @param users the flows that use each resource
   */
  public static DataRate rate(
      String flow,
      Map<String, Double> weights,
      List<NominalShare> resources,
      List<Set<String>> users) {
    double least = Double.POSITIVE_INFINITY;
    for (int r = 0; r < resources.size(); r++) {
      double sum =
          users.get(r).stream().mapToDouble(other -> weights.getOrDefault(other, 1.0)).sum();
      least =
          Math.min(
              least,
              weights.getOrDefault(flow, 1.0)
                  * resources.get(r).share().millibitsPerSecond()
                  / sum);
    }
    if (least == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "The flow (" + flow + ") uses no resource. Maybe leave it unlimited.");
    }
    return DataRate.ofMillibitsPerSecond((long) least);
  }
}
