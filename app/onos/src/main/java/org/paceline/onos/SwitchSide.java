package org.paceline.onos;

import static org.onosproject.net.PortNumber.portNumber;
import static org.onosproject.net.config.basics.SubjectFactories.DEVICE_SUBJECT_FACTORY;
import static org.onosproject.net.config.basics.SubjectFactories.HOST_SUBJECT_FACTORY;
import static org.onosproject.net.config.basics.SubjectFactories.LINK_SUBJECT_FACTORY;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.flow.FlowRule;
import org.paceline.control.directive.PortScheduler;
import org.paceline.control.directive.SwitchPort;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.naming.FoundFlows;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.port.Worker;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.CounterPeriods;
import org.paceline.control.settings.Options;
import org.paceline.control.telemetry.LinkTelemetry;
import org.paceline.control.telemetry.Rounds;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.gateway.AgentServer;
import org.paceline.gateway.PortSchedulers;
import org.paceline.intents.network.LinkId;
import org.paceline.northbound.log.LogJournal;
import org.paceline.onos.finding.FlowFinder;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.NextHops;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.forward.ControllerPackets;
import org.paceline.onos.forward.DefaultForwarding;
import org.paceline.onos.forward.DestinationRules;
import org.paceline.onos.forward.EdgePorts;
import org.paceline.onos.guard.SourceGuard;
import org.paceline.onos.listen.Listening;
import org.paceline.onos.meter.DropMeters;
import org.paceline.onos.meter.FirstHopMeters;
import org.paceline.onos.netcfg.SettingsFactory;
import org.paceline.onos.openflow.SwitchQuestions;
import org.paceline.onos.queue.Separation;
import org.paceline.onos.queue.SwitchCapabilities;
import org.paceline.onos.queue.SwitchSettings;
import org.paceline.onos.tables.LostWrites;
import org.paceline.onos.telemetry.SwitchCounters;
import org.paceline.onos.topology.HostSettings;
import org.paceline.onos.topology.LinkSettings;
import org.paceline.onos.topology.OnosNetwork;

/**
 * The network as ONOS shows it, and all that its switches do: conversations' ways, marks and
 * meters, and the forwarding of everybody else.
 */
final class SwitchSide {
  final OnosNetwork network;
  final ConversationRules paths;
  final FirstHopMeters meters;
  final SwitchReports reports;
  final SwitchCapabilities capabilities;
  final FoundFlows found;
  final PortSchedulers queues;

  /** Whom switches' sides tell. */
  static final class Parts {
    private final Supplier<Planner> planner;
    private final LinkTelemetry telemetry;
    private final AgentServer.Agents agents;

    Parts(Supplier<Planner> planner, LinkTelemetry telemetry, AgentServer.Agents agents) {
      this.planner = planner;
      this.telemetry = telemetry;
      this.agents = agents;
    }
  }

  private final OnosServices onos;
  private final Supplier<Planner> planner;
  private final DefaultForwarding forward;
  private final ControllerPackets controllerPackets;
  private volatile int safetyNet;
  private final SwitchCounters counters;
  private final LinkTelemetry telemetry;
  private volatile int managedDscp;
  private volatile int elephantDscp;
  private final int mostHostsOfPort;
  private final int packetsOfPort;
  private volatile CounterPeriods counterPeriods;
  private volatile Runnable periodsChanged = () -> {};
  private final Worker worker;
  private volatile Duration guestIdle;
  private final FlowFinder finder;
  private final SourceGuard guard;
  private final List<LostWrites> lostWrites;

  /**
   * Nothing is seen or done before {@link #open}.
   *
   * @param parts are told; not asked before then
   */
  SwitchSide(
      OnosServices onos,
      Options options,
      Worker worker,
      Worker forwarding,
      Parts parts,
      Closers closers) {
    this.onos = onos;
    this.planner = parts.planner;
    this.worker = worker;
    managedDscp = options.managedDscp();
    elephantDscp = options.elephantDscp();
    mostHostsOfPort = options.maxHostsPerPort();
    packetsOfPort = options.controllerPacketsPerPort();
    safetyNet = options.safetyNetThousandths();
    counterPeriods = options.counterPeriods();
    telemetry = parts.telemetry;
    telemetry.countedEvery(counterPeriods.ofDrops());
    guestIdle = options.guestIdle();
    register(
        new SettingsFactory<>(LINK_SUBJECT_FACTORY, LinkSettings.class, LinkSettings::new),
        closers);
    register(
        new SettingsFactory<>(HOST_SUBJECT_FACTORY, HostSettings.class, HostSettings::new),
        closers);
    register(
        new SettingsFactory<>(DEVICE_SUBJECT_FACTORY, SwitchSettings.class, SwitchSettings::new),
        closers);

    network =
        new OnosNetwork(
            onos.devices(), onos.links(), onos.hosts(), onos.networkConfig(), this::changed);
    OwnRules rules = onos.ownRules();
    SwitchQuestions questions =
        SwitchQuestions.open(onos.bundle(), new Faults(new LogJournal()), closers::add);
    capabilities =
        new SwitchCapabilities(
            onos.devices(),
            onos.networkConfig(),
            questions::tableSize,
            this::scheduler,
            options.maxRulesPerSwitch(),
            options.maxMetersPerSwitch());
    DropMeters dropMeters =
        new DropMeters(onos.meters(), questions, onos.app(), worker, capabilities::of);
    controllerPackets =
        new ControllerPackets(
            rules,
            dropMeters,
            new EdgePorts(onos.devices(), onos.links()),
            questions::tables,
            worker,
            new LogJournal());
    forward =
        new DefaultForwarding(
            rules,
            new DestinationRules(
                onos.app(),
                network::delayNanos,
                () -> managedDscp,
                this::dscpAtPorts,
                controllerPackets::metered),
            onos.devices(),
            onos.links(),
            onos.hosts(),
            onos.packets(),
            forwarding);
    paths =
        new ConversationRules(
            rules,
            new NextHops(onos.links(), onos.hosts()),
            new Separation(
                () -> managedDscp,
                () -> elephantDscp,
                device -> capabilities.of(device).managedQueue()),
            () -> safetyNet > 0,
            device -> capabilities.of(device).rulesAllowed(),
            worker,
            (id, why) -> planner.get().unenforceable(id, why));
    queues = new PortSchedulers(parts.agents, new Ports(), Clock.systemUTC());
    meters =
        new FirstHopMeters(
            dropMeters,
            paths,
            worker,
            (host, version, rates) -> planner.get().metered(host, version, rates),
            counters -> planner.get().counted(counters),
            (id, why) -> planner.get().unenforceable(id, why));
    found = new FoundFlows(worker, Clock.systemUTC(), new Finding());
    Predicate<DeviceId> metered = device -> controllerPackets.metered().contains(device);
    finder =
        new FlowFinder(
            new FlowFinder.Switches(rules, dropMeters, onos.packets(), paths, metered),
            new FlowFinder.Surroundings(
                onos.hosts(),
                network,
                this::withAgents,
                () -> guestIdle,
                capabilities::guardedPorts),
            found,
            worker,
            new LogJournal());
    guard =
        new SourceGuard(
            rules, onos.hosts(), capabilities::guardedPorts, metered, worker, new LogJournal());
    Predicate<FlowRule> byDefault =
        rule -> DestinationRules.isForwarding(rule) || DestinationRules.isAsking(rule);
    lostWrites =
        List.of(
            new LostWrites(
                rules,
                onos.devices(),
                worker,
                // What leads conversations asks again itself.
                rule -> !byDefault.test(rule) && !ConversationRules.isOurs(rule),
                List.of(finder, guard, controllerPackets)),
            new LostWrites(rules, onos.devices(), forwarding, byDefault, List.of(forward)));
    forward.tell(
        all -> {
          finder.forwardsBy(all);
          guard.forwardsBy(all);
          controllerPackets.networkChanged();
        });
    controllerPackets.tell(forward::networkChanged);
    counters =
        new SwitchCounters(
            onos.devices(), network, questions, queues::dropped, worker, telemetry::counted);
    reports = new SwitchReports(onos.devices(), capabilities, paths, meters, () -> managedDscp);
  }

  private void register(ConfigFactory<?, ?> factory, Closers closers) {
    onos.networkConfig().registerConfigFactory(factory);
    closers.add(() -> onos.networkConfig().unregisterConfigFactory(factory));
  }

  void open(Listening listening, Closers closers) {
    network.open(listening);
    closers.add(paths);
    closers.add(finder);
    finder.open(listening);
    guard.open();
    closers.add(guard);
    controllerPackets.open(packetsOfPort);
    closers.add(controllerPackets);
    closers.add(forward);
    lostWrites.forEach(lost -> lost.open(listening));
    forward.open(listening, mostHostsOfPort);
    listening.settings(
        onos.networkConfig(),
        event -> {
          if (event.configClass().equals(SwitchSettings.class)) {
            forward.networkChanged();
          }
        });
    Runnable portsAndQueues =
        counters.start(() -> counterPeriods.ports(), () -> counterPeriods.queues());
    Rounds ofMeters =
        new Rounds(
            worker,
            () -> counterPeriods.meters(),
            () -> meters.countUnlessWithin(counterPeriods.meters().dividedBy(4).multipliedBy(3)));
    ofMeters.start();
    periodsChanged =
        () -> {
          portsAndQueues.run();
          ofMeters.changed();
        };
  }

  /** Whether elephants on the link are kept from all others: two queues do, or no switch sends. */
  boolean keepsApart(LinkId link) {
    return capabilities.of(link.from()).isEmpty() || queues.divides(link);
  }

  /** How often switches are asked for what they count, at once. Any thread may say so. */
  void countEvery(CounterPeriods periods) {
    counterPeriods = periods;
    telemetry.countedEvery(periods.ofDrops());
    worker.execute(() -> periodsChanged.run());
  }

  /** How long nothing is counted of a found conversation before it is over. */
  void endGuestsAfter(Duration idle) {
    guestIdle = idle;
  }

  /** By these rules flows of hosts without an agent are named from now on. */
  void nameBy(NamingRules rules) {
    finder.goBy(rules);
  }

  private Set<String> withAgents() {
    return planner.get().agents().stream()
        .flatMap(agent -> agent.addresses().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Found conversations are planned as all others. */
  private final class Finding implements FoundFlows.Owner {
    @Override
    public void opened(Conversation conversation) {
      planner.get().opened(conversation);
    }

    @Override
    public void closed(Collection<ConversationId> ids) {
      planner.get().closed(ids);
    }
  }

  /** In thousandths of what agents pace; 0 for none. */
  int safetyNet() {
    return safetyNet;
  }

  /** Returns whether it is another than before. */
  boolean guardBy(int thousandths) {
    if (thousandths == safetyNet) {
      return false;
    }
    safetyNet = thousandths;
    changed();
    return true;
  }

  /**
   * @param dscp of managed traffic; 0 for none
   */
  void mark(int dscp) {
    if (dscp != managedDscp) {
      managedDscp = dscp;
      paths.treatmentChanged();
      changed();
    }
  }

  /**
   * @param dscp by which ports with two queues tell elephants
   */
  void markElephants(int dscp) {
    if (dscp != elephantDscp) {
      elephantDscp = dscp;
      paths.treatmentChanged();
      forward.networkChanged();
    }
  }

  /**
   * @param mostOfPort the hosts behind one port that default forwarding has rules for
   */
  void leadTo(int mostOfPort) {
    forward.leadTo(mostOfPort);
  }

  /**
   * @param packetsOfPort how many a second the controller gets of a port; 0 for any number
   */
  void show(int packetsOfPort) {
    controllerPackets.allow(packetsOfPort);
  }

  /** By which ports tell elephants; 0 where nobody may divide any. */
  private int dscpAtPorts() {
    for (Device device : onos.devices().getDevices()) {
      if (capabilities.queueAgent(device.id()).isPresent()) {
        return elephantDscp;
      }
    }
    return 0;
  }

  private Optional<PortScheduler> scheduler(String device) {
    return queues.of(device);
  }

  /** Where links leave their switches, and who may divide these ports. */
  private final class Ports implements PortSchedulers.Switches {
    @Override
    public Set<LinkId> links() {
      return network.current().ports().keySet();
    }

    @Override
    public Optional<SwitchPort> portOf(LinkId link) {
      return Optional.ofNullable(network.current().ports().get(link))
          .flatMap(LinkPorts::from)
          .map(number -> new ConnectPoint(DeviceId.deviceId(link.from()), portNumber(number)))
          .flatMap(at -> Optional.ofNullable(onos.devices().getPort(at)))
          .flatMap(port -> Optional.ofNullable(port.annotations().value(AnnotationKeys.PORT_NAME)))
          .map(name -> SwitchPort.of(link.from(), name));
    }

    @Override
    public Optional<String> queueAgent(String device) {
      return device.startsWith("of:")
          ? capabilities.queueAgent(DeviceId.deviceId(device))
          : Optional.empty();
    }

    @Override
    public int elephantDscp() {
      return elephantDscp;
    }
  }

  private void changed() {
    planner.get().networkChanged();
    paths.networkChanged();
    forward.networkChanged();
  }
}
