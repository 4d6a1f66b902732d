package org.paceline.control.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;

/**
 * What people call the nodes of the network. A host has its agent's name, else the name that the
 * controller was told, else its first address. A switch has the name that the controller was told.
 * A node that has none of these keeps its id.
 */
public final class NodeNames {
  /** Ids hold letters, digits, colons, slashes and dots: {@code 00:00:00:00:00:03/None}. */
  private static final Pattern WORD = Pattern.compile("[\\w:/.%-]*\\w");

  private final Map<String, String> names;

  private NodeNames(Map<String, String> names) {
    this.names = names;
  }

  /**
   * @param agents whose names go before all others; may be empty
   */
  public static NodeNames of(NetworkState network, Collection<AgentInfo> agents) {
    Map<String, String> names = new HashMap<>();
    new TreeMap<>(network.nodesByAddress())
        .forEach((address, node) -> names.merge(node, address, NodeNames::shorter));
    names.putAll(network.names());
    for (AgentInfo agent : agents) {
      for (String address : agent.addresses()) {
        network.nodeOf(address).ifPresent(node -> names.put(node, agent.host()));
      }
    }
    return new NodeNames(names);
  }

  // An IPv4 address is shorter than a link-local IPv6 one, and is the one that people know.
  private static String shorter(String first, String other) {
    return other.length() < first.length() ? other : first;
  }

  public String of(String node) {
    return names.getOrDefault(node, node);
  }

  public String of(LinkId link) {
    return of(link.from()) + " -> " + of(link.to());
  }

  public String of(Path path) {
    return path.nodes().stream().map(this::of).collect(Collectors.joining(" -> "));
  }

  /** A sentence of the solver, which knows nodes by their ids only. */
  public String in(String sentence) {
    return WORD.matcher(sentence).replaceAll(word -> Matcher.quoteReplacement(of(word.group())));
  }
}
