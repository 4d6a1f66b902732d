package org.paceline.allocator.network.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.prices.Dealing;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class RepairTest {
  private static final UtilityFunction ONE_OR_TWO =
      UtilityFunction.of(
          "one-or-two",
          List.of(DataRate.ofKilobitsPerSecond(1_000), DataRate.ofKilobitsPerSecond(2_000)),
          List.of(Latency.ofMillis(100)),
          List.of(List.of(Utility.of(3)), List.of(Utility.of(4))));

  private static Link link(String from, String to, long kbps) {
    return Link.of(
        from, to, DataRate.ofKilobitsPerSecond(kbps), LinkDelay.constant(Latency.ofMillis(1)));
  }

  /**
   * Two share a link for one of them, and the way round it is full of one that can do with less.
   */
  @Test
  void whoeverFindsNoRoomAnywhereGoesWhereOthersCanGiveWay() {
    Problem problem =
        Problem.of(
            "detour",
            Network.of(
                List.of("a", "b", "c"),
                List.of(link("a", "b", 1_000), link("a", "c", 2_000), link("c", "b", 2_000))),
            List.of(
                Application.of("x", "a", "b", ONE_OR_TWO),
                Application.of("y", "a", "b", ONE_OR_TWO),
                Application.of("z", "a", "c", ONE_OR_TWO)),
            0,
            Sharing.FREE);
    Demands demands = Demands.of(problem.applications());
    Ways ways = Ways.of(Topology.whenFull(problem.network()), demands, 4, 4, () -> false);
    Offers offers = Offers.from(demands, ways, Utility.of(3).billionths());
    Allocation allocation = Dealing.onFastest(offers);
    int way = allocation.path(2);
    allocation.take(2);
    allocation.put(2, way, 1);
    assertThat(allocation.fits()).isFalse();
    assertThat(new Repair(allocation, new double[] {1e-3, 1e-3, 1e-3}).run(() -> false)).isTrue();
    assertThat(allocation.sum()).isEqualTo(3 * Utility.of(3).billionths());
  }
}
