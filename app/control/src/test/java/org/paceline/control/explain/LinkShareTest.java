package org.paceline.control.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

final class LinkShareTest {
  @Test
  void aLinkBindsByWhatItIsWorthNotByWhatASolverLeavesOnLinksWithRoom() {
    assertThat(share(28_500, 8e-10).isBinding()).isFalse();
    assertThat(share(9_500_000, 7.4e-10).isBinding()).isFalse();
    assertThat(share(2_850, 0.05).isBinding()).isTrue();
    assertThat(share(9_500_000, 1e-4).isBinding()).isTrue();
  }

  private static LinkShare share(long kbps, double pricePerMbit) {
    DataRate capacity = DataRate.ofKilobitsPerSecond(kbps);
    return LinkShare.of(LinkId.of("s1", "s2"), capacity, capacity, pricePerMbit);
  }
}
