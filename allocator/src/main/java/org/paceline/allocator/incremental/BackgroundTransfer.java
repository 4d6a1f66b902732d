package org.paceline.allocator.incremental;

import com.google.auto.value.AutoValue;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.paceline.intents.problem.Application;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** A backup or the like, of which size and deadline are known: Sieber et al. 2020, section 3.1. */
@AutoValue
public abstract class BackgroundTransfer {
  private static final BigInteger MILLIBITS_PER_BYTE = BigInteger.valueOf(8_000);
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);
  private static final Latency ANY_DELAY = Latency.ofMillis(3_600_000);

  /** Bytes that are still to be sent. */
  public abstract long bytes();

  /** Until the last of them must have arrived. */
  public abstract Duration timeLeft();

  public static BackgroundTransfer of(long bytes, Duration timeLeft) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("The bytes (" + bytes + ") to transfer must be positive.");
    }
    if (timeLeft.isZero() || timeLeft.isNegative()) {
      throw new IllegalArgumentException(
          "The deadline has passed (" + timeLeft + " left). Maybe give the transfer a later one.");
    }
    return new AutoValue_BackgroundTransfer(bytes, timeLeft);
  }

  /** The least constant rate that is in time, rounded up. */
  public DataRate rate() {
    BigInteger nanos =
        BigInteger.valueOf(timeLeft().getSeconds())
            .multiply(NANOS_PER_SECOND)
            .add(BigInteger.valueOf(timeLeft().getNano()));
    BigInteger[] rate =
        BigInteger.valueOf(bytes())
            .multiply(MILLIBITS_PER_BYTE)
            .multiply(NANOS_PER_SECOND)
            .divideAndRemainder(nanos);
    BigInteger up = rate[1].signum() == 0 ? rate[0] : rate[0].add(BigInteger.ONE);
    if (up.bitLength() > 62) {
      throw new IllegalArgumentException(
          "The transfer of " + bytes() + " bytes in " + timeLeft() + " needs an absurd rate.");
    }
    return DataRate.ofMillibitsPerSecond(up.longValueExact());
  }

  /** What is left to do after a while; empty transfers are for the caller to end. */
  public BackgroundTransfer after(long sentBytes, Duration passed) {
    return of(bytes() - sentBytes, timeLeft().minus(passed));
  }

  /**
   * An application that takes exactly this rate, at any delay, and is content with it: it neither
   * lowers the least utility nor competes for more.
   */
  public Application application(String id, String from, String to, int priority) {
    UtilityFunction exactly =
        UtilityFunction.of(
            "transfer " + id, List.of(rate()), List.of(ANY_DELAY), List.of(List.of(Utility.MAX)));
    return Application.of(id, from, to, exactly, 1, priority);
  }
}
