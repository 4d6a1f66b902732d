package org.paceline.control.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

final class LinkShareTest {
  @Test
  void aLinkBindsByWhatItIsWorthNotByWhatASolverLeavesOnLinksWithRoom() {
    assertThat(share(28_500, 8e-10).isBinding()).isFalse();
    assertThat(share(9_500_000, 7.4e-10).isBinding()).isFalse();
    assertThat(share(2_850, 0.05).isBinding()).isTrue();
    assertThat(share(9_500_000, 1e-4).isBinding()).isTrue();
  }

  @Test
  void aLinkThatASchemeFillsIsBindingWithoutAPrice() {
    LinkShare part = by(SchemeName.SERVICE_CLASSES, 4_750, 0, true);
    assertThat(part.isBinding()).isTrue();
    assertThat(part.isWorthMore()).isFalse();
    assertThat(part.isFull()).isFalse();
    assertThat(by(SchemeName.SERVICE_CLASSES, 4_750, 0, false).isBinding()).isFalse();
  }

  @Test
  void aLinkIsFullByWhatIsGrantedAndByWhatThoseWithoutAGrantAreHeldTo() {
    assertThat(by(SchemeName.ADAPTIVE_RESERVATIONS, 9_500, 0, true).isFull()).isTrue();
    LinkShare withBestEffort = by(SchemeName.ADAPTIVE_RESERVATIONS, 4_000, 5_495, true);
    assertThat(withBestEffort.isFull()).isTrue();
    assertThat(withBestEffort.granted()).isEqualTo(DataRate.ofKilobitsPerSecond(4_000));
    assertThat(by(SchemeName.ADAPTIVE_RESERVATIONS, 4_000, 5_000, true).isFull()).isFalse();
  }

  @Test
  void elephantsFillNoLinkForTheyGiveWay() {
    assertThat(by(SchemeName.ELEPHANT_ISOLATION, 9_500, 0, false).isFull()).isFalse();
    assertThat(by(SchemeName.UTILITY_FAIR, 9_500, 0, false).isFull()).isTrue();
  }

  private static LinkShare by(SchemeName scheme, long kbps, long heldTo, boolean isFilled) {
    return LinkShare.of(
        LinkId.of("s1", "s2"),
        DataRate.ofKilobitsPerSecond(9_500),
        0,
        Map.of(scheme, DataRate.ofKilobitsPerSecond(kbps)),
        DataRate.ofKilobitsPerSecond(heldTo),
        isFilled ? Set.of(scheme) : Set.of());
  }

  private static LinkShare share(long kbps, double pricePerMbit) {
    DataRate capacity = DataRate.ofKilobitsPerSecond(kbps);
    return LinkShare.of(
        LinkId.of("s1", "s2"),
        capacity,
        pricePerMbit,
        Map.of(SchemeName.UTILITY_FAIR, capacity),
        DataRate.ZERO,
        Set.of());
  }
}
