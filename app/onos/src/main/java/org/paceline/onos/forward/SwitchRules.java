package org.paceline.onos.forward;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.port.Worker;
import org.paceline.onos.meter.MeteredPackets;
import org.paceline.onos.tables.SwitchTables;

/**
 * The rules of {@link ControllerTable} at one switch: those that show packets, and apart from them
 * those that limit. Where it refuses one of the latter nothing else is written anew for that.
 * Belongs to the worker's thread.
 */
final class SwitchRules {
  /** By then no other rule leads to the table, whoever wrote it. */
  private static final Duration UNUSED = Duration.ofSeconds(10);

  private final DeviceId device;
  private final ControllerTable table;
  private final SwitchTables showing;
  private final SwitchTables limits;
  private final Worker worker;
  private boolean isLeaving;
  private int departures;

  SwitchRules(
      DeviceId device,
      ControllerTable table,
      SwitchTables showing,
      SwitchTables limits,
      Worker worker) {
    this.device = device;
    this.table = table;
    this.showing = showing;
    this.limits = limits;
    this.worker = worker;
  }

  /** What a controller before this one left on the switch. */
  void adopt(FlowEntry entry) {
    (ControllerTable.isLimit(entry) ? limits : showing).adopt(entry);
  }

  /**
   * @param linked the ports by which links leave
   * @param meters of its other ports, those that there are by now
   */
  void want(Set<ConnectPoint> linked, Map<MeteredPackets, MeterId> meters) {
    isLeaving = false;
    showing.want(table.showing(device));
    limits.want(table.limits(device, linked, meters));
  }

  /**
   * Nothing leads to the table any more: what does meanwhile, such as hosts' questions, still
   * reaches the controller.
   */
  void leave() {
    if (isLeaving) {
      return;
    }
    isLeaving = true;
    int departure = ++departures;
    limits.want(Set.of());
    showing.want(
        showing.wanted().stream()
            .filter(rule -> rule.tableId() == ControllerTable.TABLE)
            .collect(Collectors.toSet()));
    worker.after(
        UNUSED,
        () -> {
          if (isLeaving && departure == departures) {
            showing.want(Set.of());
          }
        });
  }

  /** Whether it takes what limits, as far as is known. */
  boolean isLimited() {
    return !limits.isBarred();
  }

  /**
   * Whether packets reach the controller by these.
   *
   * @param did whether they did before
   */
  boolean shows(boolean did) {
    return did && !showing.isBarred() || showing.isInForce();
  }

  boolean isIdle() {
    return showing.isIdle() && limits.isIdle();
  }

  void returned() {
    showing.returned();
    limits.returned();
  }

  Collection<FlowRule> wanted() {
    Set<FlowRule> wanted = new HashSet<>(showing.wanted());
    wanted.addAll(limits.wanted());
    return wanted;
  }

  void writeAgain(Set<FlowRule> lost) {
    showing.writeAgain(lost);
    limits.writeAgain(lost);
  }
}
