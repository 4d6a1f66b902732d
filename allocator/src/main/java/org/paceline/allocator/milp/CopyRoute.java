package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;

/**
 * Equations 12 to 14: which links F one copy's unsplittable flow traverses.
 *
 * <p>They allow loops beside the path. Reading the path leaves those out, which never makes a load
 * or a delay greater.
 */
final class CopyRoute {
  private final String from;
  private final String to;
  private final Map<Link, MPVariable> traversed = new LinkedHashMap<>();

  CopyRoute(Mip mip, Network network, Application application, String name) {
    this.from = application.from();
    this.to = application.to();
    Map<String, MPConstraint> balances = new HashMap<>();
    for (String node : network.nodes()) {
      int surplus = node.equals(from) ? 1 : node.equals(to) ? -1 : 0;
      balances.put(node, mip.equal(surplus, "12-14 " + name + " " + node));
    }
    for (Link link : network.links()) {
      MPVariable f = mip.binary("F " + name + " " + link.id());
      traversed.put(link, f);
      balance(balances, link.from()).setCoefficient(f, 1);
      balance(balances, link.to()).setCoefficient(f, -1);
    }
  }

  private static MPConstraint balance(Map<String, MPConstraint> balances, String node) {
    MPConstraint balance = balances.get(node);
    if (balance == null) {
      throw new IllegalStateException("A link ends at (" + node + "), which is no node.");
    }
    return balance;
  }

  /** F for a link of the network. */
  MPVariable over(Link link) {
    MPVariable f = traversed.get(link);
    if (f == null) {
      throw new IllegalArgumentException("The link (" + link.id() + ") is not of this network.");
    }
    return f;
  }

  /** The path with the fewest hops among the links that were chosen. */
  Path path() {
    Map<String, String> previous = new HashMap<>(Map.of(from, from));
    Deque<String> open = new ArrayDeque<>(List.of(from));
    for (String node = open.poll(); node != null; node = open.poll()) {
      for (Map.Entry<Link, MPVariable> entry : traversed.entrySet()) {
        Link link = entry.getKey();
        if (link.from().equals(node)
            && entry.getValue().solutionValue() > 0.5
            && previous.putIfAbsent(link.to(), node) == null) {
          open.add(link.to());
        }
      }
    }
    List<String> nodes = new ArrayList<>(List.of(to));
    for (String node = to; !node.equals(from); ) {
      String before = previous.get(node);
      if (before == null) {
        throw new IllegalStateException(
            "The links that the solver chose lead from (" + from + ") not to (" + to + ").");
      }
      nodes.add(before);
      node = before;
    }
    Collections.reverse(nodes);
    return Path.of(nodes);
  }
}
