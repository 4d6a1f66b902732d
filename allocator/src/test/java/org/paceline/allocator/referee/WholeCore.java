package org.paceline.allocator.referee;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * A whole problem with constant link delays as a core, with every loop-free path and every cell
 * worth taking: what a core solver says of it is the optimum, whatever the allocator leaves out.
 */
final class WholeCore {
  private final Problem problem;
  private final List<Link> links;
  private final Map<List<String>, List<int[]>> pathsByEnds = new LinkedHashMap<>();

  WholeCore(Problem problem) {
    this.problem = problem;
    this.links = new ArrayList<>(problem.network().links());
    if (!links.stream().allMatch(l -> l.delay().isConstant())) {
      throw new IllegalArgumentException("A core has constant link delays only.");
    }
  }

  /** All utilities from the floor on, in billionths. */
  CoreProblem at(long floor) {
    CoreProblem.Builder builder =
        CoreProblem.builder(links.stream().mapToLong(Link::limitMillibits).toArray());
    Map<List<String>, List<Application>> groups = new LinkedHashMap<>();
    List<String> types = new ArrayList<>();
    for (Application a : problem.applications()) {
      groups
          .computeIfAbsent(
              List.of(a.utilityFunction().name(), a.from(), a.to()), k -> new ArrayList<>())
          .add(a);
      if (!types.contains(a.utilityFunction().name())) {
        types.add(a.utilityFunction().name());
      }
    }
    boolean together = problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE;
    groups.forEach(
        (key, members) -> {
          int count = members.stream().mapToInt(Application::count).sum();
          builder.group(count, together ? types.indexOf(key.get(0)) : CoreProblem.FREE);
          for (int[] path : pathsByEnds.computeIfAbsent(key.subList(1, 3), this::paths)) {
            addColumns(builder, members.get(0).utilityFunction(), path, floor, together);
          }
        });
    return builder.build();
  }

  private void addColumns(
      CoreProblem.Builder builder,
      UtilityFunction function,
      int[] path,
      long floor,
      boolean together) {
    long delay = 0;
    for (int link : path) {
      delay += links.get(link).delay().least().nanos();
    }
    long best = floor - 1;
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        long utility = function.utilityBillionths(t, d);
        // Types agree on a cell, so that none may be left out for a better one.
        boolean worth = together ? utility >= floor : utility > best;
        if (function.delayNanos(d) >= delay && worth) {
          builder.column(path, function.rateMillibits(t), utility, t * function.delayBins() + d);
          best = Math.max(best, utility);
        }
      }
    }
  }

  /** The greatest level that the solver does not deny, by bisection over all utilities. */
  long theta(Predicate<CoreProblem> feasible) {
    TreeSet<Long> levels = new TreeSet<>();
    for (Application a : problem.applications()) {
      UtilityFunction function = a.utilityFunction();
      for (int t = 0; t < function.throughputBins(); t++) {
        for (int d = 0; d < function.delayBins(); d++) {
          levels.add(function.utilityBillionths(t, d));
        }
      }
    }
    List<Long> ordered = new ArrayList<>(levels);
    int low = -1;
    int high = ordered.size();
    while (high - low > 1) {
      int middle = (low + high) / 2;
      CoreProblem core = at(ordered.get(middle));
      boolean everybodyHasColumns = true;
      for (int g = 0; g < core.groups(); g++) {
        everybodyHasColumns &= core.columns(g) > 0;
      }
      if (everybodyHasColumns && feasible.test(core)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low < 0 ? -1 : ordered.get(low);
  }

  private List<int[]> paths(List<String> ends) {
    List<int[]> found = new ArrayList<>();
    walk(ends.get(0), ends.get(1), new LinkedHashSet<>(List.of(ends.get(0))), List.of(), found);
    return found;
  }

  private void walk(
      String node, String to, Set<String> visited, List<Integer> hops, List<int[]> found) {
    if (node.equals(to)) {
      found.add(hops.stream().mapToInt(Integer::intValue).toArray());
      return;
    }
    for (Link link : problem.network().outgoing(node)) {
      if (visited.add(link.to())) {
        List<Integer> longer = new ArrayList<>(hops);
        longer.add(links.indexOf(link));
        walk(link.to(), to, visited, longer, found);
        visited.remove(link.to());
      }
    }
  }
}
