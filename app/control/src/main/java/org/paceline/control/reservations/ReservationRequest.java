package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.paceline.intents.address.Endpoint;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * What somebody asks for ahead: a rate from one host to another, or for elephants between prefixes,
 * at this time or, if need be, later; or a transfer, so many bytes by a deadline.
 */
@AutoValue
public abstract class ReservationRequest {
  private static final int MOST = 100_000;

  /** {@code class/intent}: conversations under it share the rate. */
  public abstract String intent();

  /** Who sends: a host's address, or a prefix of which all share a circuit. */
  public abstract Endpoint from();

  public abstract Endpoint to();

  public abstract DataRate rate();

  public abstract Instant start();

  public abstract Duration duration();

  /** When it must be over at the latest. */
  public abstract Instant deadline();

  /** How many conversations will share the rate, as far as whoever asks knows: 1 or more. */
  public abstract int conversations();

  /** Whether others may have what its conversations leave unused, until they ask for it. */
  public abstract boolean isAdaptive();

  /** Of a transfer what is to be sent until its deadline, headers left out; empty for a rate. */
  public abstract Optional<Long> bytes();

  /**
   * @param from an address or a prefix, as {@link Endpoint} reads it
   * @throws IllegalArgumentException if it is for nothing, for no time, or cannot end in time, or
   *     an end is no address
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
    return new AutoValue_ReservationRequest.Builder()
        .intent(intent)
        .from(Endpoint.parse(from))
        .to(Endpoint.parse(to))
        .rate(rate)
        .start(start)
        .duration(duration)
        .deadline(deadline)
        .conversations(1)
        .isAdaptive(false)
        .build();
  }

  /**
   * So many bytes, sent between the two times: the least rate that does it, with a tenth on top.
   *
   * @param bytes of what is transferred, such as a file's size
   * @throws IllegalArgumentException if it is for nothing or for more than can be, or has no time
   */
  public static ReservationRequest transfer(
      String intent, String from, String to, long bytes, Instant start, Instant deadline) {
    if (bytes < 1 || bytes > Transfer.MOST_BYTES) {
      throw new IllegalArgumentException(
          "The bytes (" + bytes + ") must be 1 to " + Transfer.MOST_BYTES + ".");
    }
    if (!deadline.isAfter(start)) {
      throw new IllegalArgumentException(
          "The deadline ("
              + deadline
              + ") must be after the start ("
              + start
              + "). Maybe give it a later one.");
    }
    Duration duration = Duration.between(start, deadline);
    return of(
            intent,
            from,
            to,
            Transfer.rate(bytes, Transfer.aimed(duration)),
            start,
            duration,
            deadline)
        .toBuilder()
        .bytes(bytes)
        .build();
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
    return toBuilder().conversations((int) conversations).build();
  }

  /** The same, lent while it is not used, or not. */
  public ReservationRequest adaptive(boolean adaptive) {
    return toBuilder().isAdaptive(adaptive).build();
  }

  /** At this rate, which for a transfer is what is due by now. */
  public ReservationRequest with(DataRate otherRate) {
    return toBuilder().rate(otherRate).build();
  }

  ReservationRequest at(Instant otherStart) {
    return toBuilder().start(otherStart).build();
  }

  ReservationRequest lasting(Duration otherDuration) {
    return toBuilder().duration(otherDuration).build();
  }

  /** What of it is left from this time on. */
  ReservationRequest since(Instant now) {
    return now.isAfter(start()) && now.isBefore(end())
        ? toBuilder().start(now).duration(Duration.between(now, end())).build()
        : this;
  }

  /** The transfer with another start and deadline, and the rate for them. */
  ReservationRequest between(Instant otherStart, Instant otherDeadline) {
    return transfer(
            intent(),
            from().toString(),
            to().toString(),
            bytes().orElseThrow(),
            otherStart,
            otherDeadline)
        .sharedBy(conversations())
        .adaptive(isAdaptive());
  }

  /** When a transfer is to be done: a little before its deadline. */
  Instant aim() {
    return start().plus(Transfer.aimed(duration()));
  }

  /** Whether the same conversations share both. */
  boolean isForTheSame(ReservationRequest other) {
    return IntentPath.parse(intent()).equals(IntentPath.parse(other.intent()))
        && from().equals(other.from())
        && to().equals(other.to());
  }

  /** Whether it is for all addresses of a prefix, at either end. */
  public final boolean isOfPrefixes() {
    return !from().isAddress() || !to().isAddress();
  }

  public Instant end() {
    return start().plus(duration());
  }

  /** As the log of changes shows it. */
  @Override
  public final String toString() {
    return bytes().map(bytes -> bytes + " bytes").orElseGet(() -> rate().toString())
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
        + (conversations() == 1 ? "" : ", shared by " + conversations())
        + (isAdaptive() ? ", adaptive" : "");
  }

  abstract Builder toBuilder();

  /** Builds a request. */
  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder intent(String intent);

    abstract Builder from(Endpoint sender);

    abstract Builder to(Endpoint receiver);

    abstract Builder rate(DataRate rate);

    abstract Builder start(Instant start);

    abstract Builder duration(Duration duration);

    abstract Builder deadline(Instant deadline);

    abstract Builder conversations(int conversations);

    abstract Builder isAdaptive(boolean isAdaptive);

    abstract Builder bytes(long bytes);

    abstract ReservationRequest build();
  }
}
