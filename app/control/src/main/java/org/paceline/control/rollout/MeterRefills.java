package org.paceline.control.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.directive.MeterBurst;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;

/**
 * What meters let through at once, beside their rates: a switch that is told another rate may begin
 * with a full bucket again, as Open vSwitch does. Where many rates change within a second, that is
 * more than links carry. So what a meter that was changed may hold counts on its links for a
 * second, and of those that stand no more change within it than leave all within the links.
 *
 * <p>Three change in any case. Nobody waits for a first meter. Who yields more within a second than
 * its bucket holds only makes room. And where no bucket counts on a link yet one may be filled,
 * however narrow the link. Whoever waits longest is next, so that all have their turn. O(links) for
 * each change.
 */
final class MeterRefills {
  /** As long as links are not to be sent more than they carry. */
  private static final Duration COUNTS = Duration.ofSeconds(1);

  private static final Duration LEAST_PAUSE = Duration.ofMillis(50);

  private final Deque<Refill> recent = new ArrayDeque<>();
  private final Map<LinkId, Long> sums = new HashMap<>();
  private final Map<ConversationId, Instant> waiting = new HashMap<>();
  private Instant now = Instant.MIN;

  private static final class Refill {
    final Instant ends;
    final List<LinkId> links;
    final long bits;

    Refill(Instant ends, Collection<LinkId> links, long bits) {
      this.ends = ends;
      this.links = List.copyOf(links);
      this.bits = bits;
    }
  }

  /** What a bucket of this rate holds, as a rate for a second; both in millibits per second. */
  private static long bucket(long rate) {
    return MeterBurst.kilobits(rate / 1_000_000) * 1_000_000;
  }

  /** A clock that was put back must not have anybody wait for it. */
  void pass(Instant now) {
    boolean isPutBack = now.isBefore(this.now);
    this.now = now;
    while (!recent.isEmpty() && (isPutBack || !recent.peekFirst().ends.isAfter(now))) {
      Refill over = recent.removeFirst();
      over.links.forEach(link -> sums.merge(link, -over.bits, Long::sum));
    }
  }

  /**
   * Whether a meter that stands may have this rate in the place of that before it.
   *
   * @param loads what each of its links may be sent now
   * @param capacities what each carries; nobody waits for a link that is not there
   */
  boolean fits(long before, long rate, Map<LinkId, Long> loads, Map<LinkId, Long> capacities) {
    long bucket = bucket(rate);
    return before - rate >= bucket
        || loads.entrySet().stream()
            .allMatch(
                one -> {
                  long counts = sums.getOrDefault(one.getKey(), 0L);
                  long after = one.getValue() + Math.max(0, rate - before) + counts + bucket;
                  return counts == 0
                      || after <= capacities.getOrDefault(one.getKey(), Long.MAX_VALUE);
                });
  }

  /** It is told this rate. */
  void told(ConversationId id, long rate, Set<LinkId> links) {
    waiting.remove(id);
    long bucket = bucket(rate);
    recent.addLast(new Refill(now.plus(COUNTS), links, bucket));
    links.forEach(link -> sums.merge(link, bucket, Long::sum));
  }

  void waits(ConversationId id) {
    waiting.putIfAbsent(id, now);
  }

  void forget(ConversationId id) {
    waiting.remove(id);
  }

  /** Who waits longest first, and those that do not wait last. */
  Comparator<ConversationId> longestFirst() {
    return Comparator.comparing(id -> waiting.getOrDefault(id, Instant.MAX));
  }

  /**
   * When somebody who waits may find room; empty where nobody waits. Not for each bucket alone:
   * each step of the rollout looks at all conversations.
   */
  Optional<Duration> until() {
    return Optional.ofNullable(recent.peekFirst())
        .filter(first -> !waiting.isEmpty())
        .map(first -> Duration.between(now, first.ends))
        .map(pause -> pause.compareTo(LEAST_PAUSE) > 0 ? pause : LEAST_PAUSE);
  }
}
