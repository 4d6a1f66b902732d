package org.paceline.onos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.onosproject.core.ApplicationId;
import org.paceline.allocator.Guarded;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.LearningService;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.Recovery;
import org.paceline.control.api.RequestLimit;
import org.paceline.control.api.RequestService;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.SolverService;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.assurance.AbsentPlaces;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.assurance.ForeignAddresses;
import org.paceline.control.assurance.NearlyFullDisk;
import org.paceline.control.assurance.PacingClasses;
import org.paceline.control.assurance.PeersDecided;
import org.paceline.control.assurance.QuarantinedAgents;
import org.paceline.control.assurance.Reconciler;
import org.paceline.control.assurance.UnknownIntents;
import org.paceline.control.audit.Retention;
import org.paceline.control.experience.ExperienceGaps;
import org.paceline.control.experience.Experiences;
import org.paceline.control.experience.TableLearning;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.inventory.NamedIntents;
import org.paceline.control.inventory.PlacedSchemes;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.operations.Operations;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.reservations.Admission;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.reservations.Terms;
import org.paceline.control.reservations.Transfers;
import org.paceline.control.rollout.Planner;
import org.paceline.control.scheme.ReservableNetwork;
import org.paceline.control.settings.Options;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.Settings;
import org.paceline.control.telemetry.LinkTelemetry;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.control.work.Upkeep;
import org.paceline.control.work.WorkerThread;
import org.paceline.gateway.AgentEndpoint;
import org.paceline.gateway.AgentEvents;
import org.paceline.gateway.AgentServer;
import org.paceline.gateway.Enforcers;
import org.paceline.gateway.FlowRecordReceiver;
import org.paceline.intents.tree.IntentTree;
import org.paceline.northbound.files.FolderSpace;
import org.paceline.northbound.files.RecordFiles;
import org.paceline.northbound.log.LogJournal;
import org.paceline.northbound.login.ShellWitness;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.operations.ChangesResource;
import org.paceline.northbound.rest.policy.PolicyResource;
import org.paceline.northbound.rest.policy.YamlNamingRulesFile;
import org.paceline.northbound.rest.policy.YamlPolicyFile;
import org.paceline.northbound.rest.solve.JsonProblemFile;
import org.paceline.northbound.rest.webhooks.Announcements;
import org.paceline.northbound.restconf.Notifications;
import org.paceline.onos.conflict.OtherApplications;
import org.paceline.onos.flow.InstalledRules;
import org.paceline.onos.listen.Listening;
import org.paceline.onos.store.DistributedKnownHosts;

/**
 * The parts, put together: what is desired, what is granted (the planner), what switches and agents
 * do for it, and what is true of it (the reconciler). Knows nothing of OSGi's components.
 */
final class Paceline {
  private static final Duration WRITES_ARE_SEEN_WITHIN = Duration.ofMillis(100);

  private static final LogJournal JOURNAL = new LogJournal();

  final DesiredState desired;
  final Operations operations;
  final Settings stored;
  final PolicyService policy;
  final LearningService learning;
  final ConversationService conversations;
  final StateService state;
  final NetworkService network;
  final NamingService naming;
  final ReservationService reserving;
  final SolverService solver;
  final RequestService requests;
  final IngressLists elephants;
  private final Retention retention;
  private final NearlyFullDisk disk;
  private final Upkeep settingsInStore;

  private final SwitchSide switches;
  private final Reservations reservations;
  private final BrokenPromises brokenPromises;
  private final Planner planner;
  private final Reconciler reconciler;
  private final ProofBook proofs = new ProofBook();
  private final BesideRules besideRules = new BesideRules(proofs, JOURNAL);
  private final RequestLimit requestLimit = new RequestLimit(0, System::nanoTime);

  private final Clock clock = Clock.systemUTC();
  private final LinkTelemetry telemetry;
  private final AgentServer.Agents agents = new AgentServer.Agents();
  private final OnosServices onos;
  private final Closers closers;
  private final Listening listening;
  private final WorkerThread worker;
  private final Enforcers enforcers;
  private volatile PlannerSettings settings;
  private volatile String agentsPort = "";
  private volatile Optional<AgentServer> agentServer = Optional.empty();

  /**
   * Nothing goes on yet.
   *
   * @param closers take what is opened, also where it ends in an exception
   */
  Paceline(OnosServices onos, Closers closers) {
    this.onos = onos;
    this.closers = closers;
    this.listening = new Listening(new Faults(JOURNAL), closers);
    ApplicationId app = onos.app();
    closers.add(new SwitchWithdrawal(onos.rules(), onos.meters(), app, WRITES_ARE_SEEN_WITHIN));
    worker = thread("paceline-planner");
    telemetry = new LinkTelemetry(worker, clock);
    desired =
        new DesiredState(
            onos,
            worker,
            JOURNAL,
            clock,
            closers,
            listening,
            () -> agentServer.flatMap(AgentServer::authority));
    stored =
        new Settings(
            onos.settings(),
            desired.changes,
            desired.settingsSeen,
            ShellWitness.open(onos.bundle(), clock, closers::add),
            clock);
    stored.onChange(this::goBySettings);
    Options options = options();
    // Closed before the worker that it has lists made by.
    WorkerThread listing = thread("paceline-elephants");
    FlowRecordReceiver exporters = new FlowRecordReceiver(new Faults(JOURNAL));
    closers.add(exporters);
    elephants =
        new IngressLists(
            desired.elephantLists,
            exporters,
            listing::execute,
            clock,
            JOURNAL,
            options.elephantLists());
    settings = withFoundPairs(options.planner());
    requestLimit.set(options.requestsPerSecond());
    operations =
        new Operations(
            desired.operations,
            onos.node(),
            thread("paceline-operations")::execute,
            thread("paceline-questions")::execute,
            clock);
    operations.restore(Asynchronous.CUT_OFF);
    Path data = Path.of(System.getProperty("karaf.data", "data"));
    Path exports = data.resolve("paceline");
    WorkerThread keeping = thread("paceline-retention");
    settingsInStore =
        new Upkeep(
            keeping,
            Duration.ZERO,
            "What the settings are now could not all be put in force.",
            stored::lookAgain);
    retention =
        new Retention(
            List.of(
                desired.changes.retention(
                    () -> options().changesKept(),
                    new RecordFiles<>(exports, "changes", onos.node(), ChangesResource::json)),
                desired.drafts.retentionOfVersions(
                    () -> options().versionsKept(),
                    new RecordFiles<>(exports, "versions", onos.node(), PolicyResource::json))),
            keeping,
            clock);
    disk =
        new NearlyFullDisk(
            new FolderSpace(data.resolve("db").resolve("partitions")),
            () -> options().diskAlarmMegabytes(),
            thread("paceline-disk"),
            clock,
            JOURNAL);
    WorkerThread solving = thread("paceline-solver");
    WorkerThread improving = thread("paceline-improver");

    desired.ceilings.heed(scheme -> PlacedSchemes.nameAny(settings.places(), scheme));
    switches =
        new SwitchSide(
            onos,
            options,
            worker,
            thread("paceline-forwarding"),
            new SwitchSide.Parts(this::planner, telemetry, agents),
            closers);
    enforcers = new Enforcers(agents, switches.meters, switches::safetyNet);
    NetworkAllocator allocator = new NetworkAllocator(Optional.empty());
    reservations =
        new Reservations(
            desired.reservations,
            new Terms(
                new Admission(
                    new Guarded(JOURNAL::warn, new AutoAllocator(allocator)),
                    settings.solveLimit()),
                switches.network,
                new ReservableNetwork(() -> settings, switches::keepsApart),
                desired.policies,
                proofs,
                desired.ceilings),
            clock,
            worker,
            () -> planner().networkChanged());
    planner =
        new Planner(
            PlannerPorts.builder()
                .reserved(reservations)
                .capabilities(switches.capabilities)
                .network(switches.network)
                .rates(enforcers)
                .paths(switches.paths)
                .links(telemetry)
                .queues(switches.queues)
                .worker(worker)
                .solving(solving::execute)
                .improving(improving::execute)
                .hosts(new DistributedKnownHosts(onos.storage(), app))
                .clock(clock)
                .journal(JOURNAL)
                .build(),
            settings,
            desired.policies,
            proofs,
            allocator);
    reconciler =
        new Reconciler(
            proofs,
            List.of(
                new PacingClasses(proofs, planner::mode),
                new InstalledRules(switches.paths, onos.rules(), onos.devices()),
                switches.meters),
            worker,
            clock,
            JOURNAL);
    brokenPromises =
        new BrokenPromises(
            reservations, switches.network, full -> planner().settings().plannable(full), clock);
    reconciler.watch(brokenPromises::look);
    Transfers transfers = new Transfers(reservations, clock, improving::execute);
    proofs.onRemoval(transfers::ended);
    reconciler.watch(transfers::look);
    reconciler.watch(besideRules::look);
    reconciler.watch(new ForeignAddresses(clock)::look);
    reconciler.watch(new QuarantinedAgents(planner::lookAtAgents)::look);
    PeersDecided decided = new PeersDecided(planner::agents, clock);
    reconciler.watch(proofs -> decided.look());
    AbsentPlaces absent = new AbsentPlaces(() -> settings.places(), switches.network, clock);
    reconciler.watch(proofs -> absent.look());
    reconciler.watch(proofs -> telemetry.alarms());
    reconciler.watch(
        proofs -> {
          planner.lookAtLinks();
          return List.of();
        });
    reconciler.watch(proofs -> planner.lookAtQueues());
    reconciler.watch(proofs -> planner.alarms());
    reconciler.watch(proofs -> stored.alarms());
    reconciler.watch(proofs -> retention.alarms());
    reconciler.watch(proofs -> disk.alarms());
    reconciler.watch(proofs -> desired.versions.alarms());
    reconciler.watch(new UnknownIntents(planner::agents, desired.policies::tree, clock)::look);
    reconciler.watch(
        new ExperienceGaps(
                new Experiences(proofs, () -> options().kpiLife(), clock),
                () -> options().experienceAlarm())
            ::look);
    // After experiences were made of the newest reports.
    TableLearning tables =
        new TableLearning(desired.learned, desired.policies::tree, clock, improving::execute);
    reconciler.watch(tables::look);
    learning = new LearningService(tables, desired.drafts);
    reconciler.watch(elephants::look);
    OtherApplications others =
        new OtherApplications(
            onos.core(), onos.applications(), onos.devices(), onos.ownRules(), clock);
    reconciler.watch(proofs -> others.look());
    reconciler.watch(
        proofs -> agentServer.map(one -> one.alarms(clock.instant())).orElseGet(List::of));
    policy =
        new PolicyService(
            desired.policies,
            desired.versions,
            desired.drafts,
            desired.ceilings,
            new YamlPolicyFile(),
            new PolicyService.Concerned() {
              @Override
              public PolicyDifference whatIf(IntentTree next) {
                return PolicyDifference.of(desired.policies.tree(), next, planner, proofs);
              }

              @Override
              public NamedIntents named() {
                return NamedIntents.of(planner.agents(), proofs.all());
              }
            });
    network =
        new NetworkService(switches.network, telemetry, switches.reports::all, planner, proofs);
    naming = new NamingService(desired.naming, new YamlNamingRulesFile(), switches.found);
    desired.naming.onChange(this::nameByRules);
    state =
        new StateService(
            planner, proofs, reconciler, besideRules, this::agentsPort, network, naming);
    conversations =
        new ConversationService(planner, proofs, desired.policies, desired.changes, network);
    reserving =
        new ReservationService(
            reservations, brokenPromises, desired.changes, desired.policies, proofs);
    solver = new SolverService(new JsonProblemFile(), planner::problem);
    requests = new RequestService(requestLimit, desired.answers, desired.changes);
  }

  /** Somebody set one. Any thread may say so. */
  void settingsMayBeOthers() {
    settingsInStore.ask();
  }

  private Options options() {
    return new Options(stored.values());
  }

  private WorkerThread thread(String name) {
    WorkerThread thread = new WorkerThread(name, JOURNAL);
    closers.add(thread);
    return thread;
  }

  // Parts that are made before it tell it of what happens later.
  private Planner planner() {
    return planner;
  }

  /**
   * @param use these parts
   * @throws IOException if the agents' port is taken
   */
  void open(UseCases use) throws IOException {
    reconciler.start();
    Announcements.open(desired.webhooks, desired.versions, reservations, state);
    closers.add(
        Notifications.open(onos.bundle(), desired.versions, reservations, state, worker, clock));
    Recovery.run(use);
    retention.start();
    disk.start();
    switches.open(listening, closers);
    // Of what came before anybody listened no event tells.
    planner.networkChanged();
    nameByRules();
    elephants.goBy(options().elephantLists());
    elephants.onChange(this::goBySettings);
    elephants.boundBy(switches.reports::leastTable);
    AgentEndpoint endpoint = AgentEndpoint.of(stored.values());
    agentsPort = endpoint.text();
    AgentServer server =
        AgentServer.open(
            endpoint,
            agents,
            AgentEvents.to(planner, besideRules, switches.queues),
            desired.policies,
            () -> settings,
            onos.node(),
            desired.enrolment,
            JOURNAL);
    closers.add(server);
    agentServer = Optional.of(server);
  }

  /** The certificate may be renewed at any time. */
  private String agentsPort() {
    return agentsPort
        + agentServer
            .flatMap(AgentServer::expiry)
            .map(one -> ", the controller's until " + one.day())
            .orElse("");
  }

  private void nameByRules() {
    switches.nameBy(desired.naming.inForce().rules());
  }

  private PlannerSettings withFoundPairs(PlannerSettings set) {
    return set.toBuilder().elephants(set.elephants().with(elephants.inUse())).build();
  }

  /**
   * New settings hold from the next plan on; some when the application starts again. New lists of
   * elephants come by the same way.
   */
  private synchronized void goBySettings() {
    Options options = options();
    elephants.goBy(options.elephantLists());
    PlannerSettings changed = withFoundPairs(options.planner());
    int mostRequests = options.requestsPerSecond();
    int safetyNet = options.safetyNetThousandths();
    int managedDscp = options.managedDscp();
    if (switches.guardBy(safetyNet)) {
      worker.execute(() -> enforcers.netChanged(proofs.all()));
    }
    requestLimit.set(mostRequests);
    retention.lookSoon();
    disk.lookSoon();
    switches.mark(managedDscp);
    switches.markElephants(options.elephantDscp());
    switches.countEvery(options.counterPeriods());
    switches.endGuestsAfter(options.guestIdle());
    switches.leadTo(options.maxHostsPerPort());
    switches.show(options.controllerPacketsPerPort());
    if (!changed.equals(settings)) {
      boolean isOtherMode = changed.mode() != settings.mode();
      settings = changed;
      if (isOtherMode) {
        // Before they are told rates by the new settings.
        agents.welcomeAgain();
      }
      planner.configure(changed);
    }
  }
}
