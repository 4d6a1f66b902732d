package org.paceline.control.audit;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;

/**
 * A request that may come again: what it makes keeps its name, so that after a crash its sender
 * gets what was made and not a second one.
 */
@AutoValue
public abstract class Request {
  /** How long its sender gets the same answer. */
  public static final Duration REPEATABLE = Duration.ofDays(1);

  /** No other request ever has it. */
  public abstract String id();

  /** When it came for the first time: what is older was not made for it. */
  public abstract Instant firstAt();

  public static Request of(String id, Instant firstAt) {
    return new AutoValue_Request(id, firstAt);
  }
}
