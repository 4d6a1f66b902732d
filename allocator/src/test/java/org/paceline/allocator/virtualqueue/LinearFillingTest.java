package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class LinearFillingTest {
  private static final double EXACT = 1e-6;
  private static final int RIVALS = 300;

  @Test
  void aWiredLinkIsSharedByWeights() {
    Map<String, DataRate> rates =
        LinearFilling.fill(
            List.of(LinearConstraint.link(mbps(30), List.of("a", "b", "c"))),
            List.of(flow("a", 1), flow("b", 2), LinearFilling.Flow.of("c", 3, mbps(3))));

    assertThat(rates).containsOnly(Map.entry("a", mbps(9)), Map.entry("b", mbps(18)), c(3));
  }

  @Test
  void whoPaysMoreForABitGetsAsManyAsAllOthers() {
    LinearConstraint air = LinearConstraint.of(Map.of("near", 1e-7, "far", 4e-7), 1);

    Map<String, DataRate> rates =
        LinearFilling.fill(List.of(air), List.of(flow("near", 1), flow("far", 1)));

    assertThat(rates.get("near")).isEqualTo(rates.get("far"));
    assertThat(air.utilisation(rates)).isCloseTo(1, within(EXACT));
  }

  @Test
  void whatAnUplinkHoldsBackIsLeftToOthersInTheAir() {
    LinearConstraint air = LinearConstraint.of(Map.of("out", 1e-7, "within", 1e-7), 1);
    LinearConstraint uplink = LinearConstraint.link(mbps(1), List.of("out"));

    Map<String, DataRate> rates =
        LinearFilling.fill(List.of(air, uplink), List.of(flow("out", 5), flow("within", 1)));

    assertThat(rates.get("out")).isEqualTo(mbps(1));
    assertThat(rates.getOrDefault("within", DataRate.ZERO).millibitsPerSecond() / 1e9)
        .isCloseTo(9, within(EXACT));
  }

  @Test
  void whoeverUsesNothingThatIsSharedHasWhatItCanUse() {
    assertThat(LinearFilling.fill(List.of(), List.of(LinearFilling.Flow.of("c", 1, mbps(3)))))
        .containsOnly(c(3));
  }

  @Property(tries = 300, seed = "20")
  void itIsWhatSearchingForTheHighestLevelsFinds(@ForAll long seed) {
    Instance instance = new Instance(new Random(seed));

    Map<String, DataRate> found = LinearFilling.fill(instance.constraints, instance.flows);

    Map<String, Double> right = bySearch(instance);
    found.forEach(
        (flow, rate) ->
            assertThat(rate.millibitsPerSecond() / 1e3)
                .as(flow)
                .isCloseTo(
                    right.getOrDefault(flow, 0.0),
                    within(1 + EXACT * right.getOrDefault(flow, 0.0))));
  }

  @Property(tries = 300, seed = "20")
  void nobodyWhoStaysWithinTheConstraintsGivesTheWorstOffMore(@ForAll long seed) {
    Random random = new Random(seed);
    Instance instance = new Instance(random);
    Map<String, DataRate> found = LinearFilling.fill(instance.constraints, instance.flows);
    assertThat(instance.fits(bits(found), 1 + EXACT)).isTrue();
    double[] ours = instance.levels(bits(found));

    for (int rival = 0; rival < RIVALS; rival++) {
      Map<String, Double> other = bits(found);
      // Some far off, some close by.
      double reach = Math.pow(10, -4 * random.nextDouble());
      other.replaceAll((flow, rate) -> rate * (1 + reach * (2 * random.nextDouble() - 1)));
      if (instance.fits(other, 1)) {
        assertThat(isBetter(instance.levels(other), ours))
            .as("%s beside %s", other, found)
            .isFalse();
      }
    }
  }

  /** Whether the first level that differs is greater, by more than rounding can do. */
  private static boolean isBetter(double[] theirs, double[] ours) {
    for (int level = 0; level < ours.length; level++) {
      if (theirs[level] < ours[level] * (1 - 1e-9)) {
        return false;
      }
      if (theirs[level] > ours[level] * (1 + 1e-5)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> flow("a", 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinearFilling.fill(List.of(), List.of(flow("a", 1), flow("a", 2))))
        .withMessageContaining("twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinearConstraint.of(Map.of("a", 0.0), 1))
        .withMessageContaining("(a)");
    assertThatIllegalArgumentException().isThrownBy(() -> LinearConstraint.of(Map.of(), 0));
  }

  /** Flows with or without an end to what they can use, each in some of a few constraints. */
  private static final class Instance {
    final List<LinearFilling.Flow> flows = new ArrayList<>();
    final List<LinearConstraint> constraints = new ArrayList<>();

    Instance(Random random) {
      int many = 1 + random.nextInt(6);
      List<Map<String, Double>> costs = new ArrayList<>();
      for (int c = 0; c <= random.nextInt(4); c++) {
        costs.add(new TreeMap<>());
      }
      for (int f = 0; f < many; f++) {
        String id = "f" + f;
        DataRate most = random.nextBoolean() ? DataRate.MAX : mbps(1 + random.nextInt(20));
        flows.add(LinearFilling.Flow.of(id, 1 + random.nextInt(6), most));
        // At least one, or there would be no end.
        costs.get(random.nextInt(costs.size())).put(id, cost(random));
        costs.stream().filter(c -> random.nextBoolean()).forEach(c -> c.put(id, cost(random)));
      }
      costs.forEach(c -> constraints.add(LinearConstraint.of(c, 0.5 + random.nextDouble())));
    }

    private static double cost(Random random) {
      return 1e-7 * (0.1 + random.nextDouble());
    }

    boolean fits(Map<String, Double> rates, double tolerance) {
      return flows.stream()
              .allMatch(
                  f ->
                      rates.getOrDefault(f.id(), 0.0)
                          <= f.most().millibitsPerSecond() / 1e3 * tolerance)
          && constraints.stream()
              .allMatch(
                  c -> c.used(flow -> rates.getOrDefault(flow, 0.0)) <= c.bound() * tolerance);
    }

    /** What weight 1 would have, least first. */
    double[] levels(Map<String, Double> rates) {
      return flows.stream()
          .mapToDouble(f -> rates.getOrDefault(f.id(), 0.0) / f.weight())
          .sorted()
          .toArray();
    }
  }

  /**
   * By nothing but the question whether rates fit: the highest level that all can have, then for
   * those who can have more, and so on.
   */
  private static Map<String, Double> bySearch(Instance instance) {
    Map<String, Double> settled = new TreeMap<>();
    while (settled.size() < instance.flows.size()) {
      double low = 0;
      double high = 1e9;
      for (int halving = 0; halving < 100; halving++) {
        double middle = (low + high) / 2;
        if (instance.fits(at(instance, settled, middle), 1)) {
          low = middle;
        } else {
          high = middle;
        }
      }
      Map<String, Double> reached = at(instance, settled, low);
      for (LinearFilling.Flow flow : instance.flows) {
        Map<String, Double> more = new TreeMap<>(reached);
        more.computeIfPresent(flow.id(), (id, rate) -> rate * (1 + 1e-9) + 1e-3);
        if (!instance.fits(more, 1)) {
          settled.putIfAbsent(flow.id(), reached.get(flow.id()));
        }
      }
    }
    return settled;
  }

  /** Those who can use no more stay at that. */
  private static Map<String, Double> at(
      Instance instance, Map<String, Double> settled, double level) {
    Map<String, Double> rates = new TreeMap<>();
    for (LinearFilling.Flow flow : instance.flows) {
      double most = flow.most().millibitsPerSecond() / 1e3;
      rates.put(flow.id(), settled.getOrDefault(flow.id(), Math.min(most, level * flow.weight())));
    }
    return rates;
  }

  private static Map<String, Double> bits(Map<String, DataRate> rates) {
    Map<String, Double> bits = new TreeMap<>();
    rates.forEach((flow, rate) -> bits.put(flow, rate.millibitsPerSecond() / 1e3));
    return bits;
  }

  private static LinearFilling.Flow flow(String id, double weight) {
    return LinearFilling.Flow.of(id, weight, DataRate.MAX);
  }

  private static DataRate mbps(long mbps) {
    return DataRate.ofKilobitsPerSecond(mbps * 1000);
  }

  private static Map.Entry<String, DataRate> c(long mbps) {
    return Map.entry("c", mbps(mbps));
  }
}
