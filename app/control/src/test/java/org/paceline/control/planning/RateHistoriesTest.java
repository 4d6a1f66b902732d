package org.paceline.control.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Example;
import org.paceline.allocator.reservation.Observation;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

final class RateHistoriesTest {
  private final RateHistories histories = new RateHistories();
  private long bytes;
  private long dropped;
  private int second;
  private Enforcement enforcement = Enforcement.AGENT;

  /** Two seconds in which it sent so much of its rate. */
  private void period(long heldKbps, long sentKbps) {
    part(heldKbps, sentKbps);
    part(heldKbps, sentKbps);
  }

  /** One of them. */
  private void part(long heldKbps, long sentKbps) {
    second += 1;
    bytes += sentKbps * 125;
    histories.measure(List.of(proof(heldKbps)));
  }

  private Proof proof(long heldKbps) {
    Conversation conversation =
        Conversation.builder()
            .enforcement(enforcement)
            .id(ConversationId.of("h1", "c"))
            .intent("")
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .firstSeen(Instant.EPOCH)
            .build();
    return Proof.of(conversation, ThroughputAveragesTest.policy(), Instant.EPOCH).toBuilder()
        .installed(kbps(heldKbps))
        .sentBytes(bytes)
        .sentPackets(bytes / 1_000)
        .droppedPackets(dropped)
        .countedAt(Instant.EPOCH.plusSeconds(second))
        .build();
  }

  private static DataRate kbps(long kbps) {
    return DataRate.ofKilobitsPerSecond(kbps);
  }

  private Observation seen() {
    return Objects.requireNonNull(histories.now().seen().get("h1/c"));
  }

  @Example
  void theLastPeriodComesFirstAndOnlySomeAreKept() {
    part(1_000, 0);
    assertThat(histories.now().seen()).isEmpty();
    for (int sent = 100; sent <= 600; sent += 100) {
      period(1_000, sent);
    }
    assertThat(seen().sent()).containsExactly(kbps(600), kbps(500), kbps(400), kbps(300));
    assertThat(seen().isHeldBack()).isFalse();
    assertThat(histories.now().period()).isEqualTo(13);
  }

  @Example
  void whoUsesTheLeastThatItHadInThePeriodIsHeldBack() {
    part(1_000, 0);
    period(1_000, 990);
    assertThat(seen().isHeldBack()).isTrue();
    period(4_000, 990);
    assertThat(seen()).extracting(Observation::held).isEqualTo(kbps(1_000));
    assertThat(seen().isHeldBack()).isTrue();
    period(4_000, 990);
    assertThat(seen().isHeldBack()).isFalse();
  }

  @Example
  void countersThatBeginAnewSayNothing() {
    part(1_000, 500);
    period(1_000, 500);
    bytes = 0;
    period(1_000, 0);
    assertThat(histories.now().seen()).isEmpty();
  }

  @Example
  void whatIsSentWhileAnotherBeginsToCountIsNotKnown() {
    part(1_000, 500);
    period(1_000, 500);
    enforcement = Enforcement.FIRST_HOP;
    part(1_000, 0);
    assertThat(histories.now().seen()).isEmpty();
    part(1_000, 500);
    assertThat(seen().sent()).containsExactly(kbps(500));
  }

  @Example
  void periodsGoOnCountingWhereNobodyIsMeasuredForAWhile() {
    period(1_000, 500);
    histories.clear();
    assertThat(histories.now().seen()).isEqualTo(Map.of());
    period(1_000, 500);
    assertThat(histories.now().period()).isEqualTo(4);
  }

  @Example
  void aMeterSeesWhatIsTriedAndWhoIsDroppedIsHeldBack() {
    enforcement = Enforcement.FIRST_HOP;
    period(1_000, 0);
    period(1_000, 990);
    assertThat(seen().isHeldBack()).as("nothing is dropped").isFalse();
    assertThat(seen().tried()).hasValue(kbps(990));
    // Half of what arrives in a second at 1 Mbit/s.
    dropped += 125;
    part(1_000, 1_000);
    assertThat(seen().isHeldBack()).isTrue();
    assertThat(seen().tried()).hasValue(kbps(2_000));
  }

  @Example
  void ofWhatIsPacedNobodySeesWhatIsTried() {
    part(1_000, 0);
    dropped += 100;
    period(1_000, 500);
    assertThat(seen().tried()).isEmpty();
    assertThat(seen().isHeldBack()).isFalse();
  }

  /** Each observation counts once, so that one window is not taken for two. */
  @Example
  void aMeterIsSeenInEachPartOfAPeriodAndWhatIsPacedOnceAPeriod() {
    part(1_000, 500);
    part(1_000, 500);
    assertThat(histories.now().seen()).as("paced, in the midst of a period").isEmpty();
    part(1_000, 700);
    assertThat(seen().sent()).containsExactly(kbps(600));
    part(1_000, 700);
    assertThat(histories.now().seen()).isEmpty();
    enforcement = Enforcement.FIRST_HOP;
    part(1_000, 700);
    part(1_000, 300);
    assertThat(seen().sent().get(0)).isEqualTo(kbps(300));
    part(1_000, 400);
    assertThat(seen().sent().get(0)).isEqualTo(kbps(400));
  }
}
