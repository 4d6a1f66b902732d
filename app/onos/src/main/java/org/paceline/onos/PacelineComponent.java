package org.paceline.onos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.meter.MeterService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.paceline.allocator.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.Recovery;
import org.paceline.control.UseCases;
import org.paceline.control.change.ChangeLog;
import org.paceline.control.change.RequestLimit;
import org.paceline.control.operations.Operations;
import org.paceline.control.plan.Planner;
import org.paceline.control.plan.PlannerPorts;
import org.paceline.control.plan.PlannerSettings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.NetworkState;
import org.paceline.control.port.PolicyFile;
import org.paceline.control.port.Records;
import org.paceline.control.port.SwitchReport;
import org.paceline.control.proof.PacingClasses;
import org.paceline.control.proof.ProofBook;
import org.paceline.control.proof.Reconciler;
import org.paceline.control.reservations.Admission;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.webhook.Webhooks;
import org.paceline.onos.agent.AgentServer;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.InstalledRules;
import org.paceline.onos.flow.NextHops;
import org.paceline.onos.forward.DefaultForwarding;
import org.paceline.onos.meter.FirstHopMeters;
import org.paceline.onos.openflow.SwitchQuestions;
import org.paceline.onos.plan.LogJournal;
import org.paceline.onos.plan.PlannerThread;
import org.paceline.onos.queue.Separation;
import org.paceline.onos.queue.SwitchCapabilities;
import org.paceline.onos.queue.SwitchSettingsFactory;
import org.paceline.onos.rest.Announcements;
import org.paceline.onos.rest.Asynchronous;
import org.paceline.onos.rest.YamlPolicyFile;
import org.paceline.onos.restconf.Notifications;
import org.paceline.onos.store.DistributedKnownHosts;
import org.paceline.onos.topology.LinkSettingsFactory;
import org.paceline.onos.topology.OnosNetwork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts Paceline together: of the plan's classes the only one that knows OSGi's components. */
@Component(
    immediate = true,
    service = UseCases.class,
    property = {
      Options.MODE + "=enforce",
      // Agents call from their hosts over the management network, so not on loopback.
      Options.BIND_ADDRESS + "=0.0.0.0",
      Options.PORT + ":Integer=9559",
      Options.TLS_DIRECTORY + "=",
      Options.USABLE + ":Integer=960",
      Options.RESERVE + ":Integer=10",
      Options.LEND + ":Integer=0",
      Options.GATEWAY + "=",
      Options.LEASE + ":Integer=120",
      Options.DEFAULT_RATE + "=500kbit",
      Options.SAME_UTILITY + ":Boolean=true",
      Options.MAX_RULES + ":Integer=10000",
      Options.MAX_METERS + ":Integer=1000",
      Options.SAFETY_NET + ":Integer=0",
      Options.MANAGED_DSCP + ":Integer=0",
      Options.REQUESTS + ":Integer=100"
    })
// OSGi sets references before it activates, and nobody sees the service before that has ended.
@SuppressWarnings("NullAway.Init")
public final class PacelineComponent implements UseCases {
  private static final Logger log = LoggerFactory.getLogger(PacelineComponent.class);
  private static final String APPLICATION = "org.paceline.app";

  @Reference private CoreService core;
  @Reference private ComponentConfigService componentConfig;
  @Reference private ClusterService cluster;
  @Reference private NetworkConfigRegistry networkConfig;
  @Reference private DeviceService devices;
  @Reference private LinkService links;
  @Reference private HostService hosts;
  @Reference private FlowRuleService rules;
  @Reference private MeterService meters;
  @Reference private PacketService packets;
  @Reference private StorageService storage;

  private final Closers closers = new Closers();
  private final ProofBook proofs = new ProofBook();
  private final AgentServer.Agents agents = new AgentServer.Agents();
  private final RequestLimit requests = new RequestLimit(0, System::nanoTime);
  private volatile PlannerSettings settings = PlannerSettings.DEFAULT;
  private volatile int safetyNet;
  private volatile int managedDscp;
  private SwitchReports switches;
  private PlannerThread worker;
  private Enforcers enforcers;
  private ConversationRules paths;
  private DefaultForwarding forward;
  private Wanted wanted;
  private OnosNetwork network;
  private Operations operations;
  private Reservations reservations;
  private Planner planner;
  private Reconciler reconciler;

  /**
   * @throws IOException if the agents' port is taken: nothing stays half-open then
   */
  @Activate
  void activate(ComponentContext context) throws IOException {
    try {
      open(context.getBundleContext(), new Options(context.getProperties()));
      LastStart.succeeded();
      log.info("Paceline started");
    } catch (IOException | RuntimeException e) {
      LastStart.failed(e);
      log.error("Paceline cannot start: {}", e.getMessage());
      closers.close();
      throw e;
    }
  }

  private void open(BundleContext bundle, Options options) throws IOException {
    settings = options.planner();
    requests.set(options.requestsPerSecond());
    ApplicationId app = core.registerApplication(APPLICATION);
    LinkSettingsFactory linkSettings = new LinkSettingsFactory();
    networkConfig.registerConfigFactory(linkSettings);
    closers.add(() -> networkConfig.unregisterConfigFactory(linkSettings));

    worker = new PlannerThread("paceline-planner");
    closers.add(worker);
    Clock clock = Clock.systemUTC();
    String node = cluster.getLocalNode().id().toString();
    int nodes = cluster.getNodes().size();
    if (nodes > 1) {
      log.error(
          "This ONOS is a cluster of {} nodes, and Paceline plans on each of them by itself: they"
              + " would undo each other's rules. Maybe run it on an ONOS of one node.",
          nodes);
    }
    wanted = new Wanted(storage, app, node, worker, clock, closers);
    PlannerThread asked = new PlannerThread("paceline-operations");
    closers.add(asked);
    operations = new Operations(wanted.operations, node, asked::execute, clock);
    operations.restore(Asynchronous.CUT_OFF);
    PlannerThread solving = new PlannerThread("paceline-solver");
    closers.add(solving);
    PlannerThread improving = new PlannerThread("paceline-improver");
    closers.add(improving);
    PlannerThread forwarding = new PlannerThread("paceline-forwarding");
    closers.add(forwarding);

    network = new OnosNetwork(devices, links, hosts, networkConfig, this::networkChanged);
    forward =
        new DefaultForwarding(
            app,
            devices,
            links,
            hosts,
            rules,
            packets,
            network::delayNanos,
            () -> managedDscp,
            forwarding.executor());
    NextHops nextHops = new NextHops(links, hosts);
    SwitchSettingsFactory switchSettings = new SwitchSettingsFactory();
    networkConfig.registerConfigFactory(switchSettings);
    closers.add(() -> networkConfig.unregisterConfigFactory(switchSettings));
    SwitchQuestions questions = SwitchQuestions.open(bundle, closers::add);
    SwitchCapabilities capabilities =
        new SwitchCapabilities(
            devices,
            networkConfig,
            questions::tableSize,
            options.maxRulesPerSwitch(),
            options.maxMetersPerSwitch());
    managedDscp = options.managedDscp();
    safetyNet = options.safetyNetThousandths();
    paths =
        new ConversationRules(
            rules,
            nextHops,
            app,
            new Separation(() -> managedDscp, capabilities::managedQueue),
            () -> safetyNet > 0,
            capabilities::maxRules,
            worker,
            (id, why) -> planner.unenforceable(id, why));
    FirstHopMeters firstHop =
        new FirstHopMeters(
            meters,
            questions,
            paths,
            capabilities,
            app,
            worker,
            (host, version, rates) -> planner.installed(host, version, rates),
            (id, why) -> planner.unenforceable(id, why));
    enforcers = new Enforcers(agents, firstHop, () -> safetyNet);
    switches = new SwitchReports(devices, capabilities, paths, firstHop, () -> managedDscp);
    closers.add(firstHop);
    NetworkAllocator allocator = new NetworkAllocator(Optional.empty());
    reservations =
        new Reservations(
            wanted.reservations,
            new Admission(new AutoAllocator(allocator), settings.solveLimit()),
            network,
            full -> settings.plannable(full),
            wanted.policies,
            clock,
            worker,
            () -> planner.networkChanged());
    planner =
        new Planner(
            PlannerPorts.builder()
                .reserved(reservations)
                .network(network)
                .rates(enforcers)
                .paths(paths)
                .worker(worker)
                .solving(solving::execute)
                .improving(improving::execute)
                .hosts(new DistributedKnownHosts(storage, app))
                .clock(clock)
                .journal(new LogJournal())
                .build(),
            settings,
            wanted.policies,
            proofs,
            allocator);
    reconciler =
        new Reconciler(
            proofs,
            List.of(
                new PacingClasses(proofs, planner::mode),
                new InstalledRules(paths, rules, devices),
                firstHop),
            worker,
            clock,
            new LogJournal());
    reconciler.watch(
        new BrokenPromises(reservations, network, full -> settings.plannable(full), clock)::look);
    reconciler.start();
    Announcements.open(this);
    closers.add(Notifications.open(bundle, this, worker, clock));
    Recovery.run(this);
    network.open();
    closers.add(network);

    closers.add(() -> rules.removeFlowRulesById(app));
    forward.open();
    closers.add(forward);

    closers.add(
        AgentServer.open(
            new InetSocketAddress(options.bindAddress(), options.port()),
            agents,
            planner,
            wanted.policies,
            () -> settings,
            node,
            options.tlsDirectory(),
            worker.executor()));
    componentConfig.registerProperties(PacelineComponent.class);
    closers.add(() -> componentConfig.unregisterProperties(PacelineComponent.class, false));
  }

  private void networkChanged() {
    planner.networkChanged();
    forward.networkChanged();
  }

  /** New settings hold from the next plan on; a new address when the application starts again. */
  @Modified
  void modified(ComponentContext context) {
    try {
      Options options = new Options(context.getProperties());
      PlannerSettings changed = options.planner();
      int mostRequests = options.requestsPerSecond();
      if (safetyNet != options.safetyNetThousandths()) {
        safetyNet = options.safetyNetThousandths();
        networkChanged();
        worker.execute(() -> enforcers.netChanged(proofs.all()));
      }
      requests.set(mostRequests);
      if (managedDscp != options.managedDscp()) {
        managedDscp = options.managedDscp();
        paths.treatmentChanged();
        networkChanged();
      }
      if (!changed.equals(settings)) {
        boolean isOtherMode = changed.mode() != settings.mode();
        settings = changed;
        if (isOtherMode) {
          // Before they are told rates by the new settings.
          agents.welcomeAgain();
        }
        planner.configure(changed);
      }
    } catch (IllegalArgumentException e) {
      log.error("The settings stay as they are: {}", e.getMessage());
    }
  }

  @Deactivate
  void deactivate() {
    closers.close();
    log.info("Paceline stopped");
  }

  @Override
  public IntentPolicies policies() {
    return wanted.policies;
  }

  @Override
  public PolicyVersions versions() {
    return wanted.versions;
  }

  @Override
  public PolicyDrafts drafts() {
    return wanted.drafts;
  }

  @Override
  public PolicyFile policyFile() {
    return new YamlPolicyFile();
  }

  @Override
  public ChangeLog changes() {
    return wanted.changes;
  }

  @Override
  public RequestLimit requestLimit() {
    return requests;
  }

  @Override
  public Records<String> answers() {
    return wanted.answers;
  }

  @Override
  public Operations operations() {
    return operations;
  }

  @Override
  public Planner planner() {
    return planner;
  }

  @Override
  public Reservations reservations() {
    return reservations;
  }

  @Override
  public Webhooks webhooks() {
    return wanted.webhooks;
  }

  @Override
  public ProofBook proofs() {
    return proofs;
  }

  @Override
  public Reconciler reconciler() {
    return reconciler;
  }

  @Override
  public NetworkState network() {
    return network.current();
  }

  @Override
  public List<SwitchReport> switches() {
    return switches.all();
  }
}
