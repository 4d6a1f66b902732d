package org.paceline.onos.queue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.InvalidFieldException;
import org.paceline.onos.netcfg.Settings;

/**
 * What an operator knows of a switch that it does not tell: network configuration {@code
 * devices/ID/paceline} with {@code maxRules}, {@code maxMeters}, {@code managedQueue}, the queue of
 * its ports for managed traffic where it honours OpenFlow's set_queue, {@code queueAgent}, the host
 * whose agent may divide its ports between elephants and others, and {@code guardedPorts}, at which
 * packets from others' addresses are dropped.
 */
public final class SwitchSettings extends Settings<DeviceId> {
  private static final String MAX_RULES = "maxRules";
  private static final String MAX_METERS = "maxMeters";
  private static final String MANAGED_QUEUE = "managedQueue";
  private static final String QUEUE_AGENT = "queueAgent";
  private static final String GUARDED_PORTS = "guardedPorts";
  private static final List<String> NUMBERS = List.of(MAX_RULES, MAX_METERS, MANAGED_QUEUE);
  private static final List<String> KNOWN =
      List.of(MAX_RULES, MAX_METERS, MANAGED_QUEUE, QUEUE_AGENT, GUARDED_PORTS);

  public SwitchSettings() {
    super(KNOWN);
  }

  @Override
  protected void mustBeUsable() {
    NUMBERS.forEach(this::number);
    queueAgent();
    guardedPorts();
  }

  Optional<Integer> maxRules() {
    return number(MAX_RULES);
  }

  Optional<Integer> maxMeters() {
    return number(MAX_METERS);
  }

  Optional<Integer> managedQueue() {
    return number(MANAGED_QUEUE);
  }

  /** The host whose agent may divide its ports; empty where nobody may. */
  Optional<String> queueAgent() {
    JsonNode node = object.path(QUEUE_AGENT);
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    if (!node.isTextual() || node.textValue().isBlank()) {
      throw new InvalidFieldException(
          QUEUE_AGENT,
          "the " + QUEUE_AGENT + " (" + node + ") must be the hostId of the switch's agent");
    }
    return Optional.of(node.textValue());
  }

  /** The numbers of its ports at which what comes from others' addresses is dropped. */
  Set<Long> guardedPorts() {
    JsonNode node = object.path(GUARDED_PORTS);
    Set<Long> ports = new HashSet<>();
    boolean isList = node.isArray() || node.isMissingNode();
    for (JsonNode port : node) {
      isList &= port.isIntegralNumber() && port.canConvertToInt() && port.intValue() > 0;
      ports.add(port.longValue());
    }
    if (!isList) {
      throw new InvalidFieldException(
          GUARDED_PORTS,
          "the " + GUARDED_PORTS + " (" + node + ") must be a list of numbers of ports from 1 up");
    }
    return ports;
  }

  private Optional<Integer> number(String field) {
    JsonNode node = object.path(field);
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
      throw new InvalidFieldException(
          field, "the " + field + " (" + node + ") must be a whole number from 0 up");
    }
    return Optional.of(node.intValue());
  }
}
