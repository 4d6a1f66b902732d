package org.paceline.onos.finding;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.host.HostService;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.naming.DetectionMatch;
import org.paceline.control.naming.FoundFlows;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.naming.PacketFacts;
import org.paceline.control.port.Journal;
import org.paceline.control.port.NetworkView;
import org.paceline.control.port.Worker;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.StagedWriter;
import org.paceline.onos.forward.DestinationRules;
import org.paceline.onos.listen.Listening;
import org.paceline.onos.meter.DropMeters;
import org.paceline.onos.meter.MeteredPackets;
import org.paceline.onos.meter.PortMeters;
import org.paceline.onos.tables.RuleOwner;
import org.paceline.onos.tables.SwitchTables;

/**
 * Finds the flows of hosts without an agent: has their edge switches show a first packet of what
 * naming rules may name, has it named, and looks in ONOS's flow counters whether anything of it is
 * still sent. All but the taking of packets belongs to the worker's thread.
 */
public final class FlowFinder implements RuleOwner, AutoCloseable {
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Until then the rule of its conversation stands; where it does not, it is looked at again. */
  private static final Duration NAMED_FOR = Duration.ofSeconds(5);

  /** Nobody waits for a flow that no rule names: others may be meant by a rule's next version. */
  private static final Duration UNNAMED_FOR = Duration.ofSeconds(30);

  private static final long COPIES_PER_SECOND = 50;

  private static final String LOSS_OF_A_SWITCH =
      "it finds no flows of hosts without an agent. Maybe it has no three tables, no meters, or no"
          + " room.";

  private static final String LOSS_OF_A_PORT =
      "there, flows of hosts without an agent are not found. Maybe run an agent there, or announce"
          + " them.";

  private static final int TICKS_BETWEEN_METER_CHECKS = 10;
  private static final int MOST_WAITING = 500;

  /** Before default forwarding, which would bring a copy on its way as a packet. */
  private static final int BEFORE_FORWARDING = PacketProcessor.director(2);

  private final Switches switches;
  private final Surroundings surroundings;
  private final FoundFlows found;
  private final Worker worker;
  private final Journal journal;
  private final DetectionRules detection;
  private final StagedWriter writer;
  private final PortMeters meters;
  private final LookedAt lookedAt;
  private final Map<DeviceId, SwitchTables> tables = new HashMap<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** The ids of the rules that send copies: what comes by another one is no copy. */
  private volatile Set<Long> copying = Set.of();

  private volatile Iterable<FlowRule> forwarding = List.of();
  private Set<String> withAgents = Set.of();
  private Set<ConnectPoint> guarded = Set.of();
  private NamingRules naming = NamingRules.NONE;
  private boolean isDue = true;
  private volatile boolean isClosed;
  private long ticks;

  /** What it asks of switches. */
  public static final class Switches {
    private final OwnRules rules;
    private final DropMeters meters;
    private final PacketService packets;
    private final ConversationRules conversations;
    private final Predicate<DeviceId> metered;

    /**
     * @param metered whether a switch shows packets to the controller through meters
     */
    public Switches(
        OwnRules rules,
        DropMeters meters,
        PacketService packets,
        ConversationRules conversations,
        Predicate<DeviceId> metered) {
      this.rules = rules;
      this.meters = meters;
      this.packets = packets;
      this.conversations = conversations;
      this.metered = metered;
    }
  }

  /** What it knows of hosts. */
  public static final class Surroundings {
    private final HostService hosts;
    private final NetworkView network;
    private final Supplier<Set<String>> withAgents;
    private final Supplier<Duration> idle;
    private final Supplier<Set<ConnectPoint>> guarded;

    /**
     * @param withAgents the addresses of hosts with an agent, which says itself what they send
     * @param idle how long nothing is counted of a conversation before it is over
     * @param guarded the ports at which only what comes from their hosts' addresses is forwarded
     */
    public Surroundings(
        HostService hosts,
        NetworkView network,
        Supplier<Set<String>> withAgents,
        Supplier<Duration> idle,
        Supplier<Set<ConnectPoint>> guarded) {
      this.hosts = hosts;
      this.network = network;
      this.withAgents = withAgents;
      this.idle = idle;
      this.guarded = guarded;
    }
  }

  public FlowFinder(
      Switches switches,
      Surroundings surroundings,
      FoundFlows found,
      Worker worker,
      Journal journal) {
    this.switches = switches;
    this.surroundings = surroundings;
    this.found = found;
    this.worker = worker;
    this.journal = journal;
    this.detection = new DetectionRules(switches.rules.app());
    this.writer = new StagedWriter(switches.rules, worker);
    this.meters = new PortMeters(switches.meters, worker, journal, LOSS_OF_A_PORT, this::refresh);
    this.lookedAt = new LookedAt(switches.rules.service(), worker);
  }

  public void open(Listening listening) {
    listening.packets(switches.packets, BEFORE_FORWARDING, this::process);
    worker.execute(
        () -> {
          worker.every(() -> TICK, this::tick);
          adopt();
          tick();
        });
  }

  @Override
  public void close() {
    writer.close();
    isClosed = true;
  }

  /** Other naming rules hold. Any thread may say so. */
  public void goBy(NamingRules rules) {
    worker.execute(
        () -> {
          naming = rules;
          found.goBy(rules);
          // What no rule named before may be named now.
          lookedAt.forget();
          refresh();
        });
  }

  /** Default forwarding has these rules now. Any thread may say so. */
  public void forwardsBy(Iterable<FlowRule> rules) {
    forwarding = rules;
    worker.execute(this::refresh);
  }

  /** What a controller before this one left, where ONOS keeps that. */
  private void adopt() {
    for (FlowEntry entry : switches.rules.service().getFlowEntriesById(switches.rules.app())) {
      if (entry.state() == FlowEntry.FlowEntryState.ADDED && DetectionRules.isOurs(entry)) {
        tables(entry.deviceId()).adopt(entry);
      }
    }
  }

  @Override
  public void returned(DeviceId device) {
    Optional.ofNullable(tables.get(device)).ifPresent(SwitchTables::returned);
    meters.returned(device);
  }

  @Override
  public Collection<FlowRule> wanted(DeviceId device) {
    Set<FlowRule> wanted = new HashSet<>(lookedAt.at(device));
    Optional.ofNullable(tables.get(device)).map(SwitchTables::wanted).ifPresent(wanted::addAll);
    return wanted;
  }

  @Override
  public void writeAgain(DeviceId device, Set<FlowRule> lost) {
    lookedAt.writeAgain(device, lost);
    Optional.ofNullable(tables.get(device)).ifPresent(each -> each.writeAgain(lost));
  }

  private SwitchTables tables(DeviceId device) {
    return tables.computeIfAbsent(
        device, d -> new SwitchTables(d, writer, worker, journal, LOSS_OF_A_SWITCH));
  }

  private void tick() {
    if (isClosed) {
      return;
    }
    ticks++;
    Set<String> agents = surroundings.withAgents.get();
    if (!agents.equals(withAgents)) {
      withAgents = agents;
      found.leaveToAgents(agents);
      isDue = true;
    }
    List<Conversation> open = found.conversations();
    if (!open.isEmpty()) {
      found.counted(packets(open));
      found.expire(surroundings.idle.get());
    }
    if (ticks % TICKS_BETWEEN_METER_CHECKS == 0) {
      isDue = true;
      meters.check();
    }
    if (isDue) {
      refresh();
    }
  }

  /** As ONOS last read them, of those that have rules at their first switch. */
  private Map<ConversationId, Long> packets(List<Conversation> open) {
    Map<ConversationId, Long> packets = new HashMap<>();
    switches
        .conversations
        .firstEntries(open)
        .forEach(
            (id, entries) -> packets.put(id, entries.stream().mapToLong(FlowEntry::packets).sum()));
    return packets;
  }

  private void refresh() {
    if (isClosed) {
      return;
    }
    // Until all of it is done.
    isDue = true;
    guarded = surroundings.guarded.get();
    Map<DeviceId, Set<FlowRule>> wanted = new HashMap<>();
    Set<MeteredPackets> shown = new HashSet<>();
    Set<Long> copies = new HashSet<>();
    if (!naming.rules().isEmpty()) {
      for (Host host : surroundings.hosts.getHosts()) {
        detect(host, wanted, shown, copies);
      }
    }
    for (FlowRule rule : forwarding) {
      if (wanted.containsKey(rule.deviceId()) && DestinationRules.isForwarding(rule)) {
        wanted.get(rule.deviceId()).add(detection.forward(rule));
      }
    }
    copying = Set.copyOf(copies);
    wanted.forEach((device, rules) -> tables(device).want(rules));
    tables.forEach(
        (device, each) -> {
          if (!wanted.containsKey(device)) {
            each.want(Set.of());
          }
        });
    tables.values().removeIf(SwitchTables::isIdle);
    meters.retain(shown);
    isDue = false;
  }

  private void detect(
      Host host, Map<DeviceId, Set<FlowRule>> wanted, Set<MeteredPackets> shown, Set<Long> copies) {
    // A host whose switch has left is known for a while without a place.
    if (host.location() == null
        || host.ipAddresses().stream().map(IpAddress::toString).anyMatch(withAgents::contains)) {
      return;
    }
    List<InetAddress> addresses =
        host.ipAddresses().stream()
            .map(IpAddress::toInetAddress)
            .collect(Collectors.toUnmodifiableList());
    Set<DetectionMatch> matches = DetectionMatch.of(naming, mac(host.mac()), addresses);
    if (matches.isEmpty()) {
      return;
    }
    ConnectPoint at = new ConnectPoint(host.location().deviceId(), host.location().port());
    MeteredPackets packets = MeteredPackets.of(at, MeteredPackets.Kind.COPIES);
    shown.add(packets);
    Optional<MeterId> meter = meters.at(packets, COPIES_PER_SECOND);
    if (meter.isPresent()) {
      FlowRule copy = detection.copy(at, meter.get());
      copies.add(copy.id().value());
      Set<FlowRule> rules =
          wanted.computeIfAbsent(
              at.deviceId(),
              d -> new HashSet<>(Set.of(detection.handOver(d, switches.metered.test(d)))));
      rules.add(copy);
      rules.addAll(
          guarded.contains(at)
              ? detection.detect(at, host.mac(), matches, host.ipAddresses())
              : detection.detect(at, host.mac(), matches));
    }
  }

  private static String mac(MacAddress address) {
    return address.toString().toLowerCase(Locale.ROOT);
  }

  /** On ONOS's thread for packets. */
  private void process(PacketContext context) {
    InboundPacket in = context.inPacket();
    if (in.cookie().filter(copying::contains).isEmpty()) {
      return;
    }
    // Its packet is on its way already.
    context.block();
    Optional<PacketFacts> facts = PacketReader.read(in.parsed());
    if (facts.isPresent() && waiting.incrementAndGet() <= MOST_WAITING) {
      worker.execute(
          () -> {
            waiting.decrementAndGet();
            look(in.receivedFrom(), facts.get());
          });
    } else if (facts.isPresent()) {
      waiting.decrementAndGet();
    }
  }

  private void look(ConnectPoint at, PacketFacts packet) {
    if (!isOfHost(at, packet) || withAgents.contains(packet.localAddress())) {
      return;
    }
    // What goes to a host that nobody knows, such as all of them, has no path to plan.
    boolean isPlannable = surroundings.network.current().nodeOf(packet.remoteAddress()).isPresent();
    FoundFlows.Outcome outcome = isPlannable ? found.seen(packet) : FoundFlows.Outcome.UNNAMED;
    lookedAt.add(
        detection.lookedAt(at, packet),
        outcome == FoundFlows.Outcome.NAMED ? NAMED_FOR : UNNAMED_FOR);
  }

  /**
   * Whether the host is there that it says to come from: others could open conversations for it.
   */
  private boolean isOfHost(ConnectPoint at, PacketFacts packet) {
    return surroundings.hosts.getHostsByMac(MacAddress.valueOf(packet.mac())).stream()
        .filter(
            host ->
                host.location() != null
                    && host.location().deviceId().equals(at.deviceId())
                    && host.location().port().equals(at.port()))
        .flatMap(host -> host.ipAddresses().stream())
        .anyMatch(address -> address.toString().equals(packet.localAddress()));
  }
}
