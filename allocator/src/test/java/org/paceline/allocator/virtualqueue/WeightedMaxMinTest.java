package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

/**
 * Flows that each take the least of their offers end at the weighted max-min allocation. In the air
 * a bit costs more for some than for others: there a flow takes part by its weight times its cost,
 * and what it is offered it divides by that.
 */
class WeightedMaxMinTest {
  private static final int NETWORKS = 3000;

  /** At most one in so many may go round and round. */
  private static final int RARE = 200;

  private static final int PERIODS = 300;
  private static final double HUNGRY_FROM = 0.98;
  private static final double MARGIN = 0.03;

  /** One that sends all that it may, up to what it wants. */
  private static final class Flow {
    final double weight;
    final double wants;
    final List<Integer> uses;
    final double[] costs;

    Flow(double weight, double wants, List<Integer> uses, double[] costs) {
      this.weight = weight;
      this.wants = wants;
      this.uses = uses;
      this.costs = costs;
    }

    double taking(int resource) {
      return weight * costs[resource];
    }
  }

  @Test
  void theOffersLeadToTheWeightedMaxMinAllocation() {
    assertThat(unsettled(false)).hasSizeLessThanOrEqualTo(NETWORKS / RARE);
  }

  @Test
  void theAirIsSharedByTheSameLoop() {
    assertThat(unsettled(true)).hasSizeLessThanOrEqualTo(NETWORKS / RARE);
  }

  /**
   * The networks, by their seeds, that do not end at the right rates. As all flows step at the same
   * moment, a few go round and round: one whose rate depends on two resources takes turns.
   */
  private static List<Long> unsettled(boolean air) {
    return LongStream.rangeClosed(1, NETWORKS)
        .filter(seed -> !isAsFilled(seed, air))
        .boxed()
        .collect(Collectors.toList());
  }

  private static boolean isAsFilled(long seed, boolean air) {
    Random random = new Random(seed);
    double[] capacities = random.doubles(1 + random.nextInt(3), 1e9, 1e10).toArray();
    List<Flow> flows = flows(random, capacities.length, air);
    double[] settled =
        Arrays.stream(capacities)
            .map(
                c ->
                    VirtualQueueSettings.STANDARD
                        .settled(Rates.ofMillibits(c))
                        .millibitsPerSecond())
            .toArray();
    double[] found = byTheLoop(capacities, flows);
    double[] right = byFilling(settled, flows);
    return IntStream.range(0, found.length)
        .allMatch(f -> Math.abs(found[f] / right[f] - 1) <= MARGIN);
  }

  /**
   * @param air whether the first resource is the air, with a cost of its own for each flow
   */
  private static List<Flow> flows(Random random, int resources, boolean air) {
    List<Flow> flows = new ArrayList<>();
    int many = 1 + random.nextInt(6);
    for (int f = 0; f < many; f++) {
      List<Integer> uses = new ArrayList<>();
      IntStream.range(0, resources).filter(r -> random.nextBoolean()).forEach(uses::add);
      if (uses.isEmpty()) {
        uses.add(random.nextInt(resources));
      }
      double wants = random.nextInt(3) == 0 ? 1e7 + random.nextDouble() * 1e9 : 1e12;
      double[] costs = new double[resources];
      Arrays.fill(costs, 1);
      costs[0] = air ? 1 + 4 * random.nextDouble() : 1;
      flows.add(new Flow(1 + random.nextInt(6), wants, uses, costs));
    }
    return flows;
  }

  private static double[] byTheLoop(double[] capacities, List<Flow> flows) {
    NominalShare[] shares =
        Arrays.stream(capacities)
            .mapToObj(c -> NominalShare.of(Rates.ofMillibits(c), VirtualQueueSettings.STANDARD))
            .toArray(NominalShare[]::new);
    double[] sent = new double[flows.size()];
    ResourceUse[][] uses = new ResourceUse[shares.length][flows.size()];
    for (ResourceUse[] row : uses) {
      Arrays.fill(row, ResourceUse.NONE);
    }
    for (int period = 0; period < PERIODS; period++) {
      ResourceUse[][] next = new ResourceUse[shares.length][flows.size()];
      for (ResourceUse[] row : next) {
        Arrays.fill(row, ResourceUse.NONE);
      }
      for (int f = 0; f < flows.size(); f++) {
        Flow flow = flows.get(f);
        double least = Double.POSITIVE_INFINITY;
        double[] offers = new double[shares.length];
        for (int r : flow.uses) {
          offers[r] =
              shares[r].offer(flow.weight, flow.costs[r], others(uses[r], f)).millibitsPerSecond();
          least = Math.min(least, offers[r]);
        }
        sent[f] = Math.min(flow.wants, least);
        for (int r : flow.uses) {
          DataRate rate = Rates.ofMillibits(sent[f]);
          ResourceUse use =
              offers[r] == least && sent[f] >= HUNGRY_FROM * least
                  ? ResourceUse.hungry(flow.weight, rate)
                  : ResourceUse.sated(flow.weight, rate);
          next[r][f] = use.times(flow.costs[r]);
        }
      }
      uses = next;
      for (int r = 0; r < shares.length; r++) {
        shares[r] = shares[r].after(others(uses[r], -1));
      }
    }
    return sent;
  }

  private static ResourceUse others(ResourceUse[] all, int but) {
    ResourceUse sum = ResourceUse.NONE;
    for (int f = 0; f < all.length; f++) {
      sum = f == but ? sum : sum.plus(all[f]);
    }
    return sum;
  }

  /** All levels rise together; who is satisfied, or has a full resource, rises no more. */
  private static double[] byFilling(double[] capacities, List<Flow> flows) {
    double[] rates = new double[flows.size()];
    double[] left = capacities.clone();
    boolean[] done = new boolean[flows.size()];
    for (int round = 0; round <= flows.size() + capacities.length; round++) {
      double rise = Double.POSITIVE_INFINITY;
      double[] weights = new double[left.length];
      for (int f = 0; f < rates.length; f++) {
        if (!done[f]) {
          rise = Math.min(rise, (flows.get(f).wants - rates[f]) / flows.get(f).weight);
          for (int r : flows.get(f).uses) {
            weights[r] += flows.get(f).taking(r);
          }
        }
      }
      for (int r = 0; r < left.length; r++) {
        rise = weights[r] > 0 ? Math.min(rise, left[r] / weights[r]) : rise;
      }
      for (int f = 0; f < rates.length && rise < Double.POSITIVE_INFINITY; f++) {
        if (!done[f]) {
          rates[f] += rise * flows.get(f).weight;
          for (int r : flows.get(f).uses) {
            left[r] -= rise * flows.get(f).taking(r);
          }
        }
      }
      for (int f = 0; f < rates.length; f++) {
        Flow flow = flows.get(f);
        done[f] |=
            rates[f] >= flow.wants * (1 - 1e-9)
                || flow.uses.stream().anyMatch(r -> left[r] <= capacities[r] * 1e-9);
      }
    }
    return rates;
  }
}
