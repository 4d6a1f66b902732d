package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.paceline.intents.unit.DataRate;

/**
 * A service class cut in two, so that flows which the others crowd out get a sub-class of their
 * own: the lower sub-class has the flows whose throughput lies more than |beta| standard deviations
 * below the mean. Linear in the flows. Aljoby et al. 2021, section II-B, equation 5.
 */
@AutoValue
public abstract class SubClasses {
  /** F^L, the flows of the lower sub-class; empty where all flows are alike. */
  public abstract SortedSet<String> lower();

  /** X_L, for all flows of the lower sub-class together. */
  public abstract DataRate lowerRate();

  /** X_H, for all others: what the lower leave of the class's share. */
  public abstract DataRate upperRate();

  /**
   * Splits once, whatever the rule's depth. The upper sub-class is empty only where there are no
   * flows at all, for with beta at most 0 the fastest flow is never low.
   *
   * @param share X_s, what the class has
   * @param throughput x_f, what each of its active flows was measured to get
   */
  public static SubClasses of(DataRate share, Map<String, DataRate> throughput, SplitRule rule) {
    double mean = mean(throughput, rate -> true);
    double variance =
        throughput.values().stream()
            .mapToDouble(rate -> Math.pow(rate.millibitsPerSecond() - mean, 2))
            .average()
            .orElse(0);
    double limit = mean + rule.beta() * Math.sqrt(variance);
    SortedSet<String> lower = new TreeSet<>();
    if (variance > 0) {
      throughput.forEach(
          (flow, rate) -> {
            if (rate.millibitsPerSecond() < limit) {
              lower.add(flow);
            }
          });
    }
    if (lower.isEmpty()) {
      return new AutoValue_SubClasses(lower, DataRate.ZERO, share);
    }
    double reached =
        mean(throughput, rate -> rate < (rule.lowerMean() == LowerMean.F_LOWER ? limit : mean));
    double equal = (double) share.millibitsPerSecond() / throughput.size();
    // Above an equal share only where the class's share shrank since the measurement: then the
    // upper flows would pay for what the lower reached before.
    double each = Math.min(equal, rule.gamma() * reached + (1 - rule.gamma()) * equal);
    DataRate lowerRate = DataRate.ofMillibitsPerSecond((long) (each * lower.size()));
    return new AutoValue_SubClasses(
        Collections.unmodifiableSortedSet(lower), lowerRate, share.minusOrZero(lowerRate));
  }

  /** In millibits per second; 0 where there is none. */
  private static double mean(Map<String, DataRate> throughput, LongPredicate which) {
    return throughput.values().stream()
        .mapToLong(DataRate::millibitsPerSecond)
        .filter(which)
        .average()
        .orElse(0);
  }
}
