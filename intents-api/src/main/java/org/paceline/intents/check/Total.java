package org.paceline.intents.check;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/** A sum without round-off of its own, which knows how much its terms may have. */
final class Total {
  private BigDecimal sum = BigDecimal.ZERO;
  private double magnitude;

  /** What all links earn at these prices when they are full. */
  static Total revenue(Network network, Map<LinkId, Double> prices) {
    Total total = new Total();
    for (Link link : network.links()) {
      double revenue = prices.getOrDefault(link.id(), 0.0) * link.limitMillibits();
      total.add(revenue, revenue);
    }
    return total;
  }

  void add(double term, double termMagnitude) {
    sum = sum.add(new BigDecimal(term));
    magnitude += termMagnitude;
  }

  BigDecimal sum() {
    return sum;
  }

  BigDecimal roundOff() {
    return new BigDecimal(magnitude * CertificateChecker.ROUND_OFF);
  }

  @Override
  public String toString() {
    return sum.setScale(3, RoundingMode.HALF_UP).toPlainString();
  }
}
