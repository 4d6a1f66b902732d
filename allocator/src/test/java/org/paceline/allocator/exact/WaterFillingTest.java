package org.paceline.allocator.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class WaterFillingTest {
  @Property(tries = 1000, seed = "20")
  void nobodyCouldRiseWithWhatIsLeftAndNobodyWasPassedByWithoutNeed(@ForAll Random random) {
    List<Choices> groups = randomGroups(random);
    long least = groups.stream().mapToLong(g -> g.copies * g.weights[0]).sum();
    long capacity = least + random.nextInt(60);

    long[][] counts = WaterFilling.solve(groups, capacity);

    long used = 0;
    for (int g = 0; g < counts.length; g++) {
      for (int i = 0; i < counts[g].length; i++) {
        used += counts[g][i] * groups.get(g).weights[i];
      }
    }
    assertThat(used).isLessThanOrEqualTo(capacity);
    for (int g = 0; g < counts.length; g++) {
      Choices group = groups.get(g);
      assertThat(java.util.Arrays.stream(counts[g]).sum()).isEqualTo(group.copies);
      for (int i = 0; i + 1 < counts[g].length; i++) {
        if (counts[g][i] > 0) {
          assertThat(group.weights[i + 1] - group.weights[i]).isGreaterThan(capacity - used);
        }
      }
    }
    assertThat(leastValue(groups, counts)).isEqualTo(greatestLeastValue(groups, capacity));
  }

  private static List<Choices> randomGroups(Random random) {
    List<Choices> groups = new ArrayList<>();
    for (int g = 1 + random.nextInt(4); g > 0; g--) {
      int items = 1 + random.nextInt(5);
      long[] weights = new long[items];
      long[] values = new long[items];
      for (int i = 0; i < items; i++) {
        weights[i] = (i == 0 ? 0 : weights[i - 1]) + 1 + random.nextInt(8);
        values[i] = (i == 0 ? 0 : values[i - 1]) + 1 + random.nextInt(4);
      }
      groups.add(new Choices(weights, values, 1 + random.nextInt(5)));
    }
    return groups;
  }

  private static long leastValue(List<Choices> groups, long[][] counts) {
    long least = Long.MAX_VALUE;
    for (int g = 0; g < counts.length; g++) {
      for (int i = 0; i < counts[g].length; i++) {
        least = counts[g][i] > 0 ? Math.min(least, groups.get(g).values[i]) : least;
      }
    }
    return least;
  }

  /** By trying every level from the highest down. */
  private static long greatestLeastValue(List<Choices> groups, long capacity) {
    for (long level = 100; ; level--) {
      long needed = 0;
      for (Choices group : groups) {
        int item = 0;
        while (item < group.size() && group.values[item] < level) {
          item++;
        }
        needed += item == group.size() ? capacity + 1 : group.copies * group.weights[item];
      }
      if (needed <= capacity) {
        return level;
      }
    }
  }
}
