package org.paceline.control.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Unserved;

final class RetryBackoffTest {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final ConversationId ID = ConversationId.of("h1", "a");
  private static final Unserved WHY =
      Unserved.of(Unserved.Kind.NOT_ENFORCEABLE, "Its table is full.");

  private final RetryBackoff barred = new RetryBackoff();
  private Instant now = Instant.EPOCH;

  @Test
  void whoIsRefusedAgainAtOnceWaitsTwiceAsLongUpToALimit() {
    long longest = 0;
    for (long seconds = 10; seconds <= 1_280; seconds *= 2) {
      longest = refusedFor().toSeconds();
      assertThat(longest).isEqualTo(Math.min(seconds, 320));
    }
    assertThat(longest).isEqualTo(320);
  }

  @Test
  void whoWasServedInBetweenWaitsAsAtFirst() {
    refusedFor();
    now = now.plus(PAUSE).plusSeconds(1);
    assertThat(refusedFor()).isEqualTo(PAUSE);
  }

  @Test
  void severalReasonsAtOnceAreOneRefusalUntilTheLastOfThemEnds() {
    RetryBackoff.Refusal first = barred.add(ID, WHY, PAUSE, now);
    RetryBackoff.Refusal second = barred.add(ID, WHY, PAUSE, now.plusSeconds(1));
    assertThat(second.pause).isEqualTo(PAUSE);
    assertThat(barred.end(ID, first)).isFalse();
    assertThat(barred.now()).containsExactly(Map.entry(ID, WHY));
    assertThat(barred.end(ID, second)).isTrue();
    assertThat(barred.now()).isEmpty();
  }

  @Test
  void theFirstReasonStandsUntilItIsTriedAgain() {
    Unserved follows = Unserved.of(Unserved.Kind.NOT_ENFORCEABLE, "It is not led.");
    barred.add(ID, WHY, PAUSE, now);
    RetryBackoff.Refusal second = barred.add(ID, follows, PAUSE, now);
    assertThat(barred.now()).containsExactly(Map.entry(ID, WHY));
    barred.end(ID, second);
    barred.add(ID, follows, PAUSE, now);
    assertThat(barred.now()).containsExactly(Map.entry(ID, follows));
  }

  /** Refused, and its pause passes. */
  private Duration refusedFor() {
    RetryBackoff.Refusal refusal = barred.add(ID, WHY, PAUSE, now);
    now = now.plus(refusal.pause);
    barred.end(ID, refusal);
    return refusal.pause;
  }
}
