package org.paceline.control.planning;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;

/**
 * Conversations that the network refused, left out of plans for a while. Whoever is refused again
 * as soon as it is tried waits twice as long each time: every try makes others yield rates for
 * nothing. Belongs to the worker's thread.
 *
 * <p>Switches may hold a part of what was refused. So each is left out of at least one plan that is
 * carried out, which takes that part back, even where the network changes or the pause ends before:
 * a plan that goes on with it would be carried out only where it differs from the one before.
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

    /** A plan without the conversation was carried out. */
    private boolean takenBack;

    /** The network has changed since: the next refusal is its first. */
    private boolean past;

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
    refusals
        .values()
        .removeIf(old -> old.over && old.takenBack && old.until.plus(first).compareTo(now) < 0);
    Optional<Refusal> before = Optional.ofNullable(refusals.get(id)).filter(old -> !old.past);
    Duration longest = first.multipliedBy(LONGEST_IN_PAUSES);
    Duration pause =
        before.map(old -> old.over ? old.pause.multipliedBy(2) : old.pause).orElse(first);
    Unserved cause = before.filter(old -> !old.over).map(old -> old.why).orElse(why);
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
          if (!refusal.over || !refusal.takenBack) {
            now.put(id, refusal.why);
          }
        });
    return now;
  }

  /** The network has changed, and may take what it refused. */
  void clear() {
    refusals.values().removeIf(refusal -> refusal.takenBack);
    for (Refusal refusal : refusals.values()) {
      refusal.past = true;
      refusal.over = true;
    }
  }

  /**
   * A plan is carried out.
   *
   * @param holds whether it has a conversation
   * @return whether somebody whom it leaves out may be planned now
   */
  boolean carriedOut(Predicate<ConversationId> holds) {
    boolean anybody = false;
    for (Map.Entry<ConversationId, Refusal> refused : refusals.entrySet()) {
      Refusal refusal = refused.getValue();
      if (!refusal.takenBack && !holds.test(refused.getKey())) {
        refusal.takenBack = true;
        anybody |= refusal.over;
      }
    }
    refusals.values().removeIf(refusal -> refusal.past && refusal.takenBack);
    return anybody;
  }
}
