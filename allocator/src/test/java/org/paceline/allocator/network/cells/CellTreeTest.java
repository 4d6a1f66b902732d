package org.paceline.allocator.network.cells;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.allocator.network.core.CoreSolver;

class CellTreeTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final long ONE = 1_000_000_000L;

  /** Three copies between two nodes with two links of 3; all have a rate of 1, or all one of 2. */
  private static CoreProblem twoLinks() {
    return CoreProblem.builder(new long[] {3, 3})
        .group(3, 0)
        .column(new int[] {0}, 1, ONE, 1)
        .column(new int[] {1}, 1, ONE, 1)
        .column(new int[] {0}, 2, 2 * ONE, 2)
        .column(new int[] {1}, 2, 2 * ONE, 2)
        .build();
  }

  private static CellTree solved(CoreSolver solver) {
    int[][] start = {{2, 1, 0, 0}};
    return new CellTree(twoLinks(), solver, start, 3 * ONE, message -> {}, LONG).run();
  }

  @Test
  void cellsThatOnlyHalvesOfCopiesHaveRoomForAreRuledOut() {
    CellTree tree = solved(new CpSatCore());
    assertThat(tree.top()).isGreaterThanOrEqualTo(6 * ONE);
    assertThat(tree.isClosed()).isTrue();
    assertThat(tree.bound()).isEqualTo(3 * ONE);
    assertThat(tree.count(0, 0) + tree.count(0, 1)).isEqualTo(3);
  }

  @Test
  void whatASearchGaveUpOnCountsTowardsTheBound() {
    CellTree tree =
        solved(
            new CoreSolver() {
              @Override
              public CoreResult attempt(CoreProblem core, Duration limit, double effort, int seed) {
                return CoreResult.unknown(core.bound());
              }

              @Override
              public double[] prices(CoreProblem core, Duration limit) {
                return new double[core.links()];
              }
            });
    assertThat(tree.isClosed()).isFalse();
    assertThat(tree.bound()).isEqualTo(6 * ONE);
  }

  /** A choice of 2 for one type and 1 for the other fits best; the greater gain has more copies. */
  @Test
  void typesShareALinkAsTheirSumIsBest() {
    CoreProblem problem =
        CoreProblem.builder(new long[] {7})
            .group(2, 0)
            .column(new int[] {0}, 1, ONE, 1)
            .column(new int[] {0}, 2, 2 * ONE, 2)
            .group(3, 1)
            .column(new int[] {0}, 1, ONE, 1)
            .column(new int[] {0}, 2, 2 * ONE, 2)
            .build();
    int[][] start = {{2, 0}, {3, 0}};
    CellTree tree =
        new CellTree(problem, new CpSatCore(), start, 5 * ONE, message -> {}, LONG).run();
    assertThat(tree.isClosed()).isTrue();
    assertThat(tree.bound()).isEqualTo(7 * ONE);
    assertThat(tree.count(0, 1)).isEqualTo(2);
    assertThat(tree.count(1, 0)).isEqualTo(3);
  }
}
