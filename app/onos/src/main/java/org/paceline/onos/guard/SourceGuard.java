package org.paceline.onos.guard;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.host.HostService;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;
import org.paceline.control.work.Upkeep;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.StagedWriter;
import org.paceline.onos.forward.DestinationRules;
import org.paceline.onos.tables.RuleOwner;
import org.paceline.onos.tables.SwitchTables;

/**
 * Has what comes in by guarded ports dropped where its source is no address that ONOS knows at that
 * port, and ARP and what IPv6 has in its place where they claim one that ONOS knows elsewhere.
 * Belongs to the worker's thread.
 */
public final class SourceGuard implements RuleOwner, AutoCloseable {
  private static final String LOSS =
      "its guardedPorts are not guarded. Maybe it has no six tables, or no room.";

  private final OwnRules rules;
  private final HostService hosts;
  private final Supplier<Set<ConnectPoint>> guarded;
  private final Worker worker;
  private final Journal journal;
  private final GuardRules guardRules;
  private final StagedWriter writer;
  private final Map<DeviceId, SwitchTables> tables = new HashMap<>();
  private final Upkeep upkeep;
  private volatile Iterable<FlowRule> forwarding = List.of();

  /**
   * @param guarded the ports that operators want guarded
   * @param metered whether a switch shows packets to the controller through meters
   */
  public SourceGuard(
      OwnRules rules,
      HostService hosts,
      Supplier<Set<ConnectPoint>> guarded,
      Predicate<DeviceId> metered,
      Worker worker,
      Journal journal) {
    this.rules = rules;
    this.hosts = hosts;
    this.guarded = guarded;
    this.worker = worker;
    this.journal = journal;
    this.guardRules = new GuardRules(rules.app(), metered);
    this.writer = new StagedWriter(rules, worker);
    this.upkeep =
        new Upkeep(
            worker, Duration.ZERO, "Guarded ports are not as they should be.", this::refresh);
  }

  /** Takes over what a controller before this one left, where ONOS keeps that. */
  public void open() {
    worker.execute(
        () -> {
          for (FlowEntry entry : rules.service().getFlowEntriesById(rules.app())) {
            if (entry.state() == FlowEntry.FlowEntryState.ADDED && GuardRules.isOurs(entry)) {
              tables(entry.deviceId()).adopt(entry);
            }
          }
        });
  }

  /** Writes nothing more. */
  @Override
  public void close() {
    writer.close();
  }

  /**
   * Default forwarding has these rules now, for hosts or guarded ports may be others. Any thread
   * may say so.
   */
  public void forwardsBy(Iterable<FlowRule> forwarding) {
    this.forwarding = forwarding;
    upkeep.ask();
  }

  private void refresh() {
    Map<DeviceId, Set<FlowRule>> wanted = new HashMap<>();
    for (ConnectPoint port : guarded.get()) {
      wanted
          .computeIfAbsent(port.deviceId(), device -> guardRules.of(device, hosts.getHosts()))
          .addAll(guardRules.at(port, hostsAt(port)));
    }
    for (FlowRule rule : forwarding) {
      if (wanted.containsKey(rule.deviceId())
          && (DestinationRules.isForwarding(rule) || DestinationRules.isAsking(rule))) {
        wanted.get(rule.deviceId()).add(guardRules.forward(rule));
      }
    }
    wanted.forEach((device, all) -> tables(device).want(all));
    tables.forEach(
        (device, each) -> {
          if (!wanted.containsKey(device)) {
            each.want(Set.of());
          }
        });
    tables.values().removeIf(SwitchTables::isIdle);
  }

  @Override
  public void returned(DeviceId device) {
    Optional.ofNullable(tables.get(device)).ifPresent(SwitchTables::returned);
  }

  @Override
  public Collection<FlowRule> wanted(DeviceId device) {
    return Optional.ofNullable(tables.get(device)).map(SwitchTables::wanted).orElseGet(Set::of);
  }

  @Override
  public void writeAgain(DeviceId device, Set<FlowRule> lost) {
    Optional.ofNullable(tables.get(device)).ifPresent(each -> each.writeAgain(lost));
  }

  private List<Host> hostsAt(ConnectPoint port) {
    return hosts.getConnectedHosts(port).stream()
        .filter(host -> host.location() != null)
        .collect(Collectors.toUnmodifiableList());
  }

  private SwitchTables tables(DeviceId device) {
    return tables.computeIfAbsent(device, d -> new SwitchTables(d, writer, worker, journal, LOSS));
  }
}
