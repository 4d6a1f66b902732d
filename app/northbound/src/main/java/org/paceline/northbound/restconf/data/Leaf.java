package org.paceline.northbound.restconf.data;

import java.math.BigDecimal;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Units as module paceline-types has them: decimals in RFC 7950's canonical form. */
public final class Leaf {
  private Leaf() {}

  /** In kbit/s. */
  public static String rate(DataRate rate) {
    return decimal(rate.kilobitsPerSecond());
  }

  /** In ms. */
  public static String delay(Latency delay) {
    return decimal(delay.millis());
  }

  /** From 1 to 5, without a unit. */
  public static String utility(Utility utility) {
    return decimal(utility.value());
  }

  /** Whatever unit its leaf has; at least one digit follows the point. */
  public static String decimal(BigDecimal value) {
    BigDecimal least = value.stripTrailingZeros();
    return least.setScale(Math.max(1, least.scale())).toPlainString();
  }
}
