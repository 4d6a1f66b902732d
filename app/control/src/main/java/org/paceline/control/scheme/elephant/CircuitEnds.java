package org.paceline.control.scheme.elephant;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.intents.address.Endpoint;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.network.Link;

/**
 * Where what is reserved enters and leaves the network: for an address its host, for a prefix the
 * switch at which its hosts stand. Yan et al. 2013 book circuits between prefixes of an ingress and
 * an egress.
 *
 * <p>A prefix whose hosts stand at several switches has no such place: which of them will send how
 * much nobody says, so nothing that is admitted for one way is a promise to all of them. O(a) for a
 * addresses, once for each prefix. Belongs to one thread.
 */
public final class CircuitEnds {
  /** Enough to know which hosts are meant. */
  private static final int NAMED = 3;

  private final NetworkState network;
  private final Map<String, String> switches = new HashMap<>();
  private final Map<Endpoint, Map<String, SortedSet<IpAddress>>> known = new HashMap<>();

  public CircuitEnds(NetworkState network) {
    this.network = network;
    for (Link link : network.network().links()) {
      switches.put(link.id().from(), link.id().to());
    }
  }

  /**
   * The node; empty where no host of it is known. What was admitted for a prefix of which a host
   * has moved since goes where most of its hosts are.
   */
  public Optional<String> node(Endpoint end) {
    return end.isAddress()
        ? network.nodeOf(end.toString())
        : hosts(end).entrySet().stream()
            .max(
                Comparator.comparingInt(
                        (Map.Entry<String, SortedSet<IpAddress>> one) -> one.getValue().size())
                    .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
            .map(Map.Entry::getKey);
  }

  /** Why nothing can be reserved from the one to the other, whatever room there is. */
  public Optional<String> refusal(Endpoint from, Endpoint to) {
    if (from.prefix().isIpv4() != to.prefix().isIpv4()) {
      return Optional.of(
          "No packet goes from (" + from + ") to (" + to + "): one is IPv4, one is IPv6.");
    }
    return unknown(from)
        .or(() -> unknown(to))
        .or(() -> scattered(from))
        .or(() -> scattered(to))
        .or(() -> within(from, to));
  }

  private Optional<String> unknown(Endpoint end) {
    if (node(end).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        end.isAddress()
            ? "The host ("
                + end
                + ") is not known to the controller. Maybe it has not sent a packet yet."
            : "No host of ("
                + end
                + ") is known to the controller, so nobody knows at which switch the circuit ends."
                + " Maybe none has sent a packet yet.");
  }

  private Optional<String> scattered(Endpoint end) {
    if (end.isAddress() || hosts(end).size() == 1) {
      return Optional.empty();
    }
    NodeNames names = NodeNames.of(network, List.of());
    String where =
        hosts(end).entrySet().stream()
            .limit(NAMED)
            .map(one -> "(" + one.getValue().first() + ") at (" + names.of(one.getKey()) + ")")
            .collect(Collectors.joining(", "));
    return Optional.of(
        "The hosts of ("
            + end
            + ") stand at "
            + hosts(end).size()
            + " switches: "
            + where
            + (hosts(end).size() > NAMED ? ", ..." : "")
            + ". A circuit enters and leaves the network at one switch each. Maybe book one for"
            + " each part of the prefix.");
  }

  /** From one host to another at the same switch there are still their own links. */
  private Optional<String> within(Endpoint from, Endpoint to) {
    if (node(from).equals(node(to))) {
      return Optional.of(
          from.isAddress()
              ? "It stays within one host and uses no link."
              : within(node(from).orElseThrow()));
    }
    boolean isBetweenHosts = from.isAddress() && to.isAddress();
    return switchOf(from)
        .filter(at -> !isBetweenHosts && switchOf(to).equals(Optional.of(at)))
        .map(this::within);
  }

  private String within(String at) {
    return "It stays within the switch ("
        + NodeNames.of(network, List.of()).of(at)
        + "), and crosses no link between switches. Maybe name a host's address at each end.";
  }

  private Optional<String> switchOf(Endpoint end) {
    return end.isAddress()
        ? node(end).flatMap(host -> Optional.ofNullable(switches.get(host)))
        : node(end);
  }

  /** Its known addresses by their switch, whose capacity to their host is known. */
  private Map<String, SortedSet<IpAddress>> hosts(Endpoint end) {
    return known.computeIfAbsent(
        end,
        asked -> {
          Map<String, SortedSet<IpAddress>> hosts = new TreeMap<>();
          network
              .nodesByAddress()
              .forEach(
                  (text, host) ->
                      IpAddress.tryParse(text)
                          .filter(asked.prefix()::contains)
                          .ifPresent(
                              address ->
                                  Optional.ofNullable(switches.get(host))
                                      .ifPresent(
                                          at ->
                                              hosts
                                                  .computeIfAbsent(at, a -> new TreeSet<>())
                                                  .add(address))));
          return hosts;
        });
  }
}
