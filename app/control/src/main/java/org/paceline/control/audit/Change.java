package org.paceline.control.audit;

import com.google.auto.value.AutoValue;
import java.time.Instant;

/** One change as the log keeps it: written down before it is made. */
@AutoValue
public abstract class Change {
  /** From 1, without a gap. */
  public abstract long number();

  public abstract Instant at();

  public abstract Author author();

  /** What is done, as one sentence. */
  public abstract String operation();

  /** What was sent to ask for it, in full. */
  public abstract String body();

  /** What it concerns, as it was; empty where there was nothing. */
  public abstract String before();

  /** As it is to be; empty where nothing is left. */
  public abstract String after();

  public static Change of(
      long number,
      Instant at,
      Author author,
      String operation,
      String body,
      String before,
      String after) {
    return new AutoValue_Change(number, at, author, operation, body, before, after);
  }
}
