package org.paceline.control.operations;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;

/** Work that somebody asked for and does not wait for. */
@AutoValue
public abstract class Operation {
  public abstract String id();

  /** Who asked. */
  public abstract String actor();

  /** What it does, for a person. */
  public abstract String does();

  public abstract Instant startedAt();

  /** Empty while it runs, or waits to. */
  public abstract Optional<Instant> endedAt();

  /** What came of it; empty while it runs. */
  public abstract Optional<Outcome> outcome();

  static Operation started(String id, String actor, String does, Instant now) {
    return new AutoValue_Operation(id, actor, does, now, Optional.empty(), Optional.empty());
  }

  /** As it was recorded. */
  public static Operation of(
      String id,
      String actor,
      String does,
      Instant startedAt,
      Optional<Instant> endedAt,
      Optional<Outcome> outcome) {
    return new AutoValue_Operation(id, actor, does, startedAt, endedAt, outcome);
  }

  Operation ended(Outcome outcome, Instant now) {
    return new AutoValue_Operation(
        id(), actor(), does(), startedAt(), Optional.of(now), Optional.of(outcome));
  }

  /** How far it has come, in a word. */
  public String state() {
    return outcome().map(ended -> ended.hasFailed() ? "failed" : "done").orElse("running");
  }

  public boolean isRunning() {
    return outcome().isEmpty();
  }
}
