package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.LinkId;

/** Agents name interfaces as they like: the ledger keeps those that have conversations. */
final class RateLedgerTest {
  private static final LinkId LINK = LinkId.of("s1", "s2");
  private static final PoolId POOL = PoolId.of("h1", "eth0");
  private static final ConversationId ONE = ConversationId.of("h1", "one");
  private static final ConversationId OTHER = ConversationId.of("h1", "other");

  private final RateLedger ledger = new RateLedger();

  private void enter(ConversationId id, PoolId pool) {
    ledger.enter(id, Set.of(LINK), Optional.of(pool), 1_000);
  }

  @Test
  void interfacesThatAnAgentMakesUpAreNotKept() {
    for (int i = 0; i < 1_000; i++) {
      enter(ONE, PoolId.of("h1", "made-up" + i));
      ledger.leave(ONE);
    }
    assertThat(ledger.pools()).isEmpty();
    assertThat(ledger.load(LINK)).isZero();
  }

  @Test
  void norIsOneThatIsLeftForAnother() {
    enter(ONE, POOL);
    ledger.join(ONE, Optional.of(PoolId.of("h1", "eth1")));
    assertThat(ledger.pools()).containsExactly(PoolId.of("h1", "eth1"));
    ledger.join(ONE, Optional.empty());
    assertThat(ledger.pools()).isEmpty();
    assertThat(ledger.load(LINK)).isEqualTo(1_000);
  }

  @Test
  void whatWasToldToBorrowIsKeptUntilItIsToldThatItMayNot() {
    enter(ONE, POOL);
    ledger.sent(POOL, 1, 9_000);
    ledger.leave(ONE);
    assertThat(ledger.pools()).containsExactly(POOL);
    ledger.sent(POOL, 2, 0);
    assertThat(ledger.pools()).isEmpty();
    // The late word of its agent brings nothing back.
    ledger.acknowledged(POOL, 1, 9_000);
    assertThat(ledger.pools()).isEmpty();
  }

  @Test
  void soIsWhatAnAgentHeldThatIsBack() {
    enter(ONE, POOL);
    ledger.sent(POOL, 1, 9_000);
    ledger.leave(ONE);
    ledger.returned("h1");
    assertThat(ledger.pools()).isEmpty();
  }

  /** What its interface carries, and what its agent says of it, outlive every change of a rate. */
  @Test
  void ofOneThatHasConversationsNothingIsForgotten() {
    enter(ONE, POOL);
    enter(OTHER, POOL);
    ledger.bound(ONE, 5_000);
    ledger.sent(ONE, 1, 2_000, 8_000);
    ledger.sent(POOL, 1, 0);
    ledger.acknowledged(POOL, 1, 7_000);
    ledger.leave(OTHER);
    ledger.acknowledged(ONE, 1, 2_000, true);
    assertThat(ledger.load(LINK)).isEqualTo(5_000);
    assertThat(ledger.room(POOL, Map.of(LINK, 6_000L))).isEqualTo(6_000);
  }

  /**
   * Its agent restores by itself what somebody deleted, and its rate is right by the next report.
   */
  @Test
  void whoAnsweredThatItDoesNotHoldWhatItMayBorrowIsToldAgainOnceItsHostReports() {
    enter(ONE, POOL);
    ledger.sent(ONE, 1, 1_000, 8_000);
    ledger.sent(POOL, 1, 8_000);
    ledger.acknowledged(ONE, 1, 1_000, true);
    ledger.acknowledged(POOL, 1, 8_000);

    ledger.sent(ONE, 2, 1_000, 0);
    ledger.acknowledged(ONE, 2, 0, false);
    assertThat(ledger.commanded(ONE)).contains(1_000L);
    assertThat(ledger.observed(ONE, 1_000)).isFalse();
    assertThat(ledger.commanded(ONE)).isEmpty();
    assertThat(ledger.load(LINK)).isEqualTo(8_000);

    ledger.sent(ONE, 3, 1_000, 0);
    ledger.acknowledged(ONE, 3, 1_000, true);
    assertThat(ledger.observed(ONE, 1_000)).isFalse();
    assertThat(ledger.commanded(ONE)).contains(1_000L);
    assertThat(ledger.load(LINK)).isEqualTo(1_000);
  }

  @Test
  void soIsAPoolThatWasAnsweredWithAnotherRate() {
    long full = 8_000_000_000L;
    enter(ONE, POOL);
    ledger.sent(ONE, 1, 1_000, full);
    ledger.acknowledged(ONE, 1, 1_000, true);
    ledger.sent(POOL, 1, full);
    ledger.acknowledged(POOL, 1, 0);
    assertThat(ledger.isToBeToldAgain(POOL)).isFalse();

    ledger.observed(ONE, 1_000);
    assertThat(ledger.isToBeToldAgain(POOL)).isTrue();
    ledger.sent(POOL, 2, full);
    ledger.observed(ONE, 1_000);
    assertThat(ledger.isToBeToldAgain(POOL)).isFalse();
    ledger.acknowledged(POOL, 2, full - full / 1_000);
    ledger.observed(ONE, 1_000);
    assertThat(ledger.isToBeToldAgain(POOL)).isFalse();
  }

  /** Switches answer in no order, and an agent may have heard more by the time that it answers. */
  @Test
  void anOlderAnswerThatComesLaterSaysNothing() {
    enter(ONE, POOL);
    ledger.sent(ONE, 1, 500, 0);
    ledger.sent(ONE, 2, 4_000, 8_000);
    ledger.sent(POOL, 1, 6_000);
    ledger.sent(POOL, 2, 8_000);
    assertThat(ledger.load(LINK)).as("both may be in force").isEqualTo(8_000);
    ledger.acknowledged(ONE, 2, 4_000, true);
    ledger.acknowledged(POOL, 2, 8_000);

    ledger.acknowledged(ONE, 1, 500, false);
    ledger.acknowledged(POOL, 1, 6_000);

    assertThat(ledger.possible(ONE)).isEqualTo(4_000);
    assertThat(ledger.possible(POOL)).isEqualTo(8_000);
    assertThat(ledger.load(LINK)).isEqualTo(8_000);
    ledger.observed(ONE, 4_000);
    assertThat(ledger.commanded(ONE)).as("it holds what it was told").contains(4_000L);
    assertThat(ledger.isToBeToldAgain(POOL)).isFalse();
  }
}
