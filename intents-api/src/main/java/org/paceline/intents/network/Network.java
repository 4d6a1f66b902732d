package org.paceline.intents.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Nodes and at most one directed link from each to each other. */
public final class Network {
  private final Set<String> nodes;
  private final Map<LinkId, Link> links;
  private final Map<String, List<Link>> outgoing;

  private Network(Set<String> nodes, Map<LinkId, Link> links) {
    this.nodes = nodes;
    this.links = links;
    this.outgoing = new LinkedHashMap<>();
    nodes.forEach(n -> outgoing.put(n, new ArrayList<>()));
    links.values().forEach(l -> outgoing.computeIfAbsent(l.from(), n -> new ArrayList<>()).add(l));
  }

  /**
   * @throws IllegalArgumentException if a link ends at an unknown node or two links share both ends
   */
  public static Network of(Collection<String> nodes, Collection<Link> links) {
    Set<String> known = Collections.unmodifiableSet(new LinkedHashSet<>(nodes));
    Map<LinkId, Link> byId = new LinkedHashMap<>();
    for (Link link : links) {
      for (String end : List.of(link.from(), link.to())) {
        if (!known.contains(end)) {
          throw new IllegalArgumentException(
              "The link (" + link.id() + ") ends at (" + end + "), which is no node.");
        }
      }
      if (byId.put(link.id(), link) != null) {
        throw new IllegalArgumentException(
            "There are two links ("
                + link.id()
                + "). Maybe join parallel links into one with the sum of their capacities.");
      }
    }
    return new Network(known, Collections.unmodifiableMap(byId));
  }

  public Set<String> nodes() {
    return nodes;
  }

  public Collection<Link> links() {
    return links.values();
  }

  public Optional<Link> link(LinkId id) {
    return Optional.ofNullable(links.get(id));
  }

  public List<Link> outgoing(String node) {
    return Collections.unmodifiableList(outgoing.getOrDefault(node, List.of()));
  }

  /** The same network with one link added, or put in the place of the one with its ends. */
  public Network with(Link link) {
    Map<LinkId, Link> changed = new LinkedHashMap<>(links);
    changed.put(link.id(), link);
    return of(nodes, changed.values());
  }

  public Network without(LinkId id) {
    Map<LinkId, Link> changed = new LinkedHashMap<>(links);
    changed.remove(id);
    return of(nodes, changed.values());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Network
        && nodes.equals(((Network) other).nodes)
        && links.equals(((Network) other).links);
  }

  @Override
  public int hashCode() {
    return 31 * nodes.hashCode() + links.hashCode();
  }

  @Override
  public String toString() {
    return nodes.size() + " nodes, " + links.size() + " links";
  }
}
