package org.paceline.allocator.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;

/**
 * A network with numbers for names, in the order of the names, so that nothing depends on the order
 * in which nodes and links were given; each link with one limit and one delay.
 */
public final class Topology {
  private final String[] names;
  private final Map<String, Integer> numbers = new TreeMap<>();
  private final Link[] links;
  private final int[] from;
  private final int[] to;
  private final long[] limits;
  private final long[] delays;
  private final int[][] outgoing;

  private Topology(Network network, long[] limits, long[] delays, Link[] links) {
    this.names = new TreeSet<>(network.nodes()).toArray(new String[0]);
    for (int n = 0; n < names.length; n++) {
      numbers.put(names[n], n);
    }
    this.links = links;
    this.limits = limits;
    this.delays = delays;
    this.from = new int[links.length];
    this.to = new int[links.length];
    List<List<Integer>> leaving = new ArrayList<>();
    Arrays.stream(names).forEach(n -> leaving.add(new ArrayList<>()));
    for (int e = 0; e < links.length; e++) {
      from[e] = node(links[e].from());
      to[e] = node(links[e].to());
      leaving.get(from[e]).add(e);
    }
    this.outgoing =
        leaving.stream()
            .map(l -> l.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
  }

  /** Limits as they are, and the delay that each link has when it is full. */
  public static Topology whenFull(Network network) {
    Link[] links = sorted(network.links());
    long[] limits = Arrays.stream(links).mapToLong(Link::limitMillibits).toArray();
    long[] delays =
        Arrays.stream(links).mapToLong(l -> l.delay().nanosAt(l.limitMillibits())).toArray();
    return new Topology(network, limits, delays, links);
  }

  /** Limits as they are, and the delay that each link has without load. */
  public static Topology whenIdle(Network network) {
    Link[] links = sorted(network.links());
    long[] limits = Arrays.stream(links).mapToLong(Link::limitMillibits).toArray();
    long[] delays = Arrays.stream(links).mapToLong(l -> l.delay().nanosAt(0)).toArray();
    return new Topology(network, limits, delays, links);
  }

  public boolean sameDelays(Topology other) {
    return Arrays.equals(delays, other.delays);
  }

  private static Link[] sorted(Collection<Link> links) {
    Link[] sorted = links.toArray(new Link[0]);
    Arrays.sort(sorted, (a, b) -> a.id().compareTo(b.id()));
    return sorted;
  }

  public int nodes() {
    return names.length;
  }

  public int links() {
    return links.length;
  }

  public int node(String name) {
    Integer number = numbers.get(name);
    if (number == null) {
      throw new IllegalArgumentException("There is no node (" + name + ").");
    }
    return number;
  }

  public LinkId id(int link) {
    return links[link].id();
  }

  public Link link(int link) {
    return links[link];
  }

  public int from(int link) {
    return from[link];
  }

  public int to(int link) {
    return to[link];
  }

  /** Millibits per second. */
  public long limit(int link) {
    return limits[link];
  }

  /** Nanoseconds. */
  public long delay(int link) {
    return delays[link];
  }

  int[] outgoing(int node) {
    return outgoing[node];
  }

  public long delay(int[] path) {
    long sum = 0;
    for (int e : path) {
      sum += delays[e];
    }
    return sum;
  }

  public Path path(int[] hops) {
    List<String> nodes = new ArrayList<>(hops.length + 1);
    nodes.add(names[from[hops[0]]]);
    for (int e : hops) {
      nodes.add(names[to[e]]);
    }
    return Path.of(nodes);
  }

  /** The prices that are not 0; those beyond the links are of something else. */
  public Map<LinkId, Double> byLink(double[] prices) {
    Map<LinkId, Double> byLink = new HashMap<>();
    for (int e = 0; e < Math.min(prices.length, links()); e++) {
      if (prices[e] > 0) {
        byLink.put(id(e), prices[e]);
      }
    }
    return byLink;
  }
}
