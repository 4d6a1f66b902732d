package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Sharing;

/**
 * Step 2 in one regime, as a multiple-choice knapsack of the steps at the floor or above.
 *
 * <p>Shared freely, a group is a crowd and each of its applications a copy. With the same utility
 * per type a group is all crowds of a function: one copy, whose weights and values count for all.
 */
final class KnapsackOfRegime {
  private final Regime regime;
  private final Sharing sharing;
  private final int[] groupOf;
  private final List<List<Integer>> crowdsOf = new ArrayList<>();
  private final List<int[]> stepsOf = new ArrayList<>();
  private final List<Choices> groups = new ArrayList<>();
  private final long priceBound;

  KnapsackOfRegime(Regime regime, long floor, Sharing sharing) {
    this.regime = regime;
    this.sharing = sharing;
    int crowds = regime.demands.size();
    this.groupOf = new int[crowds];
    Map<Object, List<Integer>> grouped = new LinkedHashMap<>();
    for (int c = 0; c < crowds; c++) {
      Object key =
          sharing == Sharing.FREE ? (Object) c : regime.demands.get(c).staircase().functionName();
      grouped.computeIfAbsent(key, k -> new ArrayList<>()).add(c);
    }
    for (List<Integer> members : grouped.values()) {
      members.forEach(c -> groupOf[c] = crowdsOf.size());
      crowdsOf.add(members);
      addGroup(staircase(members), floor, members);
    }
    this.priceBound = MultipleChoiceKnapsack.priceBound(groups, regime.limit);
  }

  /** All crowds of a group have the same staircase. */
  private Staircase staircase(List<Integer> crowds) {
    return regime.demands.get(crowds.get(0)).staircase();
  }

  private void addGroup(Staircase staircase, long floor, List<Integer> crowds) {
    long copies = crowds.stream().mapToLong(c -> regime.demands.get(c).count()).sum();
    long each = sharing == Sharing.FREE ? 1 : copies;
    int first = staircase.firstAtLeast(floor);
    int size = staircase.size() - first;
    int[] steps = new int[size];
    long[] weights = new long[size];
    long[] values = new long[size];
    for (int i = 0; i < size; i++) {
      steps[i] = first + i;
      weights[i] = Math.multiplyExact(each, staircase.rateMillibits(first + i));
      values[i] = Math.multiplyExact(each, staircase.utilityBillionths(first + i));
    }
    stepsOf.add(steps);
    groups.add(new Choices(weights, values, copies / each));
  }

  List<Choices> groups() {
    return groups;
  }

  int groupOf(int crowd) {
    return groupOf[crowd];
  }

  /** No choice in this regime has a greater sum. */
  long priceBound() {
    return priceBound;
  }

  MultipleChoiceKnapsack.Result solve(double targetGap) {
    return MultipleChoiceKnapsack.solve(groups, regime.limit, targetGap);
  }

  long[][] waterFill() {
    List<Choices> perApplication = new ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      Choices group = groups.get(g);
      Staircase staircase = staircase(crowdsOf.get(g));
      int[] steps = stepsOf.get(g);
      long[] utilities = new long[steps.length];
      for (int i = 0; i < steps.length; i++) {
        utilities[i] = staircase.utilityBillionths(steps[i]);
      }
      perApplication.add(new Choices(group.weights, utilities, group.copies));
    }
    return WaterFilling.solve(perApplication, regime.limit);
  }

  /** What a crowd gets of its group's choice. */
  Shares.Share share(int c, long[] chosen, long members, Path path) {
    Staircase staircase = staircase(crowdsOf.get(groupOf[c]));
    int[] steps = stepsOf.get(groupOf[c]);
    long[] counts = new long[staircase.size()];
    for (int item = 0; item < chosen.length; item++) {
      counts[steps[item]] = sharing == Sharing.FREE ? chosen[item] : chosen[item] * members;
    }
    return new Shares.Share(staircase, counts, path);
  }
}
