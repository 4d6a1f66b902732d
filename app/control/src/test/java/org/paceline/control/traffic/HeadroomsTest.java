package org.paceline.control.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.TcpReading;
import org.paceline.control.port.LinkRates;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Two downloads over a link of 100 Mbit/s, whose switch is read every 5 s. */
final class HeadroomsTest {
  private static final LinkId LINK = LinkId.of("s1", "s2");
  private static final ConversationId ONE = ConversationId.of("h1", "one");
  private static final ConversationId OTHER = ConversationId.of("h1", "other");
  private static final PlannerSettings ADAPTED =
      PlannerSettings.DEFAULT.toBuilder()
          .usableLeastThousandths(900)
          .usableMostThousandths(990)
          .build();

  private final ManualWorker clock = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final Map<LinkId, LinkRates.Reading> readings = new HashMap<>();
  private final Map<LinkId, Long> dropped = new HashMap<>();
  private final CountedPorts ports = new CountedPorts();
  private final Headrooms headrooms = new Headrooms(new Counters(), ports, book, clock);
  private final Network network =
      Network.of(
          List.of("h1", "s1", "s2", "h2"),
          List.of(link("h1", "s1", 1_000), link("s1", "s2", 100), link("s2", "h2", 1_000)));
  private PlannerSettings settings = ADAPTED;
  private long grantKbps = 45_000;

  private final class Counters implements LinkRates {
    @Override
    public Map<LinkId, Reading> rates() {
      return Map.copyOf(readings);
    }

    @Override
    public Map<LinkId, Long> dropped() {
      return Map.copyOf(dropped);
    }
  }

  private static Link link(String from, String to, long mbps) {
    return Link.of(
        from,
        to,
        DataRate.ofKilobitsPerSecond(mbps * 1_000),
        LinkDelay.constant(Latency.ofMillis(1)));
  }

  private Grant grant(ConversationId id) {
    return Grant.of(
        id.toString(),
        1,
        DataRate.ofKilobitsPerSecond(grantKbps),
        Latency.ofMillis(1),
        Utility.MAX,
        Path.of(List.of("h1", "s1", "s2", "h2")));
  }

  private Directives inForce() {
    return Directives.of(
        SchemeName.UTILITY_FAIR,
        Directive.Reason.GRANTED,
        Map.of(ONE, grant(ONE), OTHER, grant(OTHER)));
  }

  /** What the host's kernel says of one. */
  private void says(ConversationId id, long rttMillis) {
    book.put(
        Proof.of(
                Conversation.builder()
                    .id(id)
                    .intent("")
                    .localAddress("10.0.0.1")
                    .remoteAddress("10.0.0.2")
                    .firstSeen(Instant.EPOCH)
                    .build(),
                QueuedTrafficTest.policy(),
                Instant.EPOCH)
            .toBuilder()
            .installed(DataRate.ofKilobitsPerSecond(grantKbps))
            .measured(DataRate.ofKilobitsPerSecond(grantKbps))
            .sockets(1)
            .tcp(
                Optional.of(
                    TcpReading.of(
                        0, Optional.of(Latency.ofMillis(rttMillis)), OptionalInt.empty())))
            .build());
  }

  @BeforeEach
  void nobodyWaits() {
    says(ONE, 10);
    says(OTHER, 20);
    reading(95_000, 0);
    reading(95_000, 0);
  }

  private void reading(long kbps, long drops) {
    clock.pass(Duration.ofSeconds(5));
    readings.put(LINK, LinkRates.Reading.of(DataRate.ofKilobitsPerSecond(kbps), clock.instant()));
    dropped.merge(LINK, drops, Long::sum);
    headrooms.look(settings, network, inForce());
  }

  private int usable() {
    return headrooms.usable(settings).getOrDefault(LINK, settings.usableThousandths());
  }

  private void calm(int minutes, long kbps) {
    for (int i = 0; i < 12 * minutes; i++) {
      reading(kbps, 0);
    }
  }

  @Test
  void aFullLinkOnWhichNobodyWaitsIsUsedMore() {
    calm(30, 95_000);
    assertThat(usable()).isEqualTo(990);
  }

  @Test
  void aLinkThatDropsIsUsedLessAtOnce() {
    reading(95_000, 1);
    assertThat(usable()).isEqualTo(940);
  }

  /** Whoever sends in bursts fills the queue of a link that is idle on the average. */
  @Test
  void soIsOneThatDropsThoughItIsNotFull() {
    reading(20_000, 1);
    assertThat(usable()).isEqualTo(940);
  }

  @Test
  void aLinkOnWhichHalfOfThoseThatCrossItWaitIsUsedLess() {
    says(ONE, 18);
    reading(95_000, 0);
    assertThat(usable()).isEqualTo(940);
  }

  @Test
  void whoeverWaitsOnItsOwnHostSaysNothing() {
    grantKbps = 8_000;
    says(ONE, 18);
    says(OTHER, 28);
    reading(95_000, 0);
    assertThat(usable()).isEqualTo(960);
    says(ONE, 24);
    says(OTHER, 34);
    reading(95_000, 0);
    assertThat(usable()).as("6 ms at home, 3 allowed, 14 waited").isEqualTo(940);
  }

  @Test
  void aLinkThatIsNotFullIsNotWhereTheyWait() {
    says(ONE, 18);
    reading(50_000, 0);
    assertThat(usable()).isEqualTo(960);
  }

  @Test
  void wherePortsAreNotCountedTheHeadroomStands() {
    reading(95_000, 1);
    readings.clear();
    headrooms.look(settings, network, inForce());
    assertThat(headrooms.usable(settings)).isEmpty();
  }

  @Test
  void whereNobodySaysWhetherItWaitsCalmLeadsToNoMoreThanUsual() {
    book.remove(ONE);
    book.remove(OTHER);
    reading(95_000, 1);
    calm(90, 95_000);
    assertThat(usable()).isEqualTo(960);
  }

  @Test
  void elephantsFillTheirQueueOnPurpose() {
    ports.divided.put(
        LINK, QueueShares.of(DataRate.ofKilobitsPerSecond(1), DataRate.ofKilobitsPerSecond(2)));
    reading(95_000, 100);
    assertThat(usable()).isEqualTo(960);
  }

  @Test
  void unlessAnOperatorSetsBoundsNothingChanges() {
    settings = PlannerSettings.DEFAULT;
    reading(95_000, 100);
    calm(60, 95_000);
    assertThat(headrooms.usable(settings)).isEmpty();
  }

  @Test
  void inShadowModeNobodyHoldsBackSoThatQueuesSayNothing() {
    settings = ADAPTED.toBuilder().mode(PlanMode.SHADOW).build();
    reading(95_000, 100);
    assertThat(headrooms.usable(settings)).isEmpty();
  }

  @Test
  void otherBoundsHoldAtOnce() {
    reading(95_000, 1);
    settings = ADAPTED.toBuilder().usableLeastThousandths(950).build();
    assertThat(usable()).isEqualTo(950);
  }
}
