package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * What somebody asks for ahead: so much from one host to another, at this time or, if need be,
 * later.
 */
@AutoValue
public abstract class ReservationRequest {
  private static final int MOST = 100_000;

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

  /** How many conversations will share the rate, as far as whoever asks knows: 1 or more. */
  public abstract int conversations();

  /**
   * @throws IllegalArgumentException if it is for nothing, for no time, or cannot end in time
   */
  public static ReservationRequest of(
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
    return new AutoValue_ReservationRequest(intent, from, to, rate, start, duration, deadline, 1);
  }

  /**
   * The same for so many conversations together.
   *
   * @throws IllegalArgumentException if it is not 1 to 100,000
   */
  public ReservationRequest sharedBy(long conversations) {
    if (conversations < 1 || conversations > MOST) {
      throw new IllegalArgumentException(
          "The conversations that share it (" + conversations + ") must be 1 to " + MOST + ".");
    }
    return new AutoValue_ReservationRequest(
        intent(), from(), to(), rate(), start(), duration(), deadline(), (int) conversations);
  }

  ReservationRequest at(Instant otherStart) {
    return of(intent(), from(), to(), rate(), otherStart, duration(), deadline())
        .sharedBy(conversations());
  }

  ReservationRequest with(DataRate otherRate) {
    return of(intent(), from(), to(), otherRate, start(), duration(), deadline())
        .sharedBy(conversations());
  }

  ReservationRequest lasting(Duration otherDuration) {
    return of(intent(), from(), to(), rate(), start(), otherDuration, deadline())
        .sharedBy(conversations());
  }

  /** Whether the same conversations share both. */
  boolean isForTheSame(ReservationRequest other) {
    return IntentPath.parse(intent()).equals(IntentPath.parse(other.intent()))
        && from().equals(other.from())
        && to().equals(other.to());
  }

  public Instant end() {
    return start().plus(duration());
  }

  /** As the log of changes shows it. */
  @Override
  public final String toString() {
    return rate()
        + " from "
        + from()
        + " to "
        + to()
        + " for ("
        + intent()
        + "), "
        + start()
        + " until "
        + end()
        + (conversations() == 1 ? "" : ", shared by " + conversations());
  }
}
