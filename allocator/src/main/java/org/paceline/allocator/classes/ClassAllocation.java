package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.allocator.maxmin.FlowRates;
import org.paceline.allocator.maxmin.WeightedFilling;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * Service classes on a network of any shape: what DiffPerf (Aljoby et al. 2021) does for one
 * bottleneck, at the bottleneck of each flow.
 *
 * <ol>
 *   <li>Every flow has the weight w_s^(1/alpha), and rates are weighted max-min fair ({@link
 *       WeightedFilling}). This gives each flow its bottleneck and its equal share there, X_s/n_s.
 *   <li>The flows of one class with one bottleneck are split into sub-classes ({@link FlowGroup}).
 *       What a sub-class has above or below equal shares becomes a factor of its flows' weights;
 *       the factors of a class are 1 on the average, so that X_s stays with the class.
 *   <li>Rates are filled again with these weights. On one link they are those of the sub-classes.
 * </ol>
 *
 * <p>As much work as two fillings, and O(n log n) for the sub-classes of n flows.
 */
@AutoValue
public abstract class ClassAllocation {
  /**
   * So much more than another a flow can have at the most by its weight: a small alpha would
   * otherwise leave the lighter classes nothing at all.
   */
  public static final double GREATEST_RATIO = 1_000;

  /**
   * A flow is taken to reach this part of an equal share at least. One that is silent for a while
   * would otherwise be given nothing at gamma = 1, and could never show that it wants more.
   */
  static final double LEAST_REACHED = 0.05;

  public abstract FlowRates rates();

  /** By flow its place among the sub-classes of its class, such as L or HL; empty: no split. */
  public abstract Map<String, String> places();

  /**
   * @param limits what each link carries, in millibits per second
   * @param flows in any order; it makes no difference
   * @param alpha above 0: 1 is proportional fairness, the greater the more alike
   * @throws IllegalArgumentException if alpha is not above 0 or two flows share an id
   */
  public static ClassAllocation of(
      Map<LinkId, Long> limits, List<SharedFlow> flows, double alpha, SplitRule rule) {
    List<SharedFlow> ordered = new ArrayList<>(flows);
    ordered.sort(Comparator.comparing(SharedFlow::id));
    Map<String, Double> weights = weights(ordered, alpha);
    FlowRates equal = WeightedFilling.fill(limits, weighing(ordered, weights));
    Map<String, String> places = new TreeMap<>();
    boolean isSplit = false;
    for (Map<String, DataRate> alike : alike(ordered, equal).values()) {
      long share = sum(alike.keySet(), equal);
      List<FlowGroup> groups = FlowGroup.of(DataRate.ofMillibitsPerSecond(share), alike, rule);
      isSplit |= groups.size() > 1;
      for (FlowGroup group : groups) {
        double factor = share == 0 ? 1 : group.each() * alike.size() / share;
        for (String flow : group.throughput().keySet()) {
          places.put(flow, group.place());
          weights.computeIfPresent(flow, (id, weight) -> weight * factor);
        }
      }
    }
    return new AutoValue_ClassAllocation(
        isSplit ? WeightedFilling.fill(limits, weighing(ordered, weights)) : equal,
        Collections.unmodifiableMap(places));
  }

  private static Map<String, Double> weights(List<SharedFlow> flows, double alpha) {
    ClassShares.requireAlpha(alpha);
    double greatest = flows.stream().mapToDouble(flow -> flow.flow().weight()).max().orElse(1);
    Map<String, Double> weights = new HashMap<>();
    for (SharedFlow flow : flows) {
      double weight =
          Math.max(1 / GREATEST_RATIO, Math.pow(flow.flow().weight() / greatest, 1 / alpha));
      if (weights.put(flow.id(), weight) != null) {
        throw new IllegalArgumentException(
            "Two flows are called (" + flow.id() + "). Maybe rename one.");
      }
    }
    return weights;
  }

  private static List<WeightedFlow> weighing(List<SharedFlow> flows, Map<String, Double> weights) {
    return flows.stream()
        .map(flow -> flow.flow().weighing(Objects.requireNonNull(weights.get(flow.id()))))
        .collect(Collectors.toUnmodifiableList());
  }

  /** The flows of one class with one bottleneck, with what each reaches. */
  private static Map<String, Map<String, DataRate>> alike(List<SharedFlow> flows, FlowRates equal) {
    Map<String, Map<String, DataRate>> alike = new TreeMap<>();
    for (SharedFlow flow : flows) {
      Optional.ofNullable(equal.bottlenecks().get(flow.id()))
          .ifPresent(
              link ->
                  alike
                      .computeIfAbsent(link + " " + flow.serviceClass(), key -> new TreeMap<>())
                      .put(flow.id(), reached(flow, rate(flow.id(), equal))));
    }
    return alike;
  }

  /** Of whom nothing is known, it reaches what it is given. */
  private static DataRate reached(SharedFlow flow, DataRate equal) {
    DataRate least =
        DataRate.ofMillibitsPerSecond((long) (equal.millibitsPerSecond() * LEAST_REACHED));
    DataRate known = flow.throughput().orElse(equal);
    return known.compareTo(least) < 0 ? least : known;
  }

  private static long sum(Set<String> flows, FlowRates rates) {
    return flows.stream().mapToLong(flow -> rate(flow, rates).millibitsPerSecond()).sum();
  }

  private static DataRate rate(String flow, FlowRates rates) {
    return Objects.requireNonNull(rates.rates().get(flow), flow);
  }
}
