package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.paceline.control.port.LinkRates;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What is measured on a link changes how much of it is granted and sent. */
final class AdaptedHeadroomTest {
  private static final LinkId LINK = LinkId.of("s1", "s2");

  private final Office office =
      new Office(
          PlannerSettings.DEFAULT.toBuilder()
              .usableLeastThousandths(930)
              .usableMostThousandths(990)
              .build());

  AdaptedHeadroomTest() {
    for (int i = 0; i < 12; i++) {
      office.open(Office.pooled(1 + i % 3, "m" + i, ""));
    }
    office.settle();
    reading(0);
    reading(0);
  }

  private void reading(long drops) {
    office.worker.pass(Duration.ofSeconds(5));
    office.carried.put(
        LINK, LinkRates.Reading.of(DataRate.ofKilobitsPerSecond(9_500), office.worker.instant()));
    office.dropped.merge(LINK, drops, Long::sum);
    office.planner.lookAtLinks();
  }

  /** In thousandths of the link, rounded up. */
  private long sent() {
    return -Math.floorDiv(-office.mostSent(), 10_000_000L);
  }

  @Test
  void aLinkThatDropsIsSentLessAsSoonAsItIsSeen() {
    assertThat(sent()).isBetween(940L, 960L);
    reading(3);
    office.settle();
    assertThat(sent()).as("granted and borrowed").isBetween(910L, 940L);
    assertThat(office.planner.settings().usable(office.state.network()).link(LINK))
        .hasValueSatisfying(
            link -> assertThat(link.capacity()).isEqualTo(DataRate.ofKilobitsPerSecond(9_400)));
    reading(3);
    reading(3);
    office.settle();
    assertThat(sent()).as("no less than the operator's least").isBetween(900L, 930L);
  }

  @Test
  void noLinkIsOverloadedWhileItsHeadroomComesAndGoes() {
    for (int i = 0; i < 40; i++) {
      reading(i % 9 == 0 ? 1 : 0);
      assertThat(sent()).isLessThanOrEqualTo(960);
      office.settle();
      long most =
          office
              .planner
              .settings()
              .usable(office.state.network())
              .link(LINK)
              .orElseThrow()
              .limitMillibits();
      assertThat(office.mostSent()).isLessThanOrEqualTo(most);
    }
  }

  @Test
  void otherSettingsKeepWhatWasAdapted() {
    reading(3);
    office.epsilon(0);
    office.settle();
    assertThat(sent()).isLessThanOrEqualTo(940);
  }
}
