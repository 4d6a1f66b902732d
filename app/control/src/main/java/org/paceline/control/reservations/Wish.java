package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import org.paceline.intents.unit.DataRate;

/**
 * What somebody asks for ahead: so much from one host to another, at this time or, if need be,
 * later.
 */
@AutoValue
public abstract class Wish {
  /** {@code class/intent}: conversations under it share the rate. */
  public abstract String intent();

  /** The address that sends. */
  public abstract String from();

  public abstract String to();

  public abstract DataRate rate();

  public abstract Instant start();

  public abstract Duration duration();

  /** When it must be over at the latest. */
  public abstract Instant deadline();

  /**
   * @throws IllegalArgumentException if it is for nothing, for no time, or cannot end in time
   */
  public static Wish of(
      String intent,
      String from,
      String to,
      DataRate rate,
      Instant start,
      Duration duration,
      Instant deadline) {
    if (rate.equals(DataRate.ZERO)) {
      throw new IllegalArgumentException("A reservation of no rate reserves nothing.");
    }
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "The duration (" + duration + ") must be longer than nothing.");
    }
    if (start.plus(duration).isAfter(deadline)) {
      throw new IllegalArgumentException(
          "From ("
              + start
              + ") for ("
              + duration
              + ") ends after the deadline ("
              + deadline
              + "). Maybe leave the deadline out.");
    }
    return new AutoValue_Wish(intent, from, to, rate, start, duration, deadline);
  }

  Wish at(Instant otherStart) {
    return of(intent(), from(), to(), rate(), otherStart, duration(), deadline());
  }

  Wish with(DataRate otherRate) {
    return of(intent(), from(), to(), otherRate, start(), duration(), deadline());
  }

  public Instant end() {
    return start().plus(duration());
  }

  /** As the log of changes shows it. */
  @Override
  public final String toString() {
    return rate() + " from " + from() + " to " + to() + " for (" + intent() + "), " + start()
        + " until " + end();
  }
}
