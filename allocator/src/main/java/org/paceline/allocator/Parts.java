package org.paceline.allocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.allocator.path.AllPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;

/**
 * Takes a problem apart: applications that can never meet on a link, whichever loop-free paths they
 * take, are problems of their own, such as the two directions of a line. Where types share cells,
 * applications of a type stay together too.
 *
 * <p>All paths within each one's greatest delay bin count, at the delay of idle links: load makes
 * no other path fast enough.
 */
final class Parts {
  private static final int MOST_PATHS = 130;

  /** Some milliseconds: where paths are too many to list, parts are hardly ever independent. */
  private static final long MOST_EFFORT = 300_000;

  private final Problem problem;
  private final Topology idle;

  /** By link: another of its part; by itself at first. */
  private final int[] representative;

  private Parts(Problem problem) {
    this.problem = problem;
    this.idle = Topology.whenIdle(problem.network());
    this.representative = new int[idle.links()];
    Arrays.setAll(representative, e -> e);
  }

  /**
   * Each with the links that its applications can use, in the order of their least application ids;
   * the problem itself where it is one part, or where that is not known.
   */
  static List<Problem> of(Problem problem) {
    return new Parts(problem).parts();
  }

  private List<Problem> parts() {
    Map<LinkId, Integer> anchors = new HashMap<>();
    AllPaths all = new AllPaths(idle, MOST_PATHS, MOST_EFFORT);
    for (Map.Entry<LinkId, Long> pair : mostDelays().entrySet()) {
      LinkId ends = pair.getKey();
      Optional<List<int[]>> paths =
          all.between(idle.node(ends.from()), idle.node(ends.to()), pair.getValue());
      if (paths.isEmpty() || paths.get().isEmpty()) {
        return List.of(problem);
      }
      int first = paths.get().get(0)[0];
      paths.get().forEach(path -> Arrays.stream(path).forEach(e -> join(e, first)));
      anchors.put(ends, first);
    }
    if (problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE) {
      Map<String, Integer> byType = new HashMap<>();
      for (Application a : problem.applications()) {
        int own = anchor(anchors, a);
        Integer others = byType.putIfAbsent(a.utilityFunction().name(), own);
        join(own, others == null ? own : others);
      }
    }
    Map<Integer, List<Application>> parts = new TreeMap<>();
    for (Application a : problem.applications()) {
      parts.computeIfAbsent(find(anchor(anchors, a)), part -> new ArrayList<>()).add(a);
    }
    if (parts.size() == 1) {
      return List.of(problem);
    }
    List<Problem> problems = new ArrayList<>();
    parts.forEach((part, applications) -> problems.add(part(part, applications)));
    problems.sort(
        Comparator.comparing(
            p ->
                p.applications().stream()
                    .map(Application::id)
                    .min(String::compareTo)
                    .orElseThrow(AssertionError::new)));
    return problems;
  }

  /** What the most patient application between two nodes bears. */
  private Map<LinkId, Long> mostDelays() {
    Map<LinkId, Long> most = new TreeMap<>();
    for (Application a : problem.applications()) {
      long bears = a.utilityFunction().delayNanos(a.utilityFunction().delayBins() - 1);
      most.merge(LinkId.of(a.from(), a.to()), bears, Math::max);
    }
    return most;
  }

  private static int anchor(Map<LinkId, Integer> anchors, Application application) {
    Integer anchor = anchors.get(LinkId.of(application.from(), application.to()));
    if (anchor == null) {
      throw new AssertionError(application);
    }
    return anchor;
  }

  private Problem part(int part, List<Application> applications) {
    List<Link> links = new ArrayList<>();
    Set<String> nodes = new HashSet<>();
    for (int e = 0; e < idle.links(); e++) {
      if (find(e) == part) {
        links.add(idle.link(e));
        nodes.add(idle.link(e).from());
        nodes.add(idle.link(e).to());
      }
    }
    return problem.withApplications(applications).withNetwork(Network.of(nodes, links));
  }

  private void join(int link, int other) {
    representative[find(link)] = find(other);
  }

  private int find(int link) {
    int at = link;
    while (representative[at] != at) {
      representative[at] = representative[representative[at]];
      at = representative[at];
    }
    return at;
  }
}
