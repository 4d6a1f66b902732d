package org.paceline.intents.unit;

import com.google.auto.value.AutoValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A data rate, held in whole millibits per second so that sums and comparisons are exact.
 *
 * <p>Measured utility tables give their rates in kbit/s with six decimals, which is one millibit
 * per second; docs/decisions/001-exact-units.md says why whole bits would not do.
 */
@AutoValue
public abstract class DataRate implements Comparable<DataRate> {
  public static final DataRate ZERO = new AutoValue_DataRate(0);

  /** For where no rate is too great. It is no rate that anybody sends, and is never shown. */
  public static final DataRate MAX = new AutoValue_DataRate(Long.MAX_VALUE);

  private static final BigDecimal MILLIBITS_PER_KILOBIT = BigDecimal.valueOf(1_000_000);
  private static final Pattern TEXT =
      Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*(bit|kbit|mbit|gbit)(?:/s)?\\s*");

  /** Millibits per second, from 0. */
  public abstract long millibitsPerSecond();

  public static DataRate ofMillibitsPerSecond(long millibitsPerSecond) {
    if (millibitsPerSecond < 0) {
      throw new IllegalArgumentException(
          "The rate (" + millibitsPerSecond + " mbit/s) must not be negative.");
    }
    return new AutoValue_DataRate(millibitsPerSecond);
  }

  public static DataRate ofBitsPerSecond(long bitsPerSecond) {
    return ofMillibitsPerSecond(Math.multiplyExact(bitsPerSecond, 1_000L));
  }

  public static DataRate ofKilobitsPerSecond(long kilobitsPerSecond) {
    return ofMillibitsPerSecond(Math.multiplyExact(kilobitsPerSecond, 1_000_000L));
  }

  /** Rounds half up to a millibit per second: the resolution of the published tables. */
  public static DataRate ofKilobitsPerSecond(BigDecimal kilobitsPerSecond) {
    BigDecimal millibits =
        kilobitsPerSecond.multiply(MILLIBITS_PER_KILOBIT).setScale(0, RoundingMode.HALF_UP);
    if (millibits.toBigInteger().bitLength() > 62) {
      throw new IllegalArgumentException(
          "The rate ("
              + kilobitsPerSecond
              + " kbit/s) is beyond 4.6 Pbit/s. Maybe its unit is wrong.");
    }
    return ofMillibitsPerSecond(millibits.longValueExact());
  }

  /** Reads a rate as operators write it, such as {@code 100mbit} or {@code 2.5 Gbit/s}. */
  public static DataRate parse(String text) {
    return tryParse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The rate ("
                        + text
                        + ") is not a number with a unit. Maybe you meant something like 100mbit"
                        + " (bit, kbit, mbit, gbit)."));
  }

  public static Optional<DataRate> tryParse(String text) {
    Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal kilobits = new BigDecimal(matcher.group(1)).scaleByPowerOfTen(exponent(matcher));
    return kilobits.compareTo(BigDecimal.valueOf(4_000_000_000_000L)) > 0
        ? Optional.empty()
        : Optional.of(ofKilobitsPerSecond(kilobits));
  }

  private static int exponent(Matcher matcher) {
    switch (matcher.group(2)) {
      case "bit":
        return -3;
      case "kbit":
        return 0;
      case "mbit":
        return 3;
      default:
        return 6;
    }
  }

  /** Bits per second, rounded down: an enforced limit must never exceed the granted rate. */
  public long bitsPerSecond() {
    return millibitsPerSecond() / 1_000;
  }

  /** Kilobits per second, rounded down: an enforced limit must never exceed the granted rate. */
  public long toKbpsFloor() {
    return millibitsPerSecond() / 1_000_000;
  }

  /** Kilobits per second, exactly. */
  public BigDecimal kilobitsPerSecond() {
    return BigDecimal.valueOf(millibitsPerSecond(), 6);
  }

  public DataRate plus(DataRate other) {
    return ofMillibitsPerSecond(Math.addExact(millibitsPerSecond(), other.millibitsPerSecond()));
  }

  /** The difference, or zero where the other is greater. */
  public DataRate minusOrZero(DataRate other) {
    return ofMillibitsPerSecond(Math.max(0, millibitsPerSecond() - other.millibitsPerSecond()));
  }

  public DataRate times(long factor) {
    return ofMillibitsPerSecond(Math.multiplyExact(millibitsPerSecond(), factor));
  }

  @Override
  public int compareTo(DataRate other) {
    return Long.compare(millibitsPerSecond(), other.millibitsPerSecond());
  }

  @Override
  public final String toString() {
    return kilobitsPerSecond().stripTrailingZeros().toPlainString() + " kbit/s";
  }
}
