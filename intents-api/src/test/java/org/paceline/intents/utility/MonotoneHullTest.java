package org.paceline.intents.utility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

class MonotoneHullTest {
  private static final int DELAYS = 3;

  private static UtilityFunction table(List<Integer> cells) {
    int rows = cells.size() / DELAYS;
    return UtilityFunction.of(
        "random",
        IntStream.range(0, rows)
            .mapToObj(t -> DataRate.ofKilobitsPerSecond(100L * (t + 1)))
            .collect(Collectors.toList()),
        IntStream.range(0, DELAYS).mapToObj(d -> Latency.ofMillis(d)).collect(Collectors.toList()),
        IntStream.range(0, rows)
            .mapToObj(
                t ->
                    IntStream.range(0, DELAYS)
                        .mapToObj(d -> Utility.of(cells.get(t * DELAYS + d)))
                        .collect(Collectors.toList()))
            .collect(Collectors.toList()));
  }

  @Property(seed = "20")
  void theHullIsTheLeastMonotoneTableAbove(
      @ForAll @Size(12) List<@IntRange(min = 1, max = 5) Integer> cells) {
    UtilityFunction function = table(cells);
    UtilityFunction hull = MonotoneHull.of(function);

    assertThat(MonotoneHull.isMonotone(hull)).isTrue();
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < DELAYS; d++) {
        long reachable = 0;
        for (int less = 0; less <= t; less++) {
          for (int more = d; more < DELAYS; more++) {
            reachable = Math.max(reachable, function.utilityBillionths(less, more));
          }
        }
        assertThat(hull.utilityBillionths(t, d)).isEqualTo(reachable);
      }
    }
  }

  @Test
  void aTableOfTheWrongShapeIsRefusedWithItsPlace() {
    List<DataRate> rates = List.of(DataRate.ZERO, DataRate.ofBitsPerSecond(1));
    List<Latency> delays = List.of(Latency.ZERO);

    assertThatThrownBy(() -> UtilityFunction.of("f", rates, delays, List.of(List.of(Utility.MIN))))
        .hasMessageContaining("(f) has 1 rows but 2");
    assertThatThrownBy(
            () ->
                UtilityFunction.of(
                    "f",
                    rates,
                    delays,
                    List.of(List.of(Utility.MIN), List.of(Utility.MIN, Utility.MAX))))
        .hasMessageContaining("Row 1");
    assertThatThrownBy(
            () -> UtilityFunction.of("f", List.of(rates.get(1), rates.get(0)), delays, List.of()))
        .hasMessageContaining("throughput axis");
  }
}
