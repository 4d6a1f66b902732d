package org.paceline.agent.naming;

import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

/**
 * What a rule asks of a socket; those that are present must all hold.
 *
 * @param traits what it asks beyond what each packet shows
 */
public record Conditions(
    Optional<Transport> protocol,
    Optional<PortRanges> localPort,
    Optional<PortRanges> remotePort,
    Optional<AddressSet> localAddress,
    Optional<AddressSet> remoteAddress,
    Map<Trait, Glob> traits) {
  public static final Conditions NONE =
      new Conditions(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of());

  public Conditions {
    // In one order, for messages.
    EnumMap<Trait, Glob> ordered = new EnumMap<>(Trait.class);
    ordered.putAll(traits);
    traits = Collections.unmodifiableMap(ordered);
  }

  /**
   * One that does not hold.
   *
   * @param is what the socket has instead; empty where it is not known
   */
  public record Miss(String key, String wanted, String is) {}

  /** Whether a packet alone cannot tell. */
  public boolean askMoreThanPackets() {
    return !traits.isEmpty();
  }

  /** All that can be told from the packet alone, but for the ports. */
  boolean addressesMatch(Flow flow) {
    return protocol.map(flow.transport()::equals).orElse(true)
        && localAddress.map(set -> set.contains(flow.local())).orElse(true)
        && remoteAddress.map(set -> set.contains(flow.remote())).orElse(true);
  }

  boolean localPortMatches(Flow flow) {
    return localPort.map(ports -> ports.contains(flow.localPort())).orElse(true);
  }

  boolean remotePortMatches(Flow flow) {
    return remotePort.map(ports -> ports.contains(flow.remotePort())).orElse(true);
  }

  boolean packetMatches(Flow flow) {
    return addressesMatch(flow) && localPortMatches(flow) && remotePortMatches(flow);
  }

  boolean askWhoOwnsIt() {
    return traits.keySet().stream().anyMatch(Trait::isOfOwner);
  }

  /** All that can be told before the owner is looked for. */
  boolean couldMatch(SocketFacts facts) {
    return packetMatches(facts.flow())
        && traits.entrySet().stream()
            .allMatch(t -> t.getKey().isOfOwner() || t.getKey().matches(t.getValue(), facts));
  }

  boolean match(SocketFacts facts) {
    return packetMatches(facts.flow())
        && traits.entrySet().stream().allMatch(t -> t.getKey().matches(t.getValue(), facts));
  }

  /** Why they do not match, for a person; nothing where they do. */
  public List<Miss> misses(SocketFacts facts) {
    Flow flow = facts.flow();
    List<Miss> misses = new ArrayList<>();
    protocol
        .filter(p -> p != flow.transport())
        .ifPresent(p -> misses.add(new Miss("protocol", p.text(), flow.transport().text())));
    localPort
        .filter(p -> !p.contains(flow.localPort()))
        .ifPresent(p -> misses.add(new Miss("localPort", p.toString(), "" + flow.localPort())));
    remotePort
        .filter(p -> !p.contains(flow.remotePort()))
        .ifPresent(p -> misses.add(new Miss("remotePort", p.toString(), "" + flow.remotePort())));
    localAddress
        .filter(set -> !set.contains(flow.local()))
        .ifPresent(
            set ->
                misses.add(
                    new Miss("localAddress", set.toString(), flow.local().getHostAddress())));
    remoteAddress
        .filter(set -> !set.contains(flow.remote()))
        .ifPresent(
            set ->
                misses.add(
                    new Miss("remoteAddress", set.toString(), flow.remote().getHostAddress())));
    traits.forEach(
        (trait, wanted) -> {
          if (!trait.matches(wanted, facts)) {
            misses.add(new Miss(trait.key(), wanted.text(), trait.text(facts)));
          }
        });
    return misses;
  }

  /** Those that hold or not whoever the socket sends to; one that is not connected has no more. */
  public Conditions settled(SocketFacts socket) {
    Map<Trait, Glob> own = new EnumMap<>(Trait.class);
    own.putAll(traits);
    own.remove(Trait.REMOTE_NAME);
    return new Conditions(
        protocol,
        localPort,
        Optional.empty(),
        localAddress.filter(any -> !socket.flow().local().isAnyLocalAddress()),
        Optional.empty(),
        own);
  }

  /** The others of a socket that is not connected, for a person. */
  public List<String> unsettled(SocketFacts socket) {
    List<String> asked = new ArrayList<>();
    if (socket.flow().local().isAnyLocalAddress()) {
      localAddress.ifPresent(set -> asked.add("localAddress is " + set));
    }
    remotePort.ifPresent(ports -> asked.add("remotePort is " + ports));
    remoteAddress.ifPresent(set -> asked.add("remoteAddress is " + set));
    Optional.ofNullable(traits.get(Trait.REMOTE_NAME))
        .ifPresent(name -> asked.add("remoteName is " + name.text()));
    return asked;
  }

  /**
   * Whether they can hold for some destination of a socket that is not connected: one of IPv4 has
   * none of IPv6.
   */
  public boolean couldMatchUnconnected(SocketFacts socket) {
    boolean ipv4Only = socket.flow().local() instanceof Inet4Address;
    return settled(socket).match(socket)
        && Stream.concat(localAddress.stream(), remoteAddress.stream())
            .noneMatch(set -> ipv4Only && set.ranges(true).isEmpty());
  }

  /** How many there are. */
  public int count() {
    return (int)
            List.of(protocol, localPort, remotePort, localAddress, remoteAddress).stream()
                .filter(Optional::isPresent)
                .count()
        + traits.size();
  }
}
