package org.paceline.onos.forward;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.paceline.onos.meter.MeteredPackets;
import org.paceline.onos.meter.PortMeters;
import org.paceline.onos.tables.RuleOwner;
import org.paceline.onos.tables.SwitchTables;

/**
 * Bounds what the controller gets of each port that hosts may be at, by meters of that port: who
 * floods the controller with questions or made-up addresses takes nothing from others. A switch
 * that has too few tables, no meters, or refuses rules that lead through them, goes on without.
 * Belongs to the worker's thread.
 */
public final class ControllerPackets implements RuleOwner, AutoCloseable {
  /** In that time ONOS has taken away what a controller before it left of meters. */
  private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(10);

  /** Each change of the network costs a look at all ports. */
  private static final Duration COALESCE = Duration.ofMillis(100);

  private static final String LOSS = "what its ports bring to the controller is not metered.";

  private static final String REFUSED =
      LOSS
          + " Maybe its table ("
          + ControllerTable.TABLE
          + ") takes no meters, or it has no room. Maybe set controllerPacketsPerPort to 0, so that"
          + " it is asked no more.";

  private final OwnRules rules;
  private final EdgePorts edge;
  private final Function<DeviceId, Optional<Integer>> tablesOf;
  private final Worker worker;
  private final Journal journal;
  private final ControllerTable table;
  private final StagedWriter writer;
  private final PortMeters meters;
  private final Upkeep upkeep;
  private final Map<DeviceId, SwitchRules> switches = new HashMap<>();

  /** Of a switch that is not connected, or whose ports ONOS has not said yet, those it had. */
  private final Map<DeviceId, EdgePorts.Ports> ports = new HashMap<>();

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
            COALESCE,
            "What ports bring to the controller is not metered as it should be.",
            this::refresh);
    this.meters = new PortMeters(dropMeters, worker, journal, LOSS, upkeep::ask);
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
        rulesOf(entry.deviceId()).adopt(entry);
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
    Optional.ofNullable(switches.get(device)).ifPresent(SwitchRules::returned);
    meters.returned(device);
    upkeep.ask();
  }

  @Override
  public Collection<FlowRule> wanted(DeviceId device) {
    return Optional.ofNullable(switches.get(device)).map(SwitchRules::wanted).orElseGet(Set::of);
  }

  @Override
  public void writeAgain(DeviceId device, Set<FlowRule> lost) {
    Optional.ofNullable(switches.get(device)).ifPresent(each -> each.writeAgain(lost));
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
    // Once: a meter of another rate would be one more.
    int allowed = perSecond;
    Map<DeviceId, EdgePorts.Ports> now = edge.bySwitch();
    now.keySet().removeIf(device -> allowed == 0 || !hasTables(device));
    if (!there.containsAll(now.keySet())) {
      // One that is back may have lost its meters while it was away.
      meters.check();
    }
    there = Set.copyOf(now.keySet());
    ports
        .keySet()
        .removeIf(device -> allowed == 0 || rules.isThere(device) && !now.containsKey(device));
    now.forEach(
        (device, its) -> {
          if (!its.isEmpty() || !ports.containsKey(device)) {
            ports.put(device, its);
          }
        });
    Map<DeviceId, List<MeteredPackets>> wanted = new HashMap<>();
    ports.forEach(
        (device, its) -> wanted.put(device, isMetered(device) ? packetsOf(its) : List.of()));
    meters.retain(wanted.values().stream().flatMap(List::stream).collect(Collectors.toSet()));
    wanted.forEach(
        (device, packets) -> {
          if (now.containsKey(device)) {
            want(device, packets, allowed);
          }
        });
    switches.forEach(
        (device, each) -> {
          if (!ports.containsKey(device)) {
            each.leave();
          }
        });
    switches.values().removeIf(SwitchRules::isIdle);
    look();
  }

  /**
   * Questions of all ports first: where there are few meters, that for them takes a port's IPv4,
   * too. Where there is none for the questions of a port that came later, one for IPv4 gives way.
   */
  private List<MeteredPackets> packetsOf(EdgePorts.Ports its) {
    Stream<MeteredPackets> ipv4 = each(its, MeteredPackets.Kind.IPV4);
    if (each(its, MeteredPackets.Kind.QUESTIONS).anyMatch(meters::lackRoom)) {
      ipv4 = ipv4.filter(packets -> meters.of(packets).isPresent()).skip(1);
    }
    return Stream.concat(each(its, MeteredPackets.Kind.QUESTIONS), ipv4)
        .collect(Collectors.toUnmodifiableList());
  }

  private static Stream<MeteredPackets> each(EdgePorts.Ports its, MeteredPackets.Kind kind) {
    return its.edge.stream().map(port -> MeteredPackets.of(port, kind));
  }

  /** Whether a switch has shown that it takes such rules, and refuses none that limit. */
  private boolean isMetered(DeviceId device) {
    return ready.contains(device)
        && Optional.ofNullable(switches.get(device)).filter(SwitchRules::isLimited).isPresent();
  }

  private boolean hasTables(DeviceId device) {
    Optional<Integer> many = tablesOf.apply(device);
    // One that does not say so now, such as while it connects, has what it had.
    boolean isEnough =
        many.map(count -> count >= ControllerTable.TABLES)
            .orElseGet(() -> ports.containsKey(device));
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

  private void want(DeviceId device, List<MeteredPackets> wanted, int allowed) {
    EdgePorts.Ports its = ports.getOrDefault(device, new EdgePorts.Ports());
    Map<MeteredPackets, MeterId> metersOf = new HashMap<>();
    wanted.forEach(
        packets ->
            // A port that is down keeps those it has, and needs no others.
            (its.up.contains(packets.port()) ? meters.at(packets, allowed) : meters.of(packets))
                .ifPresent(id -> metersOf.put(packets, id)));
    rulesOf(device).want(its.linked, metersOf);
  }

  /** Which switches have taken these rules. */
  private void look() {
    Set<DeviceId> taken = new HashSet<>();
    switches.forEach(
        (device, each) -> {
          if (ports.containsKey(device) && each.shows(metered.contains(device))) {
            taken.add(device);
          }
        });
    if (!taken.equals(metered)) {
      metered = Set.copyOf(taken);
      upkeep.ask();
      onChange.run();
    }
  }

  private SwitchRules rulesOf(DeviceId device) {
    return switches.computeIfAbsent(
        device,
        d -> {
          SwitchTables showing = new SwitchTables(d, writer, worker, journal, REFUSED);
          showing.tell(this::look);
          SwitchTables limits = new SwitchTables(d, writer, worker, journal, REFUSED);
          // While it refuses some it needs no meters.
          limits.tell(upkeep::ask);
          return new SwitchRules(d, table, showing, limits, worker);
        });
  }
}
