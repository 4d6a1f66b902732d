package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class WirelessCellTest {
  @Test
  void collisionsGrowWithTheTransmitters() {
    assertThat(WirelessCell.collisionProbability(1)).isZero();
    double before = 0;
    for (int many = 2; many <= 20; many++) {
      double now = WirelessCell.collisionProbability(many);
      assertThat(now).isGreaterThan(before).isLessThan(1);
      before = now;
    }
    assertThat(WirelessCell.collisionProbability(2)).isCloseTo(0.1218, within(1e-4));
  }

  @Test
  void aFrameAloneTakesWhatTheTablesSay() {
    WirelessCell cell = WirelessCell.of(WirelessAccess.BASIC, List.of(up("a", 54)));

    // DIFS, half a window, a frame of 57 symbols, SIFS, an acknowledgement of two symbols at 24
    // Mbit/s; each frame with preamble and extension.
    assertThat(cell.secondsPerFrame("a"))
        .isCloseTo((28 + 67.5 + (26 + 57 * 4) + 10 + (26 + 8)) * 1e-6, within(1e-12));
  }

  @Test
  void askingFirstCostsAnRtsACtsAndTwoGaps() {
    double basic = alone(WirelessAccess.BASIC, 54);
    double asking = alone(WirelessAccess.RTS_CTS, 54);

    assertThat(asking - basic).isCloseTo((26 + 8 + 10 + 26 + 8 + 10) * 1e-6, within(1e-12));
  }

  private static double alone(WirelessAccess access, int mbps) {
    return WirelessCell.of(access, List.of(up("a", mbps))).secondsPerFrame("a");
  }

  @Test
  void askingFirstPaysWhereManyContendWithLongFrames() {
    List<WirelessLink> many = new ArrayList<>();
    for (int host = 0; host < 10; host++) {
      many.add(up("h" + host, 6));
    }

    assertThat(WirelessCell.of(WirelessAccess.RTS_CTS, many).secondsPerFrame("h0"))
        .isLessThan(WirelessCell.of(WirelessAccess.BASIC, many).secondsPerFrame("h0"));
  }

  @Test
  void aSlowHostTakesTheAirFromAll() {
    WirelessCell cell =
        WirelessCell.of(WirelessAccess.BASIC, List.of(up("near", 54), up("far", 6)));
    Map<String, List<String>> flows = Map.of("near", List.of("near"), "far", List.of("far"));

    Map<String, DataRate> equal = weighted(cell.region(flows), 1);
    Map<String, DataRate> nearFirst = weighted(cell.region(flows), 3);

    assertThat(equal.get("near")).isEqualTo(equal.get("far"));
    assertThat(sum(nearFirst)).isGreaterThan(sum(equal) * 1.2);
  }

  private static Map<String, DataRate> weighted(List<LinearConstraint> region, double near) {
    return LinearFilling.fill(
        region,
        List.of(
            LinearFilling.Flow.of("near", near, DataRate.MAX),
            LinearFilling.Flow.of("far", 1, DataRate.MAX)));
  }

  private static double sum(Map<String, DataRate> rates) {
    return rates.values().stream().mapToDouble(DataRate::millibitsPerSecond).sum();
  }

  @Test
  void aFlowFromHostToHostPaysForBothOfItsLinks() {
    WirelessCell cell =
        WirelessCell.of(
            WirelessAccess.BASIC,
            List.of(up("a", 54), WirelessLink.of("down", "access point", 1500, mbps(54))));

    LinearConstraint air = cell.region(Map.of("f", List.of("a", "down"))).get(0);

    assertThat(air.costs().get("f"))
        .isCloseTo(
            (cell.secondsPerFrame("a") + cell.secondsPerFrame("down")) / 12_000, within(1e-15));
  }

  @Test
  void besideAnInterferingHostTheBorderHasACornerWhereBothSendAlike() {
    WirelessCell cell =
        WirelessCell.of(
            WirelessAccess.BASIC, List.of(up("one", 54), up("two", 12), up("stranger", 54)));
    Map<String, List<String>> flows = Map.of("one", List.of("one"), "two", List.of("two"));

    List<LinearConstraint> region = cell.region(flows, Set.of("stranger"));

    assertThat(region).hasSize(2);
    // Point A of figure 10: as many frames each, the stranger's included.
    double each =
        12_000 / Stream.of("one", "two", "stranger").mapToDouble(cell::secondsPerFrame).sum();
    Map<String, DataRate> alike = Map.of("one", bits(each), "two", bits(each));
    assertThat(region).allMatch(part -> Math.abs(part.utilisation(alike) - 1) < 1e-6);
    // Point B: where one is silent, the stranger sends as much as the other.
    double two = 12_000 / Stream.of("two", "stranger").mapToDouble(cell::secondsPerFrame).sum();
    Map<String, DataRate> silent = Map.of("two", bits(two));
    assertThat(region.stream().mapToDouble(part -> part.utilisation(silent)).max().orElseThrow())
        .isCloseTo(1, within(1e-6));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WirelessLink.of("a", "a", 0, mbps(54)))
        .withMessageContaining("payload");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> up("a", 2))
        .withMessageContaining("802.11b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WirelessCell.of(WirelessAccess.BASIC, List.of()));
    WirelessCell cell = WirelessCell.of(WirelessAccess.BASIC, List.of(up("a", 54)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cell.secondsPerFrame("b"))
        .withMessageContaining("(b)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cell.region(Map.of(), Set.of("stranger")))
        .withMessageContaining("stranger");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WirelessCell.of(WirelessAccess.BASIC, List.of(up("a", 54), up("a", 54))));
  }

  private static WirelessLink up(String host, int mbps) {
    return WirelessLink.of(host, host, 1500, mbps(mbps));
  }

  private static DataRate mbps(long mbps) {
    return DataRate.ofKilobitsPerSecond(mbps * 1000);
  }

  private static DataRate bits(double bitsPerSecond) {
    return DataRate.ofMillibitsPerSecond((long) (bitsPerSecond * 1e3));
  }
}
