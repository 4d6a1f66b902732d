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

final class PackingTest {
  private static final Duration AMPLE = Duration.ofMinutes(5);

  /** As where time is over when what was dealt has just been made to fit. */
  @Test
  void whatIsSaidToFitFitsThoughThereWasNoTimeForARound() {
    Problem problem = new GeneratedProblems(5).campus(20, 200, 1_500);
    Demands demands = Demands.of(problem.applications());
    Ways ways = Ways.of(Topology.whenFull(problem.network()), demands, 4, 0, () -> false);
    Offers offers = Offers.from(demands, ways, Utility.of(1).billionths());
    Allocation allocation = Dealing.onFastest(offers);
    for (int u = 0; u < allocation.units(); u++) {
      int way = allocation.path(u);
      allocation.put(u, way, allocation.profile(u, way).size() - 1);
    }
    assertThat(allocation.fits()).as("all have the most that they can use").isFalse();
    Packing packing = new Packing(allocation, new double[allocation.links()]);
    Deadline stop = new Deadline(System.nanoTime() + AMPLE.toNanos());
    assertThat(packing.run(0, 1, Long.MAX_VALUE, stop)).isTrue();
    assertThat(allocation.fits()).isTrue();
  }
}
