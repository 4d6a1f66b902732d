package org.paceline.cli.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class LearnedTableTest {
  private static final UtilityFunction CALLS =
      UtilityFunction.of(
          "calls",
          List.of(DataRate.ofKilobitsPerSecond(100), DataRate.ofKilobitsPerSecond(200)),
          List.of(Latency.ofMillis(10)),
          List.of(List.of(Utility.of(2.0)), List.of(Utility.of(4.0))));

  @Test
  void whatWasReportedStandsBesideThePromise() {
    LearnedTable learned =
        LearnedTable.of(
            CALLS,
            Instant.EPOCH,
            List.of(LearnedCell.of(0, 0, 4, 2.1, 0.1), LearnedCell.of(1, 0, 30, 3.0, 2.9)));
    assertThat(LearnedCommand.table(List.of(learned)).asText())
        .containsPattern("calls +100 kbit/s +10.0 ms +2.00 +2.10 +4 +too few +2.0")
        .containsPattern("calls +200 kbit/s +10.0 ms +4.00 +3.00 \\+-0.13 +30 +away +3.25")
        .endsWith("1 of 1 functions promise something else than is reported.");
  }

  @Test
  void withoutReportsItSaysWhatIsMissing() {
    assertThat(LearnedCommand.table(List.of()).asText()).contains("that has a KPI model");
  }
}
