package org.paceline.agent.naming;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.SocketFacts;
import org.paceline.agent.sense.Transport;

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

  /** How many there are. */
  public int count() {
    return (int)
            List.of(protocol, localPort, remotePort, localAddress, remoteAddress).stream()
                .filter(Optional::isPresent)
                .count()
        + traits.size();
  }
}
