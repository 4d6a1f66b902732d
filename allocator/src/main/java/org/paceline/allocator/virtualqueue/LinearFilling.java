package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.intents.unit.DataRate;

/**
 * The weighted max-min fair rates within linear constraints: what the loops of hosts come to, for
 * whoever sees all of them at once. All rates rise together, each in proportion to its weight,
 * until a constraint is full or a flow has the most that it can use; Gkantsidis et al. 2009,
 * section 3.2.1, Bertsekas and Gallager, Data Networks (1992), 6.5.2.
 *
 * <p>The level t is the rate of weight 1. A constraint is full at t = (bound - what settled flows
 * use) / (sum of a_f w_f that still grow). Whoever settled did so at or below t, so no level falls,
 * and the lowest is final. O(n (n + m)) for n flows and m costs in all constraints.
 */
public final class LinearFilling {
  private final Collection<LinearConstraint> constraints;
  private final Map<String, Double> rates = new HashMap<>();
  private final Map<String, Double> growing = new TreeMap<>();

  private LinearFilling(Collection<LinearConstraint> constraints) {
    this.constraints = constraints;
  }

  /** A flow that takes part. */
  @AutoValue
  public abstract static class Flow {
    public abstract String id();

    public abstract double weight();

    /** What it can use. */
    public abstract DataRate most();

    /**
     * @throws IllegalArgumentException if the weight is no number above 0
     */
    public static Flow of(String id, double weight, DataRate most) {
      if (!(weight > 0 && Double.isFinite(weight))) {
        throw new IllegalArgumentException(
            "The weight (" + weight + ") of the flow (" + id + ") must be above 0. Maybe 1.");
      }
      return new AutoValue_LinearFilling_Flow(id, weight, most);
    }

    private double mostAt() {
      return most().millibitsPerSecond() / 1e3 / weight();
    }
  }

  /**
   * @param flows each with an id of its own
   * @return the rate of each flow, rounded down; of one in no constraint the most that it can use
   */
  public static Map<String, DataRate> fill(
      Collection<LinearConstraint> constraints, List<Flow> flows) {
    LinearFilling filling = new LinearFilling(constraints);
    for (Flow flow : flows) {
      if (filling.growing.put(flow.id(), flow.weight()) != null) {
        throw new IllegalArgumentException(
            "The flow (" + flow.id() + ") is there twice. Maybe it is another one.");
      }
    }
    while (!filling.growing.isEmpty()) {
      filling.settle(flows);
    }
    Map<String, DataRate> rates = new TreeMap<>();
    filling.rates.forEach((flow, rate) -> rates.put(flow, Rates.ofMillibits(rate * 1e3)));
    return rates;
  }

  /** At least one flow has its rate. */
  private void settle(List<Flow> flows) {
    double level = Double.POSITIVE_INFINITY;
    for (LinearConstraint constraint : constraints) {
      level = Math.min(level, fullAt(constraint));
    }
    for (Flow flow : flows) {
      if (growing.containsKey(flow.id())) {
        level = Math.min(level, flow.mostAt());
      }
    }
    Set<String> done = new HashSet<>();
    for (LinearConstraint constraint : constraints) {
      if (fullAt(constraint) <= level) {
        done.addAll(constraint.costs().keySet());
      }
    }
    for (Flow flow : flows) {
      boolean satisfied = flow.mostAt() <= level;
      if (growing.containsKey(flow.id()) && (satisfied || done.contains(flow.id()))) {
        double most = flow.most().millibitsPerSecond() / 1e3;
        rates.put(flow.id(), satisfied ? most : Math.min(most, flow.weight() * level));
        growing.remove(flow.id());
      }
    }
  }

  /** Infinite where nobody grows any more. */
  private double fullAt(LinearConstraint constraint) {
    double growth = constraint.used(flow -> growing.getOrDefault(flow, 0.0));
    double used = constraint.used(flow -> rates.getOrDefault(flow, 0.0));
    // Below zero by what a double rounds, at most.
    return growth == 0 ? Double.POSITIVE_INFINITY : Math.max(0, constraint.bound() - used) / growth;
  }
}
