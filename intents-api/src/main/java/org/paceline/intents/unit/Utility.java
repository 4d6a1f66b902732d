package org.paceline.intents.unit;

import com.google.auto.value.AutoValue;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What a user thinks of the service, from 1 (bad) to 5 (excellent), held in whole billionths so
 * that sums over a million applications are exact and independent of their order.
 */
@AutoValue
public abstract class Utility implements Comparable<Utility> {
  /** Billionths of a utility of 1. */
  public static final long SCALE = 1_000_000_000L;

  public static final Utility MIN = new AutoValue_Utility(SCALE);
  public static final Utility MAX = new AutoValue_Utility(5 * SCALE);

  /** Billionths, from 1e9 to 5e9. */
  public abstract long billionths();

  public static Utility ofBillionths(long billionths) {
    if (billionths < SCALE || billionths > 5 * SCALE) {
      throw new IllegalArgumentException(
          "The utility ("
              + BigDecimal.valueOf(billionths, 9).stripTrailingZeros().toPlainString()
              + ") must lie from 1 to 5.");
    }
    return new AutoValue_Utility(billionths);
  }

  /** Rounds half up to a billionth. */
  public static Utility of(BigDecimal value) {
    BigDecimal billionths = value.scaleByPowerOfTen(9).setScale(0, RoundingMode.HALF_UP);
    if (billionths.toBigInteger().bitLength() > 40) {
      throw new IllegalArgumentException("The utility (" + value + ") must lie from 1 to 5.");
    }
    return ofBillionths(billionths.longValueExact());
  }

  public static Utility of(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("The utility (" + value + ") must lie from 1 to 5.");
    }
    return of(BigDecimal.valueOf(value));
  }

  public BigDecimal value() {
    return BigDecimal.valueOf(billionths(), 9);
  }

  @Override
  public int compareTo(Utility other) {
    return Long.compare(billionths(), other.billionths());
  }

  @Override
  public final String toString() {
    return value().stripTrailingZeros().toPlainString();
  }
}
