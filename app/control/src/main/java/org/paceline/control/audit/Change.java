package org.paceline.control.audit;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;

/** One change as the log keeps it: written down before it is made. */
@AutoValue
public abstract class Change {
  /** From 1 on. */
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

  /** The number of the change that was not made, where this entry says that. */
  public abstract Optional<Long> refutes();

  public static Change of(
      long number,
      Instant at,
      Author author,
      String operation,
      String body,
      String before,
      String after) {
    return new AutoValue_Change(
        number, at, author, operation, body, before, after, Optional.empty());
  }

  /** The entry that this change was not made, and why. */
  Change refutation(long number, Instant at, String why) {
    String operation = "Change " + number() + " was not made: " + why;
    return of(number, at, author(), operation, "", before(), before()).refuting(number());
  }

  /** As an entry that the other change was not made. */
  public Change refuting(long other) {
    return new AutoValue_Change(
        number(), at(), author(), operation(), body(), before(), after(), Optional.of(other));
  }
}
