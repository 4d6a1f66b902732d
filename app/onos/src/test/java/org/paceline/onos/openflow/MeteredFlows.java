package org.paceline.onos.openflow;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterServiceAdapter;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.Nobody;
import org.paceline.control.WrittenFaults;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Transport;
import org.paceline.control.model.Unserved;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.AdaptiveSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.work.Faults;
import org.paceline.control.work.WorkerThread;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.Mesh;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.Treatment;
import org.paceline.onos.meter.DropMeters;
import org.paceline.onos.meter.FirstHopMeters;

/**
 * Conversations of hosts without agents, each with an adaptive reservation and held by a meter at
 * the first switch, under the planner with its own threads. In each period of the scheme the
 * switch's counters are asked for; what they say has rates changed.
 *
 * <p>By turns all use most of their reservations, and little of them. So each round changes the
 * rate of each.
 */
final class MeteredFlows implements AutoCloseable {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "bench");
  private static final String INTENT = "calls";
  private static final long RESERVED_KBPS = 1_000;

  /** So that links have room for all buckets beside all rates. */
  private static final long MOST_KBPS = 2_000;

  private static final long MUCH_KBPS = 800;

  /** Less than half of what is held, which is followed at once. */
  private static final long LITTLE_KBPS = 300;

  /** Half of the scheme's period, as it is with meters. */
  private static final int MEASURED_SECONDS = 2;

  private static final int FIRST_PORT = 1_000;
  private static final int OCTET = 250;

  /** How many flows there are, of whom, and how many of them share a meter. */
  static final class Size {
    final int flows;
    final int flowsOfMeter;
    final int flowsOfHost;
    final boolean fillsLinks;

    /**
     * @param flowsOfMeter as many sockets has a conversation
     * @param flowsOfHost all go to one receiver
     * @param fillsLinks whether rates rise until nothing of the links is left
     */
    Size(int flows, int flowsOfMeter, int flowsOfHost, boolean fillsLinks) {
      this.flows = flows;
      this.flowsOfMeter = flowsOfMeter;
      this.flowsOfHost = flowsOfHost;
      this.fillsLinks = fillsLinks;
    }

    int meters() {
      return flows / flowsOfMeter;
    }
  }

  /** Is told on the worker how rounds go. */
  interface Rounds {
    /** The counters are asked for now. */
    void asked();

    /** The last order is confirmed. */
    void confirmed();

    /** The period is over, with whatever was put off in it. */
    void over();
  }

  private final WrittenFaults journal = new WrittenFaults();
  private final ConnectedSwitch connected = new ConnectedSwitch();
  private final CountingSwitch counting = connected.counting;
  private final WorkerThread worker = new WorkerThread("planner", journal);
  private final WorkerThread solver = new WorkerThread("solver", journal);
  private final WorkerThread improver = new WorkerThread("improver", journal);
  private final FirstHopMeters meters;
  private final Planner planner;
  private final Size size;
  private final Rounds rounds;
  private boolean isMuch;

  /** How many rates are yet to be confirmed of this round; on the worker. */
  private int unconfirmed;

  MeteredFlows(Size size, Rounds rounds) throws IOException {
    this.size = size;
    this.rounds = rounds;
    ConversationRules rules =
        new ConversationRules(
            OwnRules.of(new Taking(), APP, device -> true),
            Mesh.nextHops(),
            Treatment.ALIKE,
            () -> false,
            device -> Integer.MAX_VALUE,
            worker,
            this::refused);
    meters =
        new FirstHopMeters(
            new DropMeters(
                new Numbered(),
                new SwitchQuestions(
                    counting::controller, new Faults(journal), Duration.ofMinutes(2)),
                APP,
                worker,
                device -> can(device.toString())),
            rules,
            worker,
            this::metered,
            this::counted,
            this::refused);
    List<Conversation> conversations = conversations(size);
    NetworkState network = network(conversations);
    planner =
        new Planner(
            PlannerPorts.builder()
                .network(() -> network)
                .rates(new ToMeters())
                .paths(rules)
                .worker(worker)
                .solving(solver::execute)
                .improving(improver::execute)
                .hosts(new Nobody.NoHosts())
                .capabilities(node -> Optional.of(can(node)))
                .clock(Clock.systemUTC())
                .journal(journal)
                .build(),
            settings(),
            new IntentPolicies(
                IntentTree.withDefault(steps()).with(IntentPath.parse(INTENT), policy(size))),
            new ProofBook(),
            new NetworkAllocator(Optional.empty()));
    conversations.forEach(planner::opened);
  }

  private static Policy policy(Size size) {
    Policy.Builder policy =
        Policy.builder()
            .scheme(SchemeName.ADAPTIVE_RESERVATIONS)
            .minimumRate(DataRate.ofKilobitsPerSecond(RESERVED_KBPS));
    return size.fillsLinks
        ? policy.build()
        : policy.maximumRate(DataRate.ofKilobitsPerSecond(MOST_KBPS)).build();
  }

  private static List<Conversation> conversations(Size size) {
    List<Conversation> all = new ArrayList<>();
    for (int flow = 0; flow < size.flows; flow += size.flowsOfMeter) {
      int host = flow / size.flowsOfHost;
      int first = FIRST_PORT + flow % size.flowsOfHost;
      String name = String.format("h%05d", host);
      all.add(
          Mesh.conversation("f" + flow, first).toBuilder()
              .id(ConversationId.of(name, "f" + flow))
              .localAddress("10.1." + host / OCTET + "." + (1 + host % OCTET))
              .intent(INTENT)
              .moreMatches(
                  IntStream.range(first + 1, first + size.flowsOfMeter)
                      .mapToObj(port -> PacketMatch.of(Transport.UDP, port, 0))
                      .collect(Collectors.toList()))
              .build());
    }
    return all;
  }

  /** The threads of the connection and of the switch are not among them. */
  ConnectedSwitch connected() {
    return connected;
  }

  /** What went wrong on the way. */
  List<String> faults() {
    List<String> faults = new ArrayList<>(journal.all);
    connected.fault().ifPresent(broken -> faults.add("The connection broke: " + broken));
    return faults;
  }

  /** How many meters were changed since this was asked. */
  int changes() {
    return counting.changes();
  }

  /**
   * All have sent for so long when their counters are asked for. Those whose rates have not all
   * followed yet go on as before.
   */
  private void sent() {
    if (unconfirmed <= 0) {
      isMuch = !isMuch;
      for (int meter = 1; meter <= size.meters(); meter++) {
        counting.tries(meter, isMuch ? MUCH_KBPS : LITTLE_KBPS);
      }
      unconfirmed = size.meters();
    }
    for (int second = 0; second < MEASURED_SECONDS; second++) {
      counting.second();
    }
  }

  /** Twice the usual period, so that rounds of all sizes are over before the next one. */
  private static PlannerSettings settings() {
    AdaptiveSettings usual = PlannerSettings.DEFAULT.adaptive();
    return PlannerSettings.DEFAULT.toBuilder()
        .adaptive(
            AdaptiveSettings.of(
                usual.shareThousandths(), usual.rule(), Duration.ofSeconds(2 * MEASURED_SECONDS)))
        .build();
  }

  private void metered(String host, long version, List<InstalledRate> rates) {
    planner.metered(host, version, rates);
    unconfirmed -= rates.size();
    if (unconfirmed == 0) {
      rounds.confirmed();
    }
  }

  private void counted(List<Counters> counters) {
    planner.counted(counters);
  }

  private void refused(ConversationId id, Unserved why) {
    journal.fault(id + " is refused", new IllegalStateException(why.reason()));
  }

  @Override
  public void close() throws IOException {
    worker.close();
    solver.close();
    improver.close();
    connected.close();
  }

  private static Capabilities can(String device) {
    return Capabilities.ofSwitch(device)
        .meters(Optional.of(1L << 20))
        .metersAllowed(1L << 20)
        .rulesAllowed(1 << 20)
        .build();
  }

  /** The mesh's way from host to host, with room for all reservations in what may be promised. */
  private static NetworkState network(List<Conversation> conversations) {
    List<String> nodes = Mesh.over(1, 5).nodes();
    List<Link> links = new ArrayList<>();
    for (int node = 1; node < nodes.size(); node++) {
      links.add(
          Link.of(
              nodes.get(node - 1),
              nodes.get(node),
              DataRate.ofKilobitsPerSecond(3 * RESERVED_KBPS * conversations.size()),
              LinkDelay.constant(Latency.ofMillis(1))));
    }
    Map<String, String> addresses = new HashMap<>();
    conversations.forEach(one -> addresses.put(one.localAddress(), nodes.get(0)));
    conversations.forEach(one -> addresses.put(one.remoteAddress(), nodes.get(nodes.size() - 1)));
    return NetworkState.of(Network.of(nodes, links), addresses, List.of());
  }

  private static UtilityFunction steps() {
    return UtilityFunction.of(
        "steps",
        List.of(DataRate.ofKilobitsPerSecond(100), DataRate.ofKilobitsPerSecond(1_000)),
        List.of(Latency.ofMillis(100)),
        List.of(List.of(Utility.of(2)), List.of(Utility.of(5))));
  }

  /** ONOS's rule service: the switches take everything at once. */
  private static final class Taking extends FlowRuleServiceAdapter {
    @Override
    public Iterable<FlowEntry> getFlowEntriesById(ApplicationId id) {
      return List.of();
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
      return List.of();
    }

    @Override
    public void apply(FlowRuleOperations operations) {
      operations.callback().onSuccess(operations);
    }
  }

  /** ONOS's meter service: numbers them, and has the switch make them at once. */
  private final class Numbered extends MeterServiceAdapter {
    private long last;

    @Override
    public Meter submit(MeterRequest request) {
      Band band = request.bands().iterator().next();
      counting.add(++last, band.rate());
      Meter meter =
          DefaultMeter.builder()
              .forDevice(request.deviceId())
              .withCellId(MeterId.meterId(last))
              .fromApp(APP)
              .withUnit(Meter.Unit.KB_PER_SEC)
              .burst()
              .withBands(request.bands())
              .build();
      request.context().orElseThrow().onSuccess(request);
      return meter;
    }
  }

  /** All are held at the first switch. */
  private final class ToMeters extends Nobody.NoRates {
    @Override
    public void send(
        String host,
        long version,
        Map<Conversation, RateDirective> rates,
        Map<PoolId, DataRate> pools) {
      Map<Conversation, org.paceline.control.directive.Meter> wanted = new LinkedHashMap<>();
      rates.forEach(
          (conversation, rate) ->
              wanted.put(conversation, (org.paceline.control.directive.Meter) rate));
      meters.limit(host, version, wanted);
    }

    @Override
    public CompletableFuture<Void> count() {
      rounds.over();
      sent();
      rounds.asked();
      return meters.count();
    }

    @Override
    public void refuse(Conversation conversation, Unserved why) {
      refused(conversation.id(), why);
    }
  }
}
