package org.paceline.control.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** A conversation that may send 10 Mbit/s. */
final class ThroughputAveragesTest {
  private static final long BYTES_PER_MBIT = 125_000;

  private final ThroughputAverages averages = new ThroughputAverages();

  @Test
  void theFirstPeriodIsTheAverageAndLaterOnesMoveIt() {
    averages.measure(List.of(sent(0, 0)), 0.75);
    assertThat(averages.now()).isEmpty();
    averages.measure(List.of(sent(10, 20)), 0.75);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ofKilobitsPerSecond(2_000));
    averages.measure(List.of(sent(20, 80)), 0.75);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ofKilobitsPerSecond(3_000));
  }

  @Test
  void whoUsesItsRateFullyIsLeftOutUntilItDoesNot() {
    averages.measure(List.of(sent(0, 0)), 0);
    averages.measure(List.of(sent(10, 97)), 0);
    assertThat(averages.now()).isEmpty();
    averages.measure(List.of(sent(20, 177)), 0);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ofKilobitsPerSecond(8_000));
  }

  @Test
  void aRateThatWasRaisedOnlyNowDoesNotMakeItLow() {
    averages.measure(List.of(held(sent(0, 0), 4_000)), 0);
    averages.measure(List.of(held(sent(10, 40), 4_000)), 0);
    averages.measure(List.of(sent(20, 80)), 0);
    assertThat(averages.now()).isEmpty();
    averages.measure(List.of(sent(30, 120)), 0);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ofKilobitsPerSecond(4_000));
  }

  @Test
  void countersThatDidNotMoveOrBeganAnewChangeNothing() {
    averages.measure(List.of(sent(0, 0)), 0);
    averages.measure(List.of(sent(10, 20)), 0);
    averages.measure(List.of(sent(10, 20)), 0);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ofKilobitsPerSecond(2_000));
    averages.measure(List.of(sent(20, 0)), 0);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ofKilobitsPerSecond(2_000));
    averages.measure(List.of(), 0);
    assertThat(averages.now()).isEmpty();
    averages.measure(List.of(sent(30, 100)), 0);
    assertThat(averages.now()).isEmpty();
  }

  @Test
  void whoIsSilentReachesNothing() {
    averages.measure(List.of(sent(0, 0)), 0);
    averages.measure(List.of(sent(10, 0)), 0);
    assertThat(averages.now()).containsEntry("h/a", DataRate.ZERO);
  }

  /** By then it has sent so many megabits. */
  private static Proof sent(long second, long megabits) {
    return proof()
        .sentBytes(megabits * BYTES_PER_MBIT)
        .countedAt(Instant.EPOCH.plusSeconds(second))
        .build();
  }

  private static Proof held(Proof proof, long kbps) {
    return proof.toBuilder().installed(DataRate.ofKilobitsPerSecond(kbps)).build();
  }

  private static Proof.Builder proof() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h", "a"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    return Proof.of(conversation, policy(), Instant.EPOCH).toBuilder()
        .installed(DataRate.ofKilobitsPerSecond(10_000));
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
}
