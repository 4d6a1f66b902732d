package org.paceline.onos.forward;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.IpAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.packet.PacketPriority;

/**
 * Default forwarding as rules: on every switch one for each host, by destination MAC address, along
 * the tree of least delay towards it, and of fewest hops where delays are not known. O(V * H) rules
 * for V switches and H hosts, whoever talks to whom.
 *
 * <p>Another rule takes hosts' questions whether their neighbour is still there, and the answers,
 * where they go, besides to ONOS, which learns from them: without a controller that answers, hosts
 * would forget each other in half a minute, and all their traffic would end (RFC 4861's reasoning
 * as Linux applies it to ARP, RFC 826). Hosts with an IPv6 address have two more of these.
 *
 * <p>Where managed packets are told by a DSCP, two more take it away from packets of IPv4 and IPv6
 * that come with it and are led by nobody: their sender marked them to push in. So do two for the
 * elephants' DSCP where ports have queues for these, at switches with ports for hosts only:
 * elephants themselves have rules of their own all along their path.
 *
 * <p>Belongs to the worker's thread.
 */
public final class DestinationRules {
  /** Below everything that is about somebody in particular. */
  public static final int PRIORITY = 10;

  /**
   * Above ONOS's own rule that takes all ARP to the controller only, and that of {@link
   * ControllerTable}.
   */
  public static final int ARP_PRIORITY = PacketPriority.CONTROL.priorityValue() + 2;

  private static final List<EtherType> MARKED = List.of(EtherType.IPV4, EtherType.IPV6);

  /** So little that it only decides between ways of equal delay. */
  private static final long HOP_NANOS = 1_000;

  private final ApplicationId app;
  private final ToLongFunction<Link> delayNanos;
  private final IntSupplier managedDscp;
  private final IntSupplier elephantDscp;
  private final Supplier<Set<DeviceId>> metered;

  /** One for each number that ports have, and for all hosts behind them. */
  private final Map<PortNumber, Treatments> meteredBy = new HashMap<>();

  private final Map<PortNumber, Treatments> unmeteredBy = new HashMap<>();

  /**
   * @param delayNanos of an idle link; 0 where it is not known
   * @param managedDscp by which managed packets are told; 0 for none
   * @param elephantDscp by which ports tell elephants; 0 where none has a queue for them
   * @param metered the switches that show packets to the controller by {@link ControllerTable}
   */
  public DestinationRules(
      ApplicationId app,
      ToLongFunction<Link> delayNanos,
      IntSupplier managedDscp,
      IntSupplier elephantDscp,
      Supplier<Set<DeviceId>> metered) {
    this.app = app;
    this.delayNanos = delayNanos;
    this.managedDscp = managedDscp;
    this.elephantDscp = elephantDscp;
    this.metered = metered;
  }

  /** Whether a rule brings what comes from hosts on its way, and is not about their questions. */
  public static boolean isForwarding(FlowRule rule) {
    return rule.tableId() == 0 && (rule.priority() == PRIORITY || rule.priority() == PRIORITY + 1);
  }

  /** Whether a rule brings hosts' questions and answers to their neighbours. */
  public static boolean isAsking(FlowRule rule) {
    return rule.tableId() == 0 && rule.priority() == ARP_PRIORITY;
  }

  /** One link towards a switch, with the cost of crossing it. */
  private static final class Hop {
    final DeviceId from;
    final PortNumber port;
    final long nanos;

    Hop(DeviceId from, PortNumber port, long nanos) {
      this.from = from;
      this.port = port;
      this.nanos = nanos;
    }
  }

  /**
   * What hosts' rules follow from. O(V * E log E + H) for V switches with hosts and E links.
   *
   * @param hosts that are somewhere, each MAC address once: rules tell hosts by it
   * @param facingHosts the switches with ports for hosts, known or not; asked where it matters
   */
  List<Destination> destinations(
      Collection<Link> links, Collection<Host> hosts, Supplier<Set<DeviceId>> facingHosts) {
    Map<DeviceId, List<Hop>> incoming = new HashMap<>();
    for (Link link : links) {
      incoming
          .computeIfAbsent(link.dst().deviceId(), d -> new ArrayList<>())
          .add(
              new Hop(
                  link.src().deviceId(),
                  link.src().port(),
                  HOP_NANOS + delayNanos.applyAsLong(link)));
    }
    Map<DeviceId, Map<DeviceId, PortNumber>> towards = new HashMap<>();
    for (Host host : hosts) {
      towards.computeIfAbsent(host.location().deviceId(), edge -> Map.copyOf(tree(edge, incoming)));
    }
    Set<DeviceId> edges = new HashSet<>(towards.keySet());
    int elephants = elephantDscp.getAsInt();
    if (elephants > 0) {
      edges.addAll(facingHosts.get());
    }
    Destination.Marks marks =
        Destination.Marks.of(managedDscp.getAsInt(), elephants, Set.copyOf(edges));
    Set<DeviceId> showing = metered.get();
    return hosts.stream()
        .map(
            host ->
                Destination.of(
                    host.mac(),
                    host.ipAddresses().stream().anyMatch(IpAddress::isIp6),
                    LedHosts.port(host),
                    towards.getOrDefault(host.location().deviceId(), Map.of()),
                    marks,
                    showing))
        .collect(Collectors.toUnmodifiableList());
  }

  /**
   * The rules of each switch. No two of them are equal, nor is any to one of another MAC address.
   * O(V) for V switches.
   */
  Map<DeviceId, List<FlowRule>> of(Destination to) {
    return of(to, to, Map.of());
  }

  /**
   * The same, where some are made already: those of switches that send what is for the host by the
   * port that they sent it by before stay as they are, each list the same one.
   *
   * @param before of the same MAC address
   * @param held the rules of that
   */
  Map<DeviceId, List<FlowRule>> of(
      Destination to, Destination before, Map<DeviceId, List<FlowRule>> held) {
    Map<DeviceId, List<FlowRule>> rules = new HashMap<>();
    Selectors selectors = new Selectors(to);
    to.ways()
        .forEach((device, port) -> rules.put(device, at(device, selectors, port, before, held)));
    DeviceId edge = to.at().deviceId();
    rules.put(edge, at(edge, selectors, to.at().port(), before, held));
    return rules;
  }

  private List<FlowRule> at(
      DeviceId device,
      Selectors selectors,
      PortNumber port,
      Destination before,
      Map<DeviceId, List<FlowRule>> held) {
    Destination to = selectors.to;
    boolean isMetered = to.isMetered(device);
    List<FlowRule> same = held.get(device);
    if (same == null || !to.isMatchedAlike(device, before)) {
      return made(device, selectors, treatments(port, isMetered));
    }
    return isMetered == before.isMetered(device)
            && before.port(device).filter(port::equals).isPresent()
        ? same
        : withTreatments(same, treatments(port, isMetered));
  }

  /** What rules to a host select, alike on all switches; most changes need none of them. */
  private static final class Selectors {
    final Destination to;
    private Optional<TrafficSelector> all = Optional.empty();
    private final List<TrafficSelector> asking = new ArrayList<>();
    private final List<TrafficSelector> managed = new ArrayList<>();
    private final List<TrafficSelector> elephants = new ArrayList<>();

    Selectors(Destination to) {
      this.to = to;
    }

    /** By priority. */
    void at(DeviceId device, BiConsumer<Integer, TrafficSelector> selected) {
      if (all.isEmpty()) {
        make();
      }
      selected.accept(PRIORITY, all.orElseThrow());
      asking.forEach(one -> selected.accept(ARP_PRIORITY, one));
      managed.forEach(one -> selected.accept(PRIORITY + 1, one));
      if (to.marks().edges().contains(device)) {
        elephants.forEach(one -> selected.accept(PRIORITY + 1, one));
      }
    }

    private void make() {
      Destination.Marks marks = to.marks();
      all = Optional.of(toHost(to).build());
      asking(to).forEach(asked -> asking.add(asked.matchEthDst(to.mac()).build()));
      managed.addAll(marked(marks.managedDscp()));
      if (marks.elephantDscp() != marks.managedDscp()) {
        elephants.addAll(marked(marks.elephantDscp()));
      }
    }

    private List<TrafficSelector> marked(int dscp) {
      List<TrafficSelector> marked = new ArrayList<>();
      for (EtherType type : dscp > 0 ? MARKED : List.<EtherType>of()) {
        marked.add(
            toHost(to).matchEthType(type.ethType().toShort()).matchIPDscp((byte) dscp).build());
      }
      return marked;
    }
  }

  /** What rules do that send by one port. */
  private static final class Treatments {
    private final TrafficTreatment led;
    private final TrafficTreatment told;
    private final TrafficTreatment unmarked;

    Treatments(PortNumber port, boolean isMetered) {
      led = out(port).build();
      told = ControllerTable.show(out(port), isMetered).build();
      unmarked = DefaultTrafficTreatment.builder().setIpDscp((byte) 0).setOutput(port).build();
    }

    TrafficTreatment of(int priority) {
      return priority == PRIORITY ? led : priority == ARP_PRIORITY ? told : unmarked;
    }

    private static TrafficTreatment.Builder out(PortNumber port) {
      return DefaultTrafficTreatment.builder().setOutput(port);
    }
  }

  private Treatments treatments(PortNumber port, boolean isMetered) {
    return (isMetered ? meteredBy : unmeteredBy)
        .computeIfAbsent(port, by -> new Treatments(by, isMetered));
  }

  private List<FlowRule> made(DeviceId device, Selectors selectors, Treatments treatments) {
    List<FlowRule> rules = new ArrayList<>();
    selectors.at(
        device,
        (priority, selector) ->
            rules.add(
                rule(device, priority, selector, treatments.of(priority)).fromApp(app).build()));
    return rules;
  }

  /**
   * The same matches, with the ids that they have: ONOS works an id out from the match as text,
   * which costs more than all else of a rule.
   */
  private static List<FlowRule> withTreatments(List<FlowRule> rules, Treatments treatments) {
    List<FlowRule> changed = new ArrayList<>(rules.size());
    for (FlowRule rule : rules) {
      TrafficTreatment does = treatments.of(rule.priority());
      changed.add(
          does.equals(rule.treatment())
              ? rule
              : rule(rule.deviceId(), rule.priority(), rule.selector(), does)
                  .withCookie(rule.id().value())
                  .build());
    }
    return changed;
  }

  /** By which port every other switch sends what is for this one. */
  private static Map<DeviceId, PortNumber> tree(DeviceId root, Map<DeviceId, List<Hop>> incoming) {
    Map<DeviceId, PortNumber> ports = new HashMap<>();
    Set<DeviceId> settled = new HashSet<>();
    // Equal input gives equal output: between equals the lower switch, then the lower port.
    PriorityQueue<Hop> open =
        new PriorityQueue<>(
            Comparator.<Hop>comparingLong(hop -> hop.nanos)
                .thenComparing(hop -> hop.from.toString())
                .thenComparing(hop -> hop.port.toLong()));
    open.add(new Hop(root, PortNumber.LOCAL, 0));
    while (!open.isEmpty()) {
      Hop nearest = open.remove();
      if (!settled.add(nearest.from)) {
        continue;
      }
      if (!nearest.from.equals(root)) {
        ports.put(nearest.from, nearest.port);
      }
      for (Hop hop : incoming.getOrDefault(nearest.from, List.of())) {
        if (!settled.contains(hop.from)) {
          open.add(new Hop(hop.from, hop.port, nearest.nanos + hop.nanos));
        }
      }
    }
    return ports;
  }

  /** By which its neighbours ask for it, and it asks for them. */
  private static List<TrafficSelector.Builder> asking(Destination host) {
    List<TrafficSelector.Builder> asking = new ArrayList<>();
    asking.add(DefaultTrafficSelector.builder().matchEthType(EtherType.ARP.ethType().toShort()));
    if (host.hasIpv6()) {
      asking.addAll(Neighbours.matches());
    }
    return asking;
  }

  private static TrafficSelector.Builder toHost(Destination host) {
    return DefaultTrafficSelector.builder().matchEthDst(host.mac());
  }

  private static FlowRule.Builder rule(
      DeviceId device, int priority, TrafficSelector selector, TrafficTreatment treatment) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .withPriority(priority)
        .makePermanent()
        .withSelector(selector)
        .withTreatment(treatment);
  }
}
