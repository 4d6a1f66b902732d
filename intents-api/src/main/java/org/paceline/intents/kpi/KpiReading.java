package org.paceline.intents.kpi;

import com.google.auto.value.AutoValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;

/** A KPI's value as an application reported it, whatever that is, and when. */
@AutoValue
public abstract class KpiReading {
  private static final int SHOWN_DIGITS = 4;

  public abstract double value();

  public abstract Instant at();

  /** For people: four digits of it. */
  public final String text() {
    return Double.isFinite(value())
        ? BigDecimal.valueOf(value())
            .round(new MathContext(SHOWN_DIGITS))
            .stripTrailingZeros()
            .toPlainString()
        : String.valueOf(value());
  }

  public static KpiReading of(double value, Instant at) {
    return new AutoValue_KpiReading(value, at);
  }
}
