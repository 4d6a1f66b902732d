package org.paceline.allocator.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class MultipleChoiceKnapsackTest {
  @Property(tries = 3000, seed = "20")
  void isTheOptimumOfAFullIntegerDynamicProgram(@ForAll Random random) {
    List<Choices> groups = randomGroups(random);
    int least = groups.stream().mapToInt(g -> (int) (g.copies * g.weights[0])).sum();
    int capacity = least + random.nextInt(60);

    MultipleChoiceKnapsack.Result result = MultipleChoiceKnapsack.solve(groups, capacity, 0);

    assertThat(result.value).isEqualTo(dynamicProgram(groups, capacity));
    assertThat(result.bound).isEqualTo(result.value);
    assertThat(weightOf(groups, result.counts)).isLessThanOrEqualTo(capacity);
    assertThat(valueOf(groups, result.counts)).isEqualTo(result.value);
    for (int g = 0; g < groups.size(); g++) {
      assertThat(Arrays.stream(result.counts[g]).sum()).isEqualTo(groups.get(g).copies);
      assertThat(Arrays.stream(result.counts[g])).allMatch(count -> count >= 0);
    }
  }

  /** Few different numbers, so that ties and repeated use of the break item are frequent. */
  private static List<Choices> randomGroups(Random random) {
    List<Choices> groups = new ArrayList<>();
    int range = 1 + random.nextInt(12);
    for (int g = 1 + random.nextInt(4); g > 0; g--) {
      int items = 1 + random.nextInt(5);
      long[] weights = new long[items];
      long[] values = new long[items];
      for (int i = 0; i < items; i++) {
        weights[i] = (i == 0 ? 0 : weights[i - 1]) + 1 + random.nextInt(range);
        values[i] =
            (i == 0 ? 0 : values[i - 1])
                + (1 + random.nextInt(range)) * (random.nextBoolean() ? 1L : 1_000_000_007L);
      }
      groups.add(new Choices(weights, values, 1 + random.nextInt(6)));
    }
    return groups;
  }

  private static long dynamicProgram(List<Choices> groups, int capacity) {
    long[] best = new long[capacity + 1];
    for (Choices group : groups) {
      for (long copy = 0; copy < group.copies; copy++) {
        long[] next = new long[capacity + 1];
        Arrays.fill(next, Long.MIN_VALUE / 2);
        for (int room = 0; room <= capacity; room++) {
          for (int i = 0; i < group.size() && group.weights[i] <= room; i++) {
            next[room] =
                Math.max(next[room], best[room - (int) group.weights[i]] + group.values[i]);
          }
        }
        best = next;
      }
    }
    return best[capacity];
  }

  private static long weightOf(List<Choices> groups, long[][] counts) {
    return sum(groups, counts, true);
  }

  private static long valueOf(List<Choices> groups, long[][] counts) {
    return sum(groups, counts, false);
  }

  private static long sum(List<Choices> groups, long[][] counts, boolean weights) {
    long sum = 0;
    for (int g = 0; g < counts.length; g++) {
      for (int i = 0; i < counts[g].length; i++) {
        sum += counts[g][i] * (weights ? groups.get(g).weights[i] : groups.get(g).values[i]);
      }
    }
    return sum;
  }
}
