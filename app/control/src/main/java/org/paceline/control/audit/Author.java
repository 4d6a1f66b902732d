package org.paceline.control.audit;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** Who changes something, and the ticket that asks for it. */
@AutoValue
public abstract class Author {
  /** What changes by itself, such as a policy that nobody confirmed. */
  public static final Author PACELINE = of("paceline", Optional.empty());

  private static final Pattern TICKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:/#-]{0,63}");

  public abstract String actor();

  public abstract Optional<String> ticket();

  /** By which it is asked for, where that may come again. */
  public abstract Optional<Request> request();

  /**
   * @throws IllegalArgumentException if the ticket is not one word that a log can show
   */
  public static Author of(String actor, Optional<String> ticket) {
    if (actor.isBlank()) {
      throw new IllegalArgumentException("The actor must have a name.");
    }
    ticket
        .filter(text -> !TICKET.matcher(text).matches())
        .ifPresent(
            text -> {
              throw new IllegalArgumentException(
                  "The change ticket ("
                      + text
                      + ") must be letters, digits and _ . : / # -, at most 64, and begin with a"
                      + " letter or digit. Maybe CHG0030001.");
            });
    return new AutoValue_Author(actor, ticket, Optional.empty());
  }

  /** Whether the sender of the request may still ask what came of it. */
  public boolean mayAskAgain(Instant now) {
    return request()
        .filter(asked -> asked.firstAt().plus(Request.REPEATABLE).isAfter(now))
        .isPresent();
  }

  public Author by(Optional<Request> request) {
    return new AutoValue_Author(actor(), ticket(), request);
  }

  @Override
  public final String toString() {
    return actor() + ticket().map(id -> " for " + id).orElse("");
  }
}
