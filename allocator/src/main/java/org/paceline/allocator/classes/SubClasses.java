package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.paceline.intents.unit.DataRate;

/**
 * A service class cut in two, so that flows which the others crowd out get a meter of their own:
 * the lower sub-class has the flows whose throughput lies more than |beta| standard deviations
 * below the mean. Linear in the flows. Aljoby et al. 2021, section II-B, equation 5.
 */
@AutoValue
public abstract class SubClasses {
  /** The flows of the lower sub-class; empty where all flows are alike. */
  public abstract SortedSet<String> lower();

  /** X_L, for all flows of the lower sub-class together. */
  public abstract DataRate lowerRate();

  /** X_H, for all others: what the lower leave of the class's share. */
  public abstract DataRate upperRate();

  /**
   * @param share X_s, what the class has
   * @param throughput x_f, what each of its active flows was measured to get
   * @param beta the z-score below which a flow is low, at most 0; -0.25 in the paper
   * @param gamma from 0, equal shares, to 1, low flows get no more than they now reach
   * @throws IllegalArgumentException if beta or gamma is out of range
   */
  public static SubClasses of(
      DataRate share, Map<String, DataRate> throughput, double beta, double gamma) {
    if (!(beta <= 0)) {
      throw new IllegalArgumentException(
          "The threshold beta (" + beta + ") must be at most 0. Maybe -0.25.");
    }
    if (!(gamma >= 0 && gamma <= 1)) {
      throw new IllegalArgumentException(
          "The trade-off gamma (" + gamma + ") must lie from 0 to 1. Maybe 0.5.");
    }
    SortedSet<String> lower = lower(throughput, beta);
    if (lower.isEmpty()) {
      return new AutoValue_SubClasses(lower, DataRate.ZERO, share);
    }
    double reached =
        lower.stream()
            .mapToDouble(flow -> throughput.getOrDefault(flow, DataRate.ZERO).millibitsPerSecond())
            .average()
            .orElse(0);
    double equal = (double) share.millibitsPerSecond() / throughput.size();
    // Above an equal share only where the class's share shrank since the measurement: then the
    // upper flows would pay for what the lower reached before.
    double each = Math.min(equal, gamma * reached + (1 - gamma) * equal);
    DataRate lowerRate = DataRate.ofMillibitsPerSecond((long) (each * lower.size()));
    return new AutoValue_SubClasses(lower, lowerRate, share.minusOrZero(lowerRate));
  }

  private static SortedSet<String> lower(Map<String, DataRate> throughput, double beta) {
    double mean =
        throughput.values().stream().mapToLong(DataRate::millibitsPerSecond).average().orElse(0);
    double variance =
        throughput.values().stream()
            .mapToDouble(rate -> Math.pow(rate.millibitsPerSecond() - mean, 2))
            .average()
            .orElse(0);
    double limit = mean + beta * Math.sqrt(variance);
    SortedSet<String> lower = new TreeSet<>();
    if (variance > 0) {
      throughput.forEach(
          (flow, rate) -> {
            if (rate.millibitsPerSecond() < limit) {
              lower.add(flow);
            }
          });
    }
    return Collections.unmodifiableSortedSet(lower);
  }
}
