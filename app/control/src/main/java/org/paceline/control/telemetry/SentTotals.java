package org.paceline.control.telemetry;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;

/**
 * What each conversation has sent in all, whoever counts it at the moment. An agent and a switch
 * begin to count at different times, so what lies between their counts was not sent just now. Only
 * what one source counts between two of its readings in a row is added. On the worker.
 */
public final class SentTotals {
  private final Map<ConversationId, Reading> last = new HashMap<>();

  /** Who counts. */
  public enum Source {
    AGENT,
    SWITCH
  }

  /** What a source counted, and what all sources had counted by then. */
  private static final class Reading {
    private final Source source;
    private final Counters own;
    private final Counters total;

    Reading(Source source, Counters own, Counters total) {
      this.source = source;
      this.own = own;
      this.total = total;
    }

    /** What all sources have counted by a later reading. */
    Counters next(Source by, Counters now) {
      return now.counting(
          next(by, now, Counters::sentBytes),
          next(by, now, Counters::sentPackets),
          next(by, now, Counters::droppedPackets));
    }

    private long next(Source by, Counters now, ToLongFunction<Counters> count) {
      long before = count.applyAsLong(total);
      if (by != source) {
        return before;
      }
      // A total that does not grow tells those who reckon with it that a source has begun anew.
      return now.sentBytes() < own.sentBytes()
          ? Math.min(before, count.applyAsLong(now))
          : before + Math.max(0, count.applyAsLong(now) - count.applyAsLong(own));
    }
  }

  /**
   * Whether its agent's words say how much a conversation has sent. Where its meter's switch counts
   * it, too, both would count the same bytes, and the switch counts what has passed.
   *
   * @param isMetered whether a switch holds it to its rate
   */
  public boolean believesAgent(ConversationId id, boolean isMetered) {
    Reading before = last.get(id);
    return !isMetered || before == null || before.source == Source.AGENT;
  }

  /** The same reading, with what all sources have counted instead of this one alone. */
  public Counters next(Source source, Counters own) {
    Reading before = last.get(own.id());
    Counters total = before == null ? own : before.next(source, own);
    last.put(own.id(), new Reading(source, own, total));
    return total;
  }

  /** It is over. */
  public void forget(ConversationId id) {
    last.remove(id);
  }
}
