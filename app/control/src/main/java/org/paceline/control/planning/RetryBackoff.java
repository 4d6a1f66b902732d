package org.paceline.control.planning;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;

/**
 * Conversations that the network refused, left out of plans for a while. Whoever is refused again
 * as soon as it is tried waits twice as long each time: every try makes others yield rates for
 * nothing. Belongs to the worker's thread.
 */
final class RetryBackoff {
  private static final int LONGEST_IN_PAUSES = 32;

  private final Map<ConversationId, Refusal> refusals = new HashMap<>();

  /** The newest refusal of a conversation; its pause may be over. */
  static final class Refusal {
    private final Unserved why;
    final Duration pause;
    private final Duration until;
    private boolean over;

    private Refusal(Unserved why, Duration pause, Duration now) {
      this.why = why;
      this.pause = pause;
      this.until = now.plus(pause);
    }
  }

  /**
   * The reason stays the first one of this try: what refuses next does so because of it, and knows
   * less.
   *
   * @param first how long it lasts where there was none shortly before
   */
  Refusal add(ConversationId id, Unserved why, Duration first, Duration now) {
    refusals.values().removeIf(past -> past.over && past.until.plus(first).compareTo(now) < 0);
    Refusal before = refusals.get(id);
    Duration longest = first.multipliedBy(LONGEST_IN_PAUSES);
    Duration pause =
        before == null ? first : before.over ? before.pause.multipliedBy(2) : before.pause;
    Unserved cause = before == null || before.over ? why : before.why;
    Refusal refusal = new Refusal(cause, pause.compareTo(longest) < 0 ? pause : longest, now);
    refusals.put(id, refusal);
    return refusal;
  }

  /** Its pause is over; false where another refusal has taken its place. */
  boolean end(ConversationId id, Refusal refusal) {
    boolean ends = refusals.get(id) == refusal;
    refusal.over = true;
    return ends;
  }

  /** Who is left out now, and why. */
  Map<ConversationId, Unserved> now() {
    Map<ConversationId, Unserved> now = new HashMap<>();
    refusals.forEach(
        (id, refusal) -> {
          if (!refusal.over) {
            now.put(id, refusal.why);
          }
        });
    return now;
  }

  void clear() {
    refusals.clear();
  }
}
