package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/** Switches and hosts with their links, and which address is behind which node. */
@AutoValue
public abstract class NetworkState {
  /** Full capacities: what the planner keeps back is its own affair. */
  public abstract Network network();

  /** Node by host address. */
  public abstract Map<String, String> nodesByAddress();

  /** What people call a node, where the controller was told; absent for the others. */
  public abstract Map<String, String> names();

  /** By link; absent where none are known. */
  public abstract Map<LinkId, LinkPorts> ports();

  /**
   * By host address, the network interfaces that it is seen at: one, unless it has moved just now
   * or somebody else says it, too. Absent where each node is an interface.
   */
  public abstract Map<String, Set<String>> interfaces();

  /** By host address, the hosts whose agents may speak for it, where an operator says so. */
  public abstract Map<String, Set<String>> agents();

  /** What is known to be wrong with the picture, such as a link without a capacity. */
  public abstract List<String> warnings();

  public static NetworkState of(
      Network network, Map<String, String> nodesByAddress, List<String> warnings) {
    return of(network, nodesByAddress, Map.of(), Map.of(), warnings);
  }

  public static NetworkState of(
      Network network,
      Map<String, String> nodesByAddress,
      Map<String, String> names,
      Map<LinkId, LinkPorts> ports,
      List<String> warnings) {
    return new AutoValue_NetworkState(
        network,
        Collections.unmodifiableMap(new TreeMap<>(nodesByAddress)),
        Map.copyOf(names),
        Map.copyOf(ports),
        Map.of(),
        Map.of(),
        List.copyOf(warnings));
  }

  /**
   * The same network with what is known of its hosts.
   *
   * @param interfaces that each address is seen at
   * @param agents that may speak for each, where an operator says so
   */
  public NetworkState withHosts(
      Map<String, Set<String>> interfaces, Map<String, Set<String>> agents) {
    return new AutoValue_NetworkState(
        network(),
        nodesByAddress(),
        names(),
        ports(),
        Map.copyOf(interfaces),
        Map.copyOf(agents),
        warnings());
  }

  /** The interfaces that an address is seen at; none where it is not seen. */
  public Set<String> interfacesOf(String address) {
    return interfaces().getOrDefault(address, nodeOf(address).map(Set::of).orElseGet(Set::of));
  }

  public Optional<String> nodeOf(String address) {
    return Optional.ofNullable(nodesByAddress().get(address));
  }

  /**
   * Where its packets come from: those that a host receives from none of the network, from the
   * gateway.
   */
  public Optional<String> sender(Conversation conversation, String gateway) {
    Optional<String> sender = nodeOf(conversation.localAddress());
    return sender.isEmpty() && conversation.incoming() ? nodeOf(gateway) : sender;
  }
}
