package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.paceline.intents.unit.DataRate;

/**
 * What one resource can carry: the sum of a_f x_f over its flows is at most a bound, x_f in bit/s.
 * Of a wired link each a_f is 1 and the bound its capacity; of the air a_f is the seconds that one
 * bit takes, and the bound 1. Gkantsidis et al. 2009, section 3.2.1, a feasible set X_A.
 */
@AutoValue
public abstract class LinearConstraint {
  /** a_f by flow, above 0; flows that are missing do not use the resource. */
  public abstract Map<String, Double> costs();

  public abstract double bound();

  /**
   * @throws IllegalArgumentException if a cost or the bound is not above 0
   */
  public static LinearConstraint of(Map<String, Double> costs, double bound) {
    costs.forEach((flow, cost) -> checked("cost of the flow (" + flow + ")", cost));
    checked("bound", bound);
    return new AutoValue_LinearConstraint(Collections.unmodifiableMap(new TreeMap<>(costs)), bound);
  }

  /** A wired link. */
  public static LinearConstraint link(DataRate capacity, Collection<String> flows) {
    Map<String, Double> costs = new TreeMap<>();
    flows.forEach(flow -> costs.put(flow, 1.0));
    return of(costs, capacity.millibitsPerSecond() / 1e3);
  }

  private static void checked(String what, double value) {
    if (!(value > 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          "The " + what + " (" + value + ") must be a number above 0. Maybe leave it out.");
    }
  }

  /** The part of the bound that is used; flows of which nothing is said send nothing. */
  public double utilisation(Map<String, DataRate> rates) {
    return used(flow -> rates.getOrDefault(flow, DataRate.ZERO).millibitsPerSecond() / 1e3)
        / bound();
  }

  double used(ToDoubleFunction<String> bitsPerSecond) {
    double used = 0;
    for (Map.Entry<String, Double> cost : costs().entrySet()) {
      used += cost.getValue() * bitsPerSecond.applyAsDouble(cost.getKey());
    }
    return used;
  }
}
