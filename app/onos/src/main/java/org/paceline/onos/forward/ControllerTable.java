package org.paceline.onos.forward;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
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
import org.paceline.onos.meter.MeteredPackets;
import org.paceline.onos.tables.TableRule;

/**
 * The rules by which packets reach the controller through meters of the port that they came in by:
 * table 0 sends what default forwarding wants to see to table 6, and that one to the controller.
 * IPv4 has a meter of its own, so that who sends it to nobody loses no question by it.
 *
 * <p>Those that lead there are few, alike for all ports, and stand as long as the switch is here.
 * Their last rule shows the controller all, without a meter: removing a meter removes the rules
 * that refer to it, and what comes in by a port that is new, or has no meter, must not be lost.
 * Above it are those that limit, which a switch may do without: a port's with its meters, and those
 * of links, for what comes in by them the switch before has shown already.
 */
public final class ControllerTable {
  /** The last one, for packets go to later tables only. */
  static final int TABLE = 6;

  /** How many tables a switch needs for it. */
  static final int TABLES = TABLE + 1;

  private static final int LINK_PRIORITY = 4;
  private static final int IPV4_PRIORITY = 3;
  private static final int METERED_PRIORITY = 2;
  private static final int LAST_PRIORITY = 1;

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

  /** Whether one of these limits what others show. */
  static boolean isLimit(FlowRule rule) {
    return rule.tableId() == TABLE && rule.priority() > LAST_PRIORITY;
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

  /** What a switch needs to show the controller anything by them, whatever its ports. */
  Set<FlowRule> showing(DeviceId device) {
    Set<FlowRule> rules = new HashSet<>();
    rules.add(toTable(device, UNKNOWN_PRIORITY, type(EtherType.IPV4)));
    asking().forEach(asked -> rules.add(toTable(device, ASKING_PRIORITY, asked)));
    rules.add(
        rule(
            device,
            LAST_PRIORITY,
            DefaultTrafficSelector.builder(),
            DefaultTrafficTreatment.builder().punt()));
    return rules;
  }

  /**
   * What bounds it.
   *
   * @param linked the ports by which links leave
   * @param meters of its other ports, those that there are by now
   */
  Set<FlowRule> limits(
      DeviceId device, Set<ConnectPoint> linked, Map<MeteredPackets, MeterId> meters) {
    Set<FlowRule> rules = new HashSet<>();
    linked.forEach(
        port ->
            rules.add(
                rule(device, LINK_PRIORITY, by(port), DefaultTrafficTreatment.builder().drop())));
    meters.forEach(
        (packets, meter) -> {
          boolean isIpv4 = packets.kind() == MeteredPackets.Kind.IPV4;
          TrafficSelector.Builder selector = by(packets.port());
          if (isIpv4) {
            selector.matchEthType(EtherType.IPV4.ethType().toShort());
          }
          rules.add(
              rule(
                  device,
                  isIpv4 ? IPV4_PRIORITY : METERED_PRIORITY,
                  selector,
                  DefaultTrafficTreatment.builder().meter(meter).punt()));
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

  private static TrafficSelector.Builder by(ConnectPoint port) {
    return DefaultTrafficSelector.builder().matchInPort(port.port());
  }

  private FlowRule rule(
      DeviceId device,
      int priority,
      TrafficSelector.Builder selector,
      TrafficTreatment.Builder treatment) {
    return TableRule.of(app, device, TABLE, priority, selector, treatment);
  }
}
