package org.paceline.control.borrowing;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.control.model.ConversationId;

/**
 * Who of one interface borrows first: whoever gains most utility by each bit more, as the plan's
 * prices have it. Those who gain about the same have one rank, and share what there is.
 */
final class BorrowRanks {
  /** The last of those that agents can tell apart; whoever gains nothing has it. */
  static final int LAST = 7;

  /** Gains within a twentieth are about the same: tables are measured no better. */
  private static final double ABOUT = Math.log(1.05);

  private BorrowRanks() {}

  /**
   * @param gains of those who borrow from each other, in utility per bit per second
   */
  static Map<ConversationId, Integer> of(Map<ConversationId, Double> gains) {
    TreeSet<Long> steps = new TreeSet<>(Collections.reverseOrder());
    gains.values().stream().filter(gain -> gain > 0).map(BorrowRanks::step).forEach(steps::add);
    Map<Long, Integer> rankOf = new TreeMap<>();
    steps.forEach(step -> rankOf.put(step, Math.min(LAST, rankOf.size())));
    Map<ConversationId, Integer> ranks = new TreeMap<>();
    gains.forEach((id, gain) -> ranks.put(id, gain > 0 ? rankOf.get(step(gain)) : LAST));
    return ranks;
  }

  private static long step(double gain) {
    return Math.round(Math.log(gain) / ABOUT);
  }
}
