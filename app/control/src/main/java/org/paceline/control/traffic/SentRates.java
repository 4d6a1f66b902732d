package org.paceline.control.traffic;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;

/** What conversations send, from one reading of their counters to the next. On the worker. */
final class SentRates {
  private static final double MILLIBITS_PER_BYTE = 8_000;
  private static final double NANOS = 1e9;

  private Map<ConversationId, Counted> counted = new HashMap<>();

  /** What a conversation had sent by the end of a period. */
  private static final class Counted {
    final Instant at;
    final long bytes;

    Counted(Instant at, long bytes) {
      this.at = at;
      this.bytes = bytes;
    }

    /** In millibits a second; empty where nothing new was counted. */
    Optional<Long> rateSince(Counted before) {
      long nanos = Duration.between(before.at, at).toNanos();
      return nanos <= 0 || bytes < before.bytes
          ? Optional.empty()
          : Optional.of((long) ((bytes - before.bytes) * MILLIBITS_PER_BYTE / (nanos / NANOS)));
    }
  }

  /** Since it was asked before, in millibits a second; of those of which something was counted. */
  Map<ConversationId, Long> next(ProofBook book) {
    Map<ConversationId, Counted> before = counted;
    counted = new HashMap<>();
    Map<ConversationId, Long> rates = new HashMap<>();
    for (Proof proof : book.all()) {
      ConversationId id = proof.conversation().id();
      proof
          .countedAt()
          .ifPresent(
              at -> {
                Counted now = new Counted(at, proof.sentBytes());
                counted.put(id, now);
                Optional.ofNullable(before.get(id))
                    .flatMap(now::rateSince)
                    .ifPresent(rate -> rates.put(id, rate));
              });
    }
    return rates;
  }

  void clear() {
    counted = new HashMap<>();
  }
}
