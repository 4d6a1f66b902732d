package org.paceline.control.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;

final class RetryBackoffTest {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final ConversationId ID = ConversationId.of("h1", "a");
  private static final Unserved WHY = Unserved.of(Unserved.Code.TABLE_IS_FULL, "s1", 10, 2);

  private final RetryBackoff backoff = new RetryBackoff();
  private Duration now = Duration.ZERO;
  private boolean isHeld;

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
    RetryBackoff.Refusal first = backoff.add(ID, WHY, PAUSE, now);
    RetryBackoff.Refusal second = backoff.add(ID, WHY, PAUSE, now.plusSeconds(1));
    assertThat(second.pause).isEqualTo(PAUSE);
    assertThat(backoff.end(ID, first)).isFalse();
    assertThat(backoff.now()).containsExactly(Map.entry(ID, WHY));
    isFreeAfterAPlan();
    assertThat(backoff.end(ID, second)).isTrue();
    assertThat(backoff.now()).isEmpty();
  }

  @Test
  void theFirstReasonStandsUntilItIsTriedAgain() {
    Unserved follows = Unserved.of(Unserved.Code.METER_RULE_REFUSED);
    backoff.add(ID, WHY, PAUSE, now);
    RetryBackoff.Refusal second = backoff.add(ID, follows, PAUSE, now);
    assertThat(backoff.now()).containsExactly(Map.entry(ID, WHY));
    isFreeAfterAPlan();
    backoff.end(ID, second);
    backoff.add(ID, follows, PAUSE, now);
    assertThat(backoff.now()).containsExactly(Map.entry(ID, follows));
  }

  @Test
  void whoIsHeldYetIsLeftOutOfOnePlanThoughTheNetworkChanges() {
    RetryBackoff.Refusal refusal = backoff.add(ID, WHY, PAUSE, now);
    backoff.clear();
    isHeld = true;
    assertThat(isFreeAfterAPlan()).as("it was under way when this was refused").isFalse();
    assertThat(backoff.now()).containsOnlyKeys(ID);
    isHeld = false;
    assertThat(isFreeAfterAPlan()).isTrue();
    assertThat(backoff.now()).isEmpty();
    assertThat(backoff.end(ID, refusal)).isFalse();
    assertThat(refusedFor()).as("the first in this network").isEqualTo(PAUSE);
  }

  @Test
  void whoIsRefusedAgainSinceTheNetworkChangedWaitsAsAtFirst() {
    refusedFor();
    backoff.add(ID, WHY, PAUSE, now);
    backoff.clear();
    Unserved other = Unserved.of(Unserved.Code.METER_RULE_REFUSED);
    assertThat(backoff.add(ID, other, PAUSE, now).pause).isEqualTo(PAUSE);
    assertThat(backoff.now()).containsExactly(Map.entry(ID, other));
  }

  @Test
  void whoIsHeldYetIsLeftOutOfOnePlanThoughItsPauseEnds() {
    RetryBackoff.Refusal refusal = backoff.add(ID, WHY, PAUSE, now);
    backoff.end(ID, refusal);
    assertThat(backoff.now()).containsOnlyKeys(ID);
    assertThat(isFreeAfterAPlan()).isTrue();
    assertThat(backoff.now()).isEmpty();
    assertThat(isFreeAfterAPlan()).as("once").isFalse();
  }

  @Test
  void whoWasTakenBackIsPlannedAgainAsSoonAsTheNetworkChanges() {
    backoff.add(ID, WHY, PAUSE, now);
    assertThat(isFreeAfterAPlan()).as("its pause goes on").isFalse();
    assertThat(backoff.now()).containsOnlyKeys(ID);
    backoff.clear();
    assertThat(backoff.now()).isEmpty();
  }

  private boolean isFreeAfterAPlan() {
    return backoff.carriedOut(id -> isHeld);
  }

  /** Refused, and its pause passes. */
  private Duration refusedFor() {
    RetryBackoff.Refusal refusal = backoff.add(ID, WHY, PAUSE, now);
    now = now.plus(refusal.pause);
    isFreeAfterAPlan();
    backoff.end(ID, refusal);
    return refusal.pause;
  }
}
