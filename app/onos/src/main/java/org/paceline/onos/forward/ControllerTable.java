package org.paceline.onos.forward;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.EthType.EtherType;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.packet.PacketPriority;
import org.paceline.onos.tables.TableRule;

/**
 * The rules by which packets reach the controller through a meter of the port that they came in by:
 * table 0 sends what default forwarding wants to see to table 6, and that one to the controller.
 * What comes in by a link no rule of table 6 takes: the switch before has shown it already.
 *
 * <p>The rule with a meter stands above one without. Removing a meter removes the rules that refer
 * to it, and hosts must find each other all the same.
 */
public final class ControllerTable {
  /** The last one, for packets go to later tables only. */
  static final int TABLE = 6;

  /** How many tables a switch needs for it. */
  static final int TABLES = TABLE + 1;

  static final int METERED_PRIORITY = 2;
  static final int UNMETERED_PRIORITY = 1;

  /** Above ONOS's own rules for the same packets, which go to the controller without a meter. */
  private static final int ASKING_PRIORITY = PacketPriority.CONTROL.priorityValue() + 1;

  private static final int UNKNOWN_PRIORITY = PacketPriority.REACTIVE.priorityValue() + 1;

  private final ApplicationId app;

  ControllerTable(ApplicationId app) {
    this.app = app;
  }

  /** Whether a rule is one of these, whoever wrote it. */
  static boolean isOurs(FlowRule rule) {
    return rule.tableId() == TABLE
        || rule.tableId() == 0
            && (rule.priority() == ASKING_PRIORITY || rule.priority() == UNKNOWN_PRIORITY);
  }

  /**
   * Shows the controller a packet, or a copy where the treatment sends it out before.
   *
   * @param isMetered whether the packet's switch has these rules
   */
  public static TrafficTreatment.Builder show(
      TrafficTreatment.Builder treatment, boolean isMetered) {
    return isMetered ? treatment.transition(TABLE) : treatment.punt();
  }

  /**
   * @param ports those that hosts may be at, with their meters where there are any by now
   */
  Set<FlowRule> of(DeviceId device, Map<ConnectPoint, Optional<MeterId>> ports) {
    Set<FlowRule> rules = new HashSet<>();
    rules.add(toTable(device, UNKNOWN_PRIORITY, type(EtherType.IPV4)));
    asking().forEach(asked -> rules.add(toTable(device, ASKING_PRIORITY, asked)));
    ports.forEach(
        (port, meter) -> {
          rules.add(toController(port, UNMETERED_PRIORITY, DefaultTrafficTreatment.builder()));
          meter.ifPresent(
              id ->
                  rules.add(
                      toController(
                          port, METERED_PRIORITY, DefaultTrafficTreatment.builder().meter(id))));
        });
    return rules;
  }

  /** By what hosts look for each other. */
  private static Collection<TrafficSelector.Builder> asking() {
    Collection<TrafficSelector.Builder> asking = new HashSet<>(Neighbours.matches());
    asking.add(type(EtherType.ARP));
    return asking;
  }

  private static TrafficSelector.Builder type(EtherType type) {
    return DefaultTrafficSelector.builder().matchEthType(type.ethType().toShort());
  }

  private FlowRule toTable(DeviceId device, int priority, TrafficSelector.Builder selector) {
    return TableRule.of(
        app, device, 0, priority, selector, show(DefaultTrafficTreatment.builder(), true));
  }

  private FlowRule toController(
      ConnectPoint port, int priority, TrafficTreatment.Builder treatment) {
    return TableRule.of(
        app,
        port.deviceId(),
        TABLE,
        priority,
        DefaultTrafficSelector.builder().matchInPort(port.port()),
        treatment.punt());
  }
}
