package org.paceline.northbound.restconf.data;

import java.math.BigDecimal;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Units as module paceline-types has them: decimals in RFC 7950's canonical form. */
public final class Leaf {
  private Leaf() {}

  public static String rate(DataRate rate) {
    return decimal(rate.kilobitsPerSecond());
  }

  public static String delay(Latency delay) {
    return decimal(delay.millis());
  }

  public static String utility(Utility utility) {
    return decimal(utility.value());
  }

  public static String decimal(BigDecimal value) {
    BigDecimal least = value.stripTrailingZeros();
    return least.setScale(Math.max(1, least.scale())).toPlainString();
  }
}
