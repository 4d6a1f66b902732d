package org.paceline.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.paceline.bench.workload.SimulatedCell.Kind;

/**
 * The model of wireless cells, held to what ns-3 has said ({@code tools/paceline bench wireless}).
 */
class SimulatedCellTest {
  private static final double CLOSE = 0.1;
  private static final EnumSet<Kind> NOT_ALL_SATURATED =
      EnumSet.of(Kind.LIMITED, Kind.INTERFERENCE);

  @Test
  void ofAllCellsTheModelIsWithinATenthInNineteenOfTwenty() throws IOException {
    List<SimulatedCell> cells = SimulatedCell.kept();

    assertThat(cells.stream().filter(cell -> Math.abs(cell.error()) <= CLOSE))
        .hasSizeGreaterThanOrEqualTo((cells.size() * 19 + 19) / 20);
  }

  @Test
  void whereAllHostsAreSaturatedItIsWithinATenthInEach() throws IOException {
    List<SimulatedCell> saturated =
        SimulatedCell.kept().stream()
            .filter(cell -> !NOT_ALL_SATURATED.contains(cell.kind()))
            .toList();

    assertThat(saturated).allSatisfy(cell -> assertThat(Math.abs(cell.error())).isLessThan(CLOSE));
  }

  @Test
  void theCellsHaveOneToTenHostsOfEachKindWithAndWithoutRts() throws IOException {
    List<SimulatedCell> cells = SimulatedCell.kept();

    for (boolean rts : new boolean[] {false, true}) {
      List<SimulatedCell> some = cells.stream().filter(cell -> cell.rts() == rts).toList();
      assertThat(some.stream().map(SimulatedCell::kind).collect(Collectors.toSet()))
          .containsExactlyInAnyOrder(Kind.values());
      assertThat(
              some.stream()
                  .filter(cell -> cell.kind() == Kind.EQUAL)
                  .map(cell -> cell.flows().size())
                  .collect(Collectors.toSet()))
          .containsAll(IntStream.rangeClosed(1, 10).boxed().toList());
    }
  }

  @Test
  void thePrintedEquationsAreFartherOff() throws IOException {
    List<SimulatedCell> saturated =
        SimulatedCell.kept().stream()
            .filter(cell -> !NOT_ALL_SATURATED.contains(cell.kind()))
            .toList();

    long ours = saturated.stream().filter(cell -> Math.abs(cell.error()) > CLOSE).count();
    long printed =
        saturated.stream().filter(cell -> Math.abs(PrintedAirtime.error(cell)) > CLOSE).count();

    assertThat(printed).isGreaterThan(ours);
  }

  @Test
  void whatIsAskedOfTheSimulatorIsReadBackAsItWas() throws IOException {
    for (SimulatedCell cell : SimulatedCell.kept()) {
      String lines = SimulatedCell.COLUMNS + "\n" + cell.lines();
      SimulatedCell asked = SimulatedCell.read(new StringReader(lines)).get(0);
      assertThat(asked.lines()).isEqualTo(cell.lines());
      assertThat(asked.name()).isEqualTo(cell.name());
    }
  }

  @Test
  void otherColumnsAreRefused() {
    assertThatThrownBy(() -> SimulatedCell.read(new StringReader("cell,hosts\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cell,hosts");
  }
}
