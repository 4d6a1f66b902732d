package org.paceline.gateway.flood;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.paceline.control.model.Alarm;

/**
 * Agents that say all that they may for minutes. Each is slowed from the first moment; only one
 * that goes on is cut off, and stays away for a while, each time for longer. No honest one comes
 * near: these are more than a million messages, and one that has so much to say is never heard in
 * time anyway. How much a host's agent has said is kept across its streams: one that comes anew
 * begins where it was. O(1) but for what is listed; any thread may ask.
 */
public final class Floods {
  /** So long an agent may use most of what it may say. */
  public static final Duration BORNE = Duration.ofMinutes(10);

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private final LongSupplier nanos;
  private final Map<String, MessageRate> rates = new ConcurrentHashMap<>();
  private final Map<String, Away> away = new HashMap<>();

  /** A host that was cut off, and how long it is to stay away. */
  private static final class Away {
    final long begunNanos;
    final Duration time;
    final Instant since = Instant.now();

    Away(long begunNanos, Duration time) {
      this.begunNanos = begunNanos;
      this.time = time;
    }

    Duration left(long now) {
      return time.minusNanos(now - begunNanos);
    }

    boolean isOver(long now) {
      return left(now).compareTo(Duration.ZERO) <= 0;
    }

    /** Whether it has been good for as long as the longest time. */
    boolean isForgiven(long now) {
      return left(now).plus(LONGEST).isNegative();
    }
  }

  /**
   * @param nanos a clock that is never set
   */
  public Floods(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** How fast the host's agents may speak. */
  public MessageRate rate(String host) {
    return rates.computeIfAbsent(host, same -> new MessageRate());
  }

  /** The host is not heard for a while; why, for both sides. */
  public synchronized String cutOff(String host) {
    long now = nanos.getAsLong();
    Duration time =
        Optional.ofNullable(away.get(host))
            .map(before -> before.time.multipliedBy(2))
            .map(twice -> twice.compareTo(LONGEST) < 0 ? twice : LONGEST)
            .orElse(SHORTEST);
    away.put(host, new Away(now, time));
    return sentence(host, time);
  }

  /** Why the host is not heard yet. */
  public synchronized Optional<String> refusal(String host) {
    long now = nanos.getAsLong();
    return Optional.ofNullable(away.get(host))
        .filter(one -> !one.isOver(now))
        .map(one -> sentence(host, one.left(now)));
  }

  private static String sentence(String host, Duration left) {
    return "The agent of the host ("
        + host
        + ") has said ("
        + MessageRate.A_SECOND
        + ") messages a second for ("
        + BORNE.toMinutes()
        + ") minutes, which no agent of ours needs. It is not heard for ("
        + Math.max(1, left.toSeconds())
        + ") s. Maybe find out what runs there; where it is honest, put more sockets into one"
        + " conversation, by a rule's (group).";
  }

  /**
   * Forgets of whom there is nothing to remember any more.
   *
   * @param messagesNow by the clock that their messages are counted by
   */
  public synchronized void forget(long messagesNow) {
    rates.values().removeIf(rate -> rate.isIdle(messagesNow));
    long now = nanos.getAsLong();
    away.values().removeIf(one -> one.isForgiven(now));
  }

  public synchronized List<Alarm> alarms() {
    long now = nanos.getAsLong();
    return away.entrySet().stream()
        .filter(one -> !one.getValue().isOver(now))
        .map(
            one ->
                Alarm.ofFlood(
                    one.getKey(),
                    sentence(one.getKey(), one.getValue().time),
                    one.getValue().since))
        .collect(Collectors.toUnmodifiableList());
  }
}
