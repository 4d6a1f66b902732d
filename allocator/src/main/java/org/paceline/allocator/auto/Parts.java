package org.paceline.allocator.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.allocator.path.AllPaths;
import org.paceline.allocator.path.Meetings;
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

  private Parts(Problem problem) {
    this.problem = problem;
    this.idle = Topology.whenIdle(problem.network());
  }

  /**
   * Each with the links that its applications can use, in the order of their least application ids;
   * the problem itself where it is one part, or where that is not known.
   */
  static List<Problem> of(Problem problem) {
    return new Parts(problem).parts();
  }

  private List<Problem> parts() {
    Map<LinkId, List<int[]>> ways = new HashMap<>();
    AllPaths all = new AllPaths(idle, MOST_PATHS, MOST_EFFORT);
    for (Map.Entry<LinkId, Long> pair : mostDelays().entrySet()) {
      LinkId ends = pair.getKey();
      Optional<List<int[]>> paths =
          all.between(idle.node(ends.from()), idle.node(ends.to()), pair.getValue());
      if (paths.isEmpty() || paths.get().isEmpty()) {
        return List.of(problem);
      }
      ways.put(ends, paths.get());
    }
    Map<List<String>, Set<LinkId>> together = new LinkedHashMap<>();
    for (Application a : problem.applications()) {
      together.computeIfAbsent(name(a), name -> new HashSet<>()).add(ends(a));
    }
    List<int[][]> paths =
        together.values().stream()
            .map(
                pairs ->
                    pairs.stream()
                        .flatMap(ends -> ways.getOrDefault(ends, List.of()).stream())
                        .toArray(int[][]::new))
            .collect(Collectors.toList());
    List<int[]> groups = Meetings.groups(idle.links(), paths);
    return groups.size() <= 1
        ? List.of(problem)
        : problems(groups, new ArrayList<>(together.keySet()), paths);
  }

  /** Of those who stay together: their type where that shares a cell, else their ends. */
  private List<String> name(Application application) {
    return problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE
        ? List.of(application.utilityFunction().name())
        : List.of(application.from(), application.to());
  }

  private static LinkId ends(Application application) {
    return LinkId.of(application.from(), application.to());
  }

  private List<Problem> problems(
      List<int[]> groups, List<List<String>> names, List<int[][]> paths) {
    Map<List<String>, List<Application>> byName = new HashMap<>();
    List<Problem> problems = new ArrayList<>();
    for (int[] group : groups) {
      List<Application> members = new ArrayList<>();
      for (int user : group) {
        byName.put(names.get(user), members);
      }
    }
    for (Application a : problem.applications()) {
      byName.computeIfAbsent(name(a), name -> new ArrayList<>()).add(a);
    }
    for (int[] group : groups) {
      int[] links =
          Arrays.stream(group)
              .boxed()
              .flatMap(user -> Arrays.stream(paths.get(user)))
              .flatMapToInt(Arrays::stream)
              .distinct()
              .sorted()
              .toArray();
      problems.add(part(links, byName.getOrDefault(names.get(group[0]), List.of())));
    }
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
      most.merge(ends(a), bears, Math::max);
    }
    return most;
  }

  private Problem part(int[] numbers, List<Application> applications) {
    List<Link> links = new ArrayList<>();
    Set<String> nodes = new HashSet<>();
    for (int e : numbers) {
      links.add(idle.link(e));
      nodes.add(idle.link(e).from());
      nodes.add(idle.link(e).to());
    }
    return problem.withApplications(applications).withNetwork(Network.of(nodes, links));
  }
}
