package org.paceline.control.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.QueueCounts;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** A port whose others' queue has calls that are granted, and what nobody plans. */
final class QueuedTrafficTest {
  private static final LinkId PORT = LinkId.of("s1", "s2");
  private static final ConversationId CALL = ConversationId.of("h1", "call");
  private static final long FRAME = 976;
  private static final long KILOBIT = 1_000_000;

  private final ManualWorker clock = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final CountedPorts ports = new CountedPorts();
  private final QueuedTraffic traffic = new QueuedTraffic(ports, book, clock);
  private long called;

  private static Directives granted(long kbps) {
    return Directives.of(
        SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, Map.of(CALL, grant(kbps)));
  }

  private static Directives elephant(long kbps) {
    return Directives.ofElephants(
        SchemeName.ELEPHANT_ISOLATION, Directive.Reason.ELEPHANTS, Map.of(CALL, grant(kbps)));
  }

  private static Grant grant(long kbps) {
    return Grant.of(
        CALL.toString(),
        1,
        DataRate.ofKilobitsPerSecond(kbps),
        Latency.ofMillis(1),
        Utility.MAX,
        Path.of(List.of("h1", "s1", "s2", "h2")));
  }

  static EffectivePolicy policy() {
    return IntentTree.withDefault(
            UtilityFunction.of(
                "any",
                List.of(DataRate.ofKilobitsPerSecond(100)),
                List.of(Latency.ofMillis(50)),
                List.of(List.of(Utility.of(3)))))
        .resolve("");
  }

  /**
   * A second passes, in which the call was counted with so many frames, and the queue with those.
   */
  private void second(Directives inForce, long callFrames, long queueFrames) {
    clock.pass(Duration.ofSeconds(1));
    called += callFrames * FRAME;
    book.put(
        Proof.of(
                Conversation.builder()
                    .id(CALL)
                    .intent("")
                    .localAddress("10.0.0.1")
                    .remoteAddress("10.0.0.2")
                    .firstSeen(Instant.EPOCH)
                    .build(),
                policy(),
                Instant.EPOCH)
            .toBuilder()
            .sentBytes(called)
            .countedAt(clock.instant())
            .build());
    QueueCounts.Queued nothing = QueueCounts.Queued.of(0, 0, 0);
    QueueCounts.Queued sent = QueueCounts.Queued.of(queueFrames * FRAME, queueFrames, 0);
    Instant since = clock.instant();
    QueueTraffic.between(
            QueueCounts.of(since, Duration.ZERO, nothing, nothing),
            QueueCounts.of(since, Duration.ofSeconds(1), nothing, sent),
            clock.instant())
        .ifPresent(came -> ports.traffic.put(PORT, came));
    traffic.measure(inForce);
  }

  /** In kilobits a second on the wire, where a frame is 1,000 bytes long. */
  private long beside() {
    return traffic.beside(PORT).orElseThrow().rate() / KILOBIT;
  }

  @Test
  void whatIsGrantedIsNotBesideWhateverSecondItIsCountedIn() {
    for (long frames : new long[] {500, 0, 1_000, 500, 0, 1_000}) {
      second(granted(4_000), frames, 500);
      assertThat(beside()).isLessThan(100);
    }
  }

  @Test
  void whatIsAboveAllGrantsIsBesideAtOnce() {
    second(granted(4_000), 500, 500);
    second(granted(4_000), 500, 1_500);
    assertThat(beside()).isBetween(7_850L, 8_100L);
  }

  @Test
  void whatGrantsLeaveRoomForIsBesideWhenTwoReadingsSaySo() {
    second(granted(4_000), 0, 0);
    second(granted(4_000), 0, 250);
    assertThat(beside()).isZero();
    second(granted(4_000), 0, 250);
    assertThat(beside()).isBetween(1_990L, 2_010L);
  }

  @Test
  void aRateThatHasJustBeenCutIsNotBeside() {
    second(granted(8_000), 900, 900);
    second(granted(4_000), 900, 900);
    assertThat(beside()).isLessThan(100);
  }

  @Test
  void whoBecomesAnElephantCountsAmongOthersUntilItsPacketsAreMarked() {
    second(granted(8_000), 900, 900);
    second(elephant(8_000), 900, 900);
    second(elephant(8_000), 900, 900);
    assertThat(beside()).isLessThan(100);
    for (int later = 0; later < 5; later++) {
      second(elephant(8_000), 900, 300);
    }
    assertThat(beside()).isBetween(2_390L, 2_410L);
  }

  @Test
  void whatIsSeenNoMoreIsForgottenThoughTheClockIsSetBack() {
    for (int i = 0; i < 3; i++) {
      second(granted(1_000), 0, 1_000);
    }
    assertThat(beside()).isPositive();
    clock.step(Duration.ofHours(-2));
    for (int i = 0; i < 20; i++) {
      second(granted(1_000), 0, 0);
    }
    assertThat(beside()).isZero();
  }

  @Test
  void aPortThatNobodyCountsAnyMoreIsForgotten() {
    second(granted(4_000), 500, 1_500);
    ports.traffic.clear();
    traffic.measure(granted(4_000));
    assertThat(traffic.beside(PORT)).isEmpty();
    assertThat(traffic.sent(PORT)).isEmpty();
  }
}
