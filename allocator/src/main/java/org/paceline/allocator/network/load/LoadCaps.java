package org.paceline.allocator.network.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * Networks whose delays depend on load: a link that may carry less is a faster one. With a cap on
 * each link's load, and its delay there, a problem is one of constant delays, and what solves it is
 * feasible without caps.
 *
 * <p>Caps are sought from the limits down among {@link LoadThresholds}, then those that the best
 * solution needs, and then link by link what improves on it, until nothing does or nine tenths of
 * the time are over. The solution is the best of all; no proof that there is no better one comes of
 * it, and the bounds stay those of idle links.
 */
public final class LoadCaps {
  private static final int FEWEST_PARTS = 16;

  private final Problem problem;
  private final SolveOptions options;
  private final BiFunction<Problem, SolveOptions, Outcome> solver;
  private final long end;
  private final Map<LinkId, TreeSet<Long>> candidates = new TreeMap<>();
  private Map<LinkId, Long> bestCaps = new HashMap<>();
  private @Nullable Solution best;

  /**
   * @param solver for constant delays, or for those of full links
   */
  LoadCaps(
      Problem problem, SolveOptions options, BiFunction<Problem, SolveOptions, Outcome> solver) {
    this.problem = problem;
    this.options = options;
    this.solver = solver;
    this.end = System.nanoTime() + options.timeLimit().toNanos();
    LoadThresholds thresholds = new LoadThresholds(problem);
    for (Link link : problem.network().links()) {
      if (!link.delay().isConstant()) {
        candidates.put(link.id(), thresholds.of(link));
      }
    }
  }

  public static boolean applies(Network network) {
    return network.links().stream().anyMatch(link -> !link.delay().isConstant());
  }

  Outcome outcome() {
    Outcome full = solver.apply(problem, within(0.5));
    full.solution().ifPresent(this::keepIfBetter);
    int steps = candidates.values().stream().mapToInt(TreeSet::size).max().orElse(0);
    for (int below = 1; below < steps; below++) {
      Map<LinkId, Long> caps = new HashMap<>();
      for (Map.Entry<LinkId, TreeSet<Long>> entry : candidates.entrySet()) {
        List<Long> loads = new ArrayList<>(entry.getValue());
        caps.put(entry.getKey(), loads.get(Math.max(0, loads.size() - 1 - below)));
      }
      attempt(caps);
    }
    if (best == null) {
      attemptFromBelow();
    }
    @Nullable Solution first = best;
    if (first != null) {
      attempt(new AtItsLoads(problem, first.grants()).loads());
    }
    boolean improving = first != null;
    while (improving) {
      improving = improvesLinkByLink();
    }
    @Nullable Solution found = best;
    return found == null
        ? full
        : Outcome.solved(
            Solution.of(
                found.theta1(),
                found.grants(),
                full.solution().map(Solution::certificate).orElseGet(this::nothingProved)));
  }

  /** What would be chosen if load cost no delay tells which links need to be fast, and how much. */
  private void attemptFromBelow() {
    List<Link> idle = new ArrayList<>();
    for (Link link : problem.network().links()) {
      idle.add(
          Link.of(
              link.from(), link.to(), link.capacity(), LinkDelay.constant(link.delay().least())));
    }
    solver
        .apply(problem.withNetwork(network(idle)), within(0.2))
        .solution()
        .ifPresent(wished -> attempt(new AtItsLoads(problem, wished.grants()).loads()));
    for (int parts = 2; best == null && parts <= FEWEST_PARTS; parts *= 2) {
      Map<LinkId, Long> caps = new HashMap<>();
      for (Map.Entry<LinkId, TreeSet<Long>> entry : candidates.entrySet()) {
        TreeSet<Long> loads = entry.getValue();
        Long cap = loads.floor(loads.last() / parts);
        caps.put(entry.getKey(), cap == null ? loads.first() : cap);
      }
      attempt(caps);
    }
  }

  private Network network(List<Link> links) {
    return Network.of(List.copyOf(problem.network().nodes()), links);
  }

  /** Whether another cap on one link made it better. */
  private boolean improvesLinkByLink() {
    boolean improved = false;
    for (Map.Entry<LinkId, TreeSet<Long>> entry : candidates.entrySet()) {
      TreeSet<Long> loads = new TreeSet<>(entry.getValue());
      @Nullable Solution present = best;
      if (present != null) {
        Map<LinkId, Long> now = new AtItsLoads(problem, present.grants()).loads();
        loads.add(now.getOrDefault(entry.getKey(), 0L));
      }
      for (long load : loads) {
        Map<LinkId, Long> caps = new HashMap<>(bestCaps);
        caps.put(entry.getKey(), load);
        improved |= !caps.equals(bestCaps) && attempt(caps);
      }
    }
    return improved;
  }

  private SolveOptions within(double share) {
    long left = (long) ((end - System.nanoTime()) * share);
    return options.toBuilder().timeLimit(Duration.ofNanos(Math.max(1_000_000, left))).build();
  }

  /** Whether these caps, above none of which the links are loaded, give a better solution. */
  private boolean attempt(Map<LinkId, Long> caps) {
    if (System.nanoTime() > end - options.timeLimit().toNanos() / 10) {
      return false;
    }
    List<Link> links = new ArrayList<>();
    for (Link link : problem.network().links()) {
      long cap = Math.min(caps.getOrDefault(link.id(), Long.MAX_VALUE), link.limitMillibits());
      Link capped = candidates.containsKey(link.id()) ? link.withLimitMillibits(cap) : link;
      LinkDelay delay = LinkDelay.constant(Latency.ofNanos(link.delay().nanosAt(cap)));
      links.add(Link.of(link.from(), link.to(), capped.capacity(), delay));
    }
    Optional<Solution> solution =
        solver.apply(problem.withNetwork(network(links)), within(0.2)).solution();
    boolean better = solution.isPresent() && keepIfBetter(solution.get());
    if (better) {
      bestCaps = caps;
    }
    return better;
  }

  private boolean keepIfBetter(Solution found) {
    Solution solution = new AtItsLoads(problem, found.grants()).regraded(found);
    @Nullable Solution present = best;
    if (present != null && !isBetter(solution, present)) {
      return false;
    }
    best = solution;
    return true;
  }

  private boolean isBetter(Solution a, Solution b) {
    if (options.lexicographic()) {
      return Arrays.compare(LoadDelays.utilities(a), LoadDelays.utilities(b)) > 0;
    }
    return LoadDelays.isBetter(a, b);
  }

  private Certificate nothingProved() {
    return Certificate.of(
        Utility.MAX,
        5 * Utility.SCALE * problem.size(),
        Certificate.Proof.PRICES,
        Map.of(),
        Optional.empty(),
        Map.of());
  }
}
