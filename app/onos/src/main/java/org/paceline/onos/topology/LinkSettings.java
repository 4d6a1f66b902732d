package org.paceline.onos.topology;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onosproject.net.LinkKey;
import org.onosproject.net.config.InvalidFieldException;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.onos.netcfg.Settings;

/**
 * What an operator knows of a link better than its ports: network configuration {@code
 * links/SRC-DST/paceline} with {@code capacityKbps}, {@code delayMs} (a number, or one a point) and
 * {@code usageKbps} (the points' loads).
 */
public final class LinkSettings extends Settings<LinkKey> {
  private static final String CAPACITY = "capacityKbps";
  private static final String DELAY = "delayMs";
  private static final String USAGE = "usageKbps";
  private static final List<String> KNOWN = List.of(CAPACITY, DELAY, USAGE);

  public LinkSettings() {
    super(KNOWN);
  }

  @Override
  protected void mustBeUsable() {
    try {
      capacity();
      delay();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new InvalidFieldException(KEY, e.getMessage());
    }
  }

  /** Empty where the ports' speed holds. */
  Optional<DataRate> capacity() {
    JsonNode node = object.path(CAPACITY);
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    BigDecimal kbps = number(CAPACITY, node);
    if (kbps.signum() <= 0) {
      throw new IllegalArgumentException(
          "The capacity ("
              + kbps
              + " kbit/s) must be above 0. Maybe disable the port to take the link out of use.");
    }
    return Optional.of(DataRate.ofKilobitsPerSecond(kbps));
  }

  /** Empty where none is configured. */
  Optional<LinkDelay> delay() {
    JsonNode node = object.path(DELAY);
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    if (!node.isArray()) {
      return Optional.of(LinkDelay.constant(Latency.ofMillis(number(DELAY, node))));
    }
    List<Latency> delays = new ArrayList<>();
    node.forEach(point -> delays.add(Latency.ofMillis(number(DELAY, point))));
    List<DataRate> loads = new ArrayList<>();
    object
        .path(USAGE)
        .forEach(point -> loads.add(DataRate.ofKilobitsPerSecond(number(USAGE, point))));
    return Optional.of(LinkDelay.piecewise(loads, delays));
  }

  private static BigDecimal number(String field, JsonNode node) {
    if (!node.isNumber()) {
      throw new IllegalArgumentException("The " + field + " (" + node + ") must be a number.");
    }
    return node.decimalValue();
  }
}
