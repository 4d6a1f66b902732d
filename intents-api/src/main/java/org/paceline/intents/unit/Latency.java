package org.paceline.intents.unit;

import com.google.auto.value.AutoValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A delay, held in whole nanoseconds. */
@AutoValue
public abstract class Latency implements Comparable<Latency> {
  public static final Latency ZERO = new AutoValue_Latency(0);

  private static final Pattern TEXT = Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*(us|ms|s)\\s*");

  /** Nanoseconds, from 0. */
  public abstract long nanos();

  public static Latency ofNanos(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("The delay (" + nanos + " ns) must not be negative.");
    }
    return new AutoValue_Latency(nanos);
  }

  public static Latency ofMillis(long millis) {
    return ofNanos(Math.multiplyExact(millis, 1_000_000L));
  }

  /** Rounds half up to a nanosecond. */
  public static Latency ofMillis(BigDecimal millis) {
    BigDecimal nanos = millis.scaleByPowerOfTen(6).setScale(0, RoundingMode.HALF_UP);
    if (nanos.toBigInteger().bitLength() > 62) {
      throw new IllegalArgumentException(
          "The delay (" + millis + " ms) is beyond a century. Maybe its unit is wrong.");
    }
    return ofNanos(nanos.longValueExact());
  }

  /** Reads a delay as operators write it, such as {@code 20ms}. */
  public static Latency parse(String text) {
    return tryParse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The delay ("
                        + text
                        + ") is not a number with a unit. Maybe you meant something like 20ms"
                        + " (us, ms, s)."));
  }

  public static Optional<Latency> tryParse(String text) {
    Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String unit = matcher.group(2);
    int exponent = unit.equals("us") ? -3 : unit.equals("ms") ? 0 : 3;
    BigDecimal millis = new BigDecimal(matcher.group(1)).scaleByPowerOfTen(exponent);
    return millis.compareTo(BigDecimal.valueOf(1_000_000_000_000L)) > 0
        ? Optional.empty()
        : Optional.of(ofMillis(millis));
  }

  /** Milliseconds, exactly. */
  public BigDecimal millis() {
    return BigDecimal.valueOf(nanos(), 6);
  }

  public Latency plus(Latency other) {
    return ofNanos(Math.addExact(nanos(), other.nanos()));
  }

  @Override
  public int compareTo(Latency other) {
    return Long.compare(nanos(), other.nanos());
  }

  @Override
  public final String toString() {
    return millis().stripTrailingZeros().toPlainString() + " ms";
  }
}
