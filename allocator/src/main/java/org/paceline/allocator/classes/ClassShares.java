package org.paceline.allocator.classes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.unit.DataRate;

/**
 * Divides a link among service classes so that the alpha-fair utility of all their flows is
 * greatest: X_s = n_s w_s^(1/alpha) / sum_s' n_s' w_s'^(1/alpha) C, so that shares of single flows
 * stand in the ratio (w_s / w_s')^(1/alpha). Linear in the classes. Aljoby et al. 2021, equations 3
 * and 4.
 */
public final class ClassShares {
  private ClassShares() {}

  /**
   * Each class's share, rounded down to a millibit per second so that the sum never exceeds the
   * capacity; a class without flows gets nothing.
   *
   * @param alpha above 0: 1 is proportional fairness, the greater the more alike
   * @throws IllegalArgumentException if alpha is not above 0 or two classes share a name
   */
  public static Map<String, DataRate> divide(
      DataRate capacity, double alpha, List<ServiceClass> classes) {
    requireAlpha(alpha);
    // Relative to the greatest weight, so that a small alpha overflows nothing.
    double greatest = classes.stream().mapToDouble(ServiceClass::weight).max().orElse(1);
    double total = 0;
    for (ServiceClass each : classes) {
      total += parts(each, greatest, alpha);
    }
    Map<String, DataRate> shares = new LinkedHashMap<>();
    long left = capacity.millibitsPerSecond();
    for (ServiceClass each : classes) {
      double part = total == 0 ? 0 : parts(each, greatest, alpha) / total;
      long share = Math.min(left, (long) (capacity.millibitsPerSecond() * part));
      left -= share;
      if (shares.put(each.name(), DataRate.ofMillibitsPerSecond(share)) != null) {
        throw new IllegalArgumentException(
            "Two service classes are called (" + each.name() + "). Maybe rename one.");
      }
    }
    return shares;
  }

  static void requireAlpha(double alpha) {
    if (!(alpha > 0 && alpha < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "The fairness exponent alpha (" + alpha + ") must be a number above 0. Maybe 1.");
    }
  }

  private static double parts(ServiceClass each, double greatest, double alpha) {
    return each.activeFlows() * Math.pow(each.weight() / greatest, 1 / alpha);
  }
}
