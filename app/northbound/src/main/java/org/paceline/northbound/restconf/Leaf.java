package org.paceline.northbound.restconf;

import java.math.BigDecimal;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Units as module paceline-types has them: decimals in RFC 7950's canonical form. */
final class Leaf {
  private Leaf() {}

  static String rate(DataRate rate) {
    return decimal(rate.kilobitsPerSecond());
  }

  static String delay(Latency delay) {
    return decimal(delay.millis());
  }

  static String utility(Utility utility) {
    return decimal(utility.value());
  }

  static String decimal(BigDecimal value) {
    BigDecimal least = value.stripTrailingZeros();
    return least.setScale(Math.max(1, least.scale())).toPlainString();
  }
}
