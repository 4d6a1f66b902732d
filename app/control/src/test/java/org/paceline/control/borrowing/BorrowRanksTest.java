package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;

final class BorrowRanksTest {
  private static ConversationId named(String name) {
    return ConversationId.of("h", name);
  }

  private static Map<ConversationId, Integer> ranks(double... gains) {
    Map<ConversationId, Double> all = new HashMap<>();
    for (int i = 0; i < gains.length; i++) {
      all.put(named("c" + i), gains[i]);
    }
    return BorrowRanks.of(all);
  }

  @Test
  void whoGainsMostIsFirstAndWhoGainsNothingLast() {
    assertThat(ranks(2e-7, 5e-7, 0))
        .isEqualTo(Map.of(named("c0"), 1, named("c1"), 0, named("c2"), BorrowRanks.LAST));
  }

  @Test
  void thoseWhoGainAboutTheSameShareARank() {
    assertThat(ranks(1e-7, 1.001e-7, 4e-7, 4e-7).values()).containsExactlyInAnyOrder(1, 1, 0, 0);
  }

  @Test
  void thereAreNoMoreRanksThanAgentsCanTell() {
    double[] gains = new double[20];
    for (int i = 0; i < gains.length; i++) {
      gains[i] = Math.pow(2, -i);
    }
    Map<ConversationId, Integer> ranks = ranks(gains);
    assertThat(ranks.get(named("c0"))).isZero();
    assertThat(ranks.get(named("c6"))).isEqualTo(6);
    assertThat(ranks.get(named("c19"))).isEqualTo(BorrowRanks.LAST);
  }

  @Test
  void ofNobodyThereAreNone() {
    assertThat(BorrowRanks.of(Map.of())).isEmpty();
  }
}
