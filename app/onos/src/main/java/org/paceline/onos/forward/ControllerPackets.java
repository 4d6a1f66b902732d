package org.paceline.onos.forward;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;
import org.paceline.control.work.Upkeep;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.StagedWriter;
import org.paceline.onos.meter.DropMeters;
import org.paceline.onos.meter.PortMeters;
import org.paceline.onos.tables.RuleOwner;
import org.paceline.onos.tables.SwitchTables;

/**
 * Bounds what the controller gets of each port that hosts may be at, by a meter of that port: who
 * floods the controller with questions or made-up addresses takes nothing from others. A switch
 * that has too few tables, or no meters, goes on without. Belongs to the worker's thread.
 */
public final class ControllerPackets implements RuleOwner, AutoCloseable {
  /** In that time ONOS has taken away what a controller before it left of meters. */
  private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(10);

  private static final String LOSS = "what its ports bring to the controller is not metered.";

  private static final String REFUSED = LOSS + " Maybe it has no room.";

  private final OwnRules rules;
  private final EdgePorts edge;
  private final Function<DeviceId, Optional<Integer>> tablesOf;
  private final Worker worker;
  private final Journal journal;
  private final ControllerTable table;
  private final StagedWriter writer;
  private final PortMeters meters;
  private final Upkeep upkeep;
  private final Map<DeviceId, SwitchTables> tables = new HashMap<>();

  /** Of a switch that is not connected those that it had. */
  private final Map<DeviceId, Set<ConnectPoint>> ports = new HashMap<>();

  private final Set<DeviceId> toldTooFew = new HashSet<>();

  /** The switches that had taken the rules at the last check, and those at the one before, too. */
  private Set<DeviceId> checked = Set.of();

  private Set<DeviceId> ready = Set.of();

  /** The connected switches that were to have these rules when it was last looked. */
  private Set<DeviceId> there = Set.of();

  private volatile Set<DeviceId> metered = Set.of();
  private volatile int perSecond;
  private volatile boolean isClosed;
  private volatile Runnable onChange = () -> {};

  /**
   * @param tablesOf how many tables a switch has; empty where it does not say
   */
  public ControllerPackets(
      OwnRules rules,
      DropMeters dropMeters,
      EdgePorts edge,
      Function<DeviceId, Optional<Integer>> tablesOf,
      Worker worker,
      Journal journal) {
    this.rules = rules;
    this.edge = edge;
    this.tablesOf = tablesOf;
    this.worker = worker;
    this.journal = journal;
    this.table = new ControllerTable(rules.app());
    this.writer = new StagedWriter(rules, worker);
    this.upkeep =
        new Upkeep(
            worker,
            Duration.ZERO,
            "What ports bring to the controller is not metered as it should be.",
            this::refresh);
    this.meters =
        new PortMeters(dropMeters, () -> perSecond, worker, journal, port -> LOSS, upkeep::ask);
  }

  /** Told when {@link #metered} changes; before it is opened. */
  public void tell(Runnable listener) {
    onChange = listener;
  }

  /**
   * Takes over what a controller before this one left, where ONOS keeps that.
   *
   * @param packets as {@link #allow} has it
   */
  public void open(int packets) {
    perSecond = packets;
    worker.execute(() -> adopt(rules.service().getFlowEntriesById(rules.app())));
    worker.every(() -> BETWEEN_CHECKS, this::check);
  }

  private void adopt(Iterable<FlowEntry> entries) {
    for (FlowEntry entry : entries) {
      if (entry.state() == FlowEntry.FlowEntryState.ADDED
          && entry.appId() == rules.app().id()
          && ControllerTable.isOurs(entry)) {
        tables(entry.deviceId()).adopt(entry);
      }
    }
  }

  /** Writes nothing more. */
  @Override
  public void close() {
    isClosed = true;
    writer.close();
  }

  /**
   * How many packets a second the controller gets of a port from now on. Any thread may say so.
   *
   * @param packets 0 for any number
   */
  public void allow(int packets) {
    if (packets != perSecond) {
      perSecond = packets;
      upkeep.ask();
    }
  }

  /** Ports or switches may be others. Any thread may say so. */
  public void networkChanged() {
    upkeep.ask();
  }

  /** The switches that show packets to the controller by {@link ControllerTable}. */
  public Set<DeviceId> metered() {
    return metered;
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

  private void check() {
    if (isClosed) {
      return;
    }
    Set<DeviceId> now = new HashSet<>(metered);
    now.retainAll(checked);
    now.stream()
        .filter(device -> !ready.contains(device))
        .forEach(device -> adopt(rules.service().getFlowEntries(device)));
    ready = now;
    checked = metered;
    meters.check();
    upkeep.ask();
  }

  private void refresh() {
    if (isClosed) {
      return;
    }
    Map<DeviceId, Set<ConnectPoint>> now = edge.bySwitch();
    now.keySet().removeIf(device -> perSecond == 0 || !hasTables(device));
    if (!there.containsAll(now.keySet())) {
      // One that is back may have lost its meters while it was away.
      meters.check();
    }
    there = Set.copyOf(now.keySet());
    ports.keySet().removeIf(device -> perSecond == 0 || rules.isThere(device));
    ports.putAll(now);
    now.forEach(this::want);
    tables.forEach(
        (device, each) -> {
          if (!ports.containsKey(device)) {
            each.want(Set.of());
          }
        });
    tables.values().removeIf(SwitchTables::isIdle);
    meters.retain(
        ports.entrySet().stream()
            .filter(each -> ready.contains(each.getKey()))
            .flatMap(each -> each.getValue().stream())
            .collect(Collectors.toSet()));
    look();
  }

  private boolean hasTables(DeviceId device) {
    Optional<Integer> many = tablesOf.apply(device);
    boolean isEnough = many.filter(count -> count >= ControllerTable.TABLES).isPresent();
    if (!isEnough && many.isPresent() && toldTooFew.add(device)) {
      journal.warn(
          "The switch ("
              + device
              + ") has ("
              + many.get()
              + ") tables, and ("
              + ControllerTable.TABLES
              + ") are needed: "
              + LOSS);
    }
    return isEnough;
  }

  /** Meters come when their switch has shown that it takes such rules. */
  private void want(DeviceId device, Set<ConnectPoint> its) {
    Map<ConnectPoint, Optional<MeterId>> metersOf = new HashMap<>();
    its.forEach(port -> metersOf.put(port, Optional.empty()));
    if (ready.contains(device)) {
      metersOf.replaceAll((port, none) -> meters.at(port));
    }
    tables(device).want(table.of(device, metersOf));
  }

  /** Which switches have taken these rules. */
  private void look() {
    Set<DeviceId> taken = new HashSet<>();
    tables.forEach(
        (device, each) -> {
          boolean isKept = metered.contains(device) && !each.isBarred();
          if (ports.containsKey(device) && (isKept || each.isInForce())) {
            taken.add(device);
          }
        });
    if (!taken.equals(metered)) {
      metered = Set.copyOf(taken);
      upkeep.ask();
      onChange.run();
    }
  }

  private SwitchTables tables(DeviceId device) {
    return tables.computeIfAbsent(
        device,
        d -> {
          SwitchTables made = new SwitchTables(d, writer, worker, journal, REFUSED);
          made.tell(this::look);
          return made;
        });
  }
}
