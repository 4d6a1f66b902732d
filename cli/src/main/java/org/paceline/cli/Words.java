package org.paceline.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Numbers with their units, as a person reads them. */
final class Words {
  private static final String NONE = "-";

  private Words() {}

  static String rate(Optional<DataRate> rate) {
    return rate.map(r -> rounded(r.kilobitsPerSecond(), 0) + " kbit/s").orElse(NONE);
  }

  static String delay(Optional<Latency> delay) {
    return delay.map(d -> rounded(d.millis(), 1) + " ms").orElse(NONE);
  }

  static String utility(Optional<Utility> utility) {
    return utility.map(u -> rounded(u.value(), 2)).orElse(NONE);
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String rounded(BigDecimal number, int digits) {
    return number.setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }
}
