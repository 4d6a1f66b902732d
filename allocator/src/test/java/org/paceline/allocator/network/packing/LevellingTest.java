package org.paceline.allocator.network.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.network.GeneratedProblems;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.prices.Dealing;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.Utility;

final class LevellingTest {
  private static final Duration AMPLE = Duration.ofMinutes(5);

  private static Offers offers(Problem problem) {
    Demands demands = Demands.of(problem.applications());
    Ways ways = Ways.of(Topology.whenFull(problem.network()), demands, 4, 0, () -> false);
    return Offers.from(demands, ways, Utility.of(1).billionths());
  }

  private static double over(Allocation allocation) {
    double over = 0;
    for (int e = 0; e < allocation.links(); e++) {
      over += Math.max(0, allocation.over(e));
    }
    return over;
  }

  @Test
  void whatIsOverOnSomeLinksFindsRoomOnOthers() {
    Allocation allocation =
        Dealing.onFastest(offers(new GeneratedProblems(5).wan(30, 110, 6_000, 1_500)));
    for (int u = 0; u < allocation.units(); u++) {
      int way = allocation.path(u);
      allocation.put(u, way, allocation.profile(u, way).size() - 1);
    }
    double before = over(allocation);
    assertThat(before).as("all have the most that they can use").isPositive();
    new Levelling(allocation, new double[allocation.links()])
        .run(new Deadline(System.nanoTime() + AMPLE.toNanos()));
    assertThat(over(allocation)).isLessThan(before / 100);
  }

  /** Levelled, many copies of few groups have been seen to end far from the bound. */
  @Test
  void manyCopiesOfFewGroupsAreNotManyGroups() {
    Problem few = new GeneratedProblems(5).campus(20, 30_000, 1_500);
    assertThat(Demands.of(few.applications()).areMany()).isFalse();
  }
}
