package org.paceline.northbound.rest;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.RememberedCertificates;
import org.paceline.control.RememberedRecords;
import org.paceline.control.WholeLinks;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.LearningService;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.RequestLimit;
import org.paceline.control.api.RequestService;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.SolverService;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.assurance.Reconciler;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.NumberedRecords;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.experience.Experiences;
import org.paceline.control.experience.LearnedTable;
import org.paceline.control.experience.TableLearning;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.ingress.ManualExporters;
import org.paceline.control.inventory.NamedIntents;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.NetworkState;
import org.paceline.control.naming.FoundFlows;
import org.paceline.control.naming.NamingRulesStore;
import org.paceline.control.operations.Operations;
import org.paceline.control.planning.Plan;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.port.PolicyFile;
import org.paceline.control.port.Records;
import org.paceline.control.reservations.Admission;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.ReservationStore;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.reservations.Terms;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.Options;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.RememberedSettings;
import org.paceline.control.settings.Settings;
import org.paceline.control.telemetry.LinkCount;
import org.paceline.control.telemetry.LinkTelemetry;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Webhooks;
import org.paceline.control.work.WorkerThread;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.northbound.rest.policy.YamlNamingRulesFile;
import org.paceline.northbound.rest.policy.YamlPolicyFile;
import org.paceline.northbound.rest.solve.JsonProblemFile;
import org.paceline.northbound.webhook.Deliveries;
import org.paceline.records.EncodedRecords;
import org.paceline.records.IngressListCodec;
import org.paceline.records.LearnedTableCodec;
import org.paceline.records.OperationCodec;
import org.paceline.records.RecordCodec;
import org.paceline.records.RecordCodecs;
import org.paceline.records.ReservationCodec;
import org.paceline.records.UndeliveredCodec;

/**
 * All use cases on two hosts (10.0.0.1 and 10.0.0.2) and a link of 2 Mbit/s, with the real planner
 * and solver; nobody enforces what they say. As an extension, each test has its own.
 */
final class SmallPaceline implements UseCases, AutoCloseable, AfterEachCallback {
  /** What is planned and admitted must not depend on how busy the machine is that tests it. */
  private static final Duration NO_HURRY = Duration.ofSeconds(30);

  private final WorkerThread worker = new WorkerThread("test-planner", new Nobody.NoJournal());
  private final IntentPolicies policies = new IntentPolicies(Catalogue.defaultTree());
  private final ProofBook proofs = new ProofBook();
  private final Records<String> exported = records(RecordCodecs.EXPORTED);
  private final ChangeLog changes =
      new ChangeLog(
          new NumberedRecords<>("changes", records(RecordCodecs.CHANGE), exported),
          records(RecordCodecs.BEGUN),
          "test",
          Clock.systemUTC());
  private final Ceilings ceilings =
      new Ceilings(records(RecordCodecs.CEILING), changes, path -> policies.tree().contains(path));
  private final PolicyVersions versions =
      PolicyVersions.open(
          policies,
          new NumberedRecords<>("versions", records(RecordCodecs.VERSION), exported),
          changes,
          worker,
          Clock.systemUTC(),
          ceilings,
          RecordCodecs::brief);
  private final PolicyDrafts drafts =
      new PolicyDrafts(
          records(RecordCodecs.DRAFT), versions, changes, Clock.systemUTC(), RecordCodecs::brief);
  private final NamingRulesStore naming =
      new NamingRulesStore(
          records(RecordCodecs.NAMING_RULES), policies, changes, RecordCodecs.NAMING_RULES::write);
  private final FoundFlows found =
      new FoundFlows(
          worker,
          Clock.systemUTC(),
          new FoundFlows.Owner() {
            @Override
            public void opened(Conversation conversation) {
              planner.opened(conversation);
            }

            @Override
            public void closed(Collection<ConversationId> ids) {
              planner.closed(ids);
            }
          });
  private final Settings settings =
      new Settings(
          new RememberedSettings(),
          changes,
          records(RecordCodecs.PLAIN),
          (name, after) -> Optional.empty(),
          Clock.systemUTC());
  private final ManualWorker nights = new ManualWorker();
  private final ManualExporters exporters = new ManualExporters();
  private final IngressLists elephants =
      new IngressLists(
          records(new IngressListCodec()),
          exporters,
          Runnable::run,
          nights,
          new Nobody.NoJournal(),
          new Options(settings.values()).elephantLists());
  private final RequestLimit requests = new RequestLimit(0, System::nanoTime);
  private final Records<String> answers = records(RecordCodecs.PLAIN);
  private final WorkerThread telling = new WorkerThread("test-webhooks", new Nobody.NoJournal());
  private final Webhooks webhooks =
      new Webhooks(
          records(RecordCodecs.WEBHOOK),
          changes,
          telling,
          new Deliveries(
              new Outbox(records(new UndeliveredCodec())), telling, Duration.ofMillis(20)));
  private final Records<LearnedTable> learnedTables = records(new LearnedTableCodec());
  private final RememberedCertificates authority = new RememberedCertificates();
  private final EnrolmentTokens enrolment =
      new EnrolmentTokens(
          records(RecordCodecs.ENROLMENT_TOKEN),
          changes,
          () -> Optional.of(authority),
          Clock.systemUTC());
  private final HostCertificates certificates =
      new HostCertificates(enrolment, changes, () -> Optional.of(authority));
  private final WorkerThread doing = new WorkerThread("test-operations", new Nobody.NoJournal());
  private final Operations operations =
      new Operations(
          records(new OperationCodec()), "test", doing::execute, doing::execute, Clock.systemUTC());
  private final NetworkState network = twoHosts();
  private final Reservations reservations =
      new Reservations(
          new ReservationStore(records(new ReservationCodec()), records(RecordCodecs.PLAIN)),
          new Terms(
              new Admission(new AutoAllocator(new NetworkAllocator(Optional.empty())), NO_HURRY),
              () -> network,
              WholeLinks.RESERVABLE,
              policies,
              proofs,
              ceilings),
          Clock.systemUTC(),
          worker,
          this::networkChanged);
  private final BrokenPromises brokenPromises =
      new BrokenPromises(reservations, () -> network, full -> full, Clock.systemUTC());
  private final Planner planner =
      new Planner(
          PlannerPorts.builder()
              .reserved(reservations)
              .network(() -> network)
              .rates(new Nobody.NoRates())
              .paths(new Nobody.NoPaths())
              .worker(worker)
              .solving(Runnable::run)
              .improving(Runnable::run)
              .hosts(new Nobody.NoHosts())
              .clock(Clock.systemUTC())
              .journal(new Nobody.NoJournal())
              .build(),
          inPeace(PlannerSettings.DEFAULT),
          policies,
          proofs,
          interrupted(new NetworkAllocator(Optional.empty())));
  private final Experiences experiences =
      new Experiences(proofs, () -> Duration.ofMinutes(10), Clock.systemUTC());
  private final BesideRules besideRules = new BesideRules(proofs, new Nobody.NoJournal());
  private final Reconciler reconciler =
      new Reconciler(proofs, List.of(), worker, Clock.systemUTC(), new Nobody.NoJournal());

  private volatile Optional<Error> fault = Optional.empty();
  private final Deque<Runnable> whileSolving = new ConcurrentLinkedDeque<>();
  private final Deque<Runnable> whileReading = new ConcurrentLinkedDeque<>();

  /** As the settings would. */
  void configure(PlannerSettings settings) {
    planner.configure(inPeace(settings));
  }

  private static PlannerSettings inPeace(PlannerSettings settings) {
    return settings.toBuilder().solveLimit(NO_HURRY).build();
  }

  /** In the middle of the network method's next solve. */
  void whileSolving(Runnable act) {
    whileSolving.add(act);
  }

  /** In the middle of reading the next merge patch. */
  void whileReading(Runnable act) {
    whileReading.add(act);
  }

  private Allocator interrupted(Allocator real) {
    return (problem, options) -> {
      Optional.ofNullable(whileSolving.poll()).ifPresent(Runnable::run);
      return real.solve(problem, options);
    };
  }

  /** An agent whose rules name these intents. */
  void attach(String host, String... intents) {
    attach(
        AgentInfo.of(host, List.of(), "htb", "test", "test", Instant.EPOCH)
            .naming(List.of(intents)));
  }

  void attach(AgentInfo agent) {
    planner.attached(agent, List.of(), 0);
  }

  /** As an agent would. */
  void talk(String id, String intent) {
    talk(ConversationId.of("h1", id), intent);
  }

  void talk(ConversationId id, String intent) {
    planner.opened(
        Conversation.builder()
            .id(id)
            .intent(intent)
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .enforcement(Enforcement.FIRST_HOP)
            .firstSeen(Instant.EPOCH)
            .build());
  }

  /** As a plan would that splits its class. */
  void split(String id, String subClass) {
    proofs.change(ConversationId.of("h1", id), proof -> proof.subClass(Optional.of(subClass)));
  }

  /** As h1's agent would, of what an application measured. */
  void report(String id, Map<String, Double> kpis) {
    Map<String, KpiReading> readings = new HashMap<>();
    kpis.forEach((name, value) -> readings.put(name, KpiReading.of(value, Instant.now())));
    planner.counted(
        List.of(
            Counters.of(
                ConversationId.of("h1", id),
                0,
                0,
                1,
                DataRate.ofKilobitsPerSecond(100),
                readings,
                Optional.empty())));
    worker.execute(experiences::refresh);
  }

  /** Waits until everything said so far is done, and planned. */
  void settle() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    Plan before;
    do {
      before = planner.plan();
      // One thread, in the order of time: the events, the plan that they ask for, and its adoption.
      await(worker::execute);
      await(then -> worker.after(PlannerSettings.DEFAULT.coalescing(), then));
      await(worker::execute);
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the planner does not come to rest");
      }
      // What is said while a plan is made is planned after it; and the proofs are written a moment
      // after a plan is seen.
    } while (planner.plan() != before);
  }

  private static void await(Consumer<Runnable> turn) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    turn.accept(done::countDown);
    if (!done.await(2, TimeUnit.MINUTES)) {
      throw new AssertionError("the planner's thread does nothing");
    }
  }

  /** What-ifs end with this. */
  void failWith(Error error) {
    fault = Optional.of(error);
  }

  private PolicyDifference whatIf(IntentTree next) {
    fault.ifPresent(
        error -> {
          throw error;
        });
    return PolicyDifference.of(policies.tree(), next, planner, proofs);
  }

  List<Change> log() {
    return changes.newest(Integer.MAX_VALUE, Long.MAX_VALUE, change -> true);
  }

  /** Written and read as where they outlive a restart. */
  static <T> Records<T> records(RecordCodec<T> codec) {
    return new EncodedRecords<>("test", new RememberedRecords<>(), codec);
  }

  private static NetworkState twoHosts() {
    List<Link> links = new ArrayList<>();
    for (String[] ends : new String[][] {{"h1", "s1"}, {"s1", "h1"}, {"s1", "h2"}, {"h2", "s1"}}) {
      links.add(
          Link.of(
              ends[0],
              ends[1],
              DataRate.ofKilobitsPerSecond(2_000),
              LinkDelay.constant(Latency.ofMillis(1))));
    }
    return NetworkState.of(
        Network.of(Set.of("h1", "h2", "s1"), links),
        new HashMap<>(Map.of("10.0.0.1", "h1", "10.0.0.2", "h2")),
        List.of());
  }

  /** The real one, which can be stopped in its middle. */
  private PolicyFile policyFile() {
    PolicyFile real = new YamlPolicyFile();
    return new PolicyFile() {
      @Override
      public IntentTree read(String text) {
        return real.read(text);
      }

      @Override
      public String write(IntentTree tree) {
        return real.write(tree);
      }

      @Override
      public Policy patched(Policy now, String patch, IntentTree tree) {
        Optional.ofNullable(whileReading.poll()).ifPresent(Runnable::run);
        return real.patched(now, patch, tree);
      }
    };
  }

  @Override
  public PolicyService policy() {
    return new PolicyService(
        policies,
        versions,
        drafts,
        ceilings,
        policyFile(),
        new PolicyService.Concerned() {
          @Override
          public PolicyDifference whatIf(IntentTree next) {
            return SmallPaceline.this.whatIf(next);
          }

          @Override
          public NamedIntents named() {
            return NamedIntents.of(planner.agents(), proofs.all());
          }
        });
  }

  @Override
  public ConversationService conversations() {
    return new ConversationService(planner, proofs, policies, changes, network());
  }

  @Override
  public StateService state() {
    return new StateService(
        planner,
        proofs,
        reconciler,
        besideRules,
        () -> "127.0.0.1:9559, unencrypted, from this machine only",
        network(),
        naming());
  }

  @Override
  public NamingService naming() {
    return new NamingService(naming, new YamlNamingRulesFile(), found);
  }

  @Override
  public NetworkService network() {
    return new NetworkService(() -> network, telemetry(), List::of, planner, proofs);
  }

  /** The first link carries 1,234 kbit/s and dropped 5 packets of 103. */
  private static LinkTelemetry telemetry() {
    LinkTelemetry telemetry = new LinkTelemetry(new ManualWorker(), Clock.systemUTC());
    LinkId first = LinkId.of("h1", "s1");
    telemetry.counted(Map.of(first, LinkCount.of(0, 0, 0, Duration.ofSeconds(1))));
    telemetry.counted(Map.of(first, LinkCount.of(154_250, 103, 5, Duration.ofSeconds(2))));
    return telemetry;
  }

  @Override
  public IngressLists elephants() {
    return elephants;
  }

  /** A day passes for the lists of elephants. */
  void passTheNight() {
    nights.pass(Duration.ofDays(1));
    elephants.look(List.of());
  }

  /** Who tell of elephants what the test says. */
  ManualExporters exporters() {
    return exporters;
  }

  @Override
  public ReservationService reservations() {
    return new ReservationService(reservations, brokenPromises, changes, policies, proofs);
  }

  @Override
  public SolverService solver() {
    return new SolverService(new JsonProblemFile(), planner::problem);
  }

  @Override
  public RequestService requests() {
    return new RequestService(requests, answers, changes);
  }

  @Override
  public Operations operations() {
    return operations;
  }

  @Override
  public LearningService learning() {
    return new LearningService(
        new TableLearning(learnedTables, policies::tree, Clock.systemUTC(), Runnable::run), drafts);
  }

  /** As if it had been learned before a restart. */
  void learned(LearnedTable table) {
    learnedTables.replace(table.name(), table);
  }

  @Override
  public ChangeLog changes() {
    return changes;
  }

  @Override
  public Settings settings() {
    return settings;
  }

  @Override
  public EnrolmentTokens enrolment() {
    return enrolment;
  }

  @Override
  public HostCertificates certificates() {
    return certificates;
  }

  /** What the hosts of this controller were given. */
  RememberedCertificates authority() {
    return authority;
  }

  @Override
  public Webhooks webhooks() {
    return webhooks;
  }

  /** To be told what agents tell. */
  Planner planner() {
    return planner;
  }

  private void networkChanged() {
    planner.networkChanged();
  }

  @Override
  public void close() {
    telling.close();
    doing.close();
    worker.close();
  }

  @Override
  public void afterEach(ExtensionContext test) {
    close();
  }
}
