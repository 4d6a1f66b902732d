package org.paceline.allocator.network.filling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.allocator.network.core.CoreDual;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.allocator.network.core.CoreSolver;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.unit.Utility;

/**
 * Water-filling of a small network: of all allocations one whose utilities, sorted, are the best
 * lexicographically. At each level in turn as few applications as possible are left at or below it,
 * with no more left at the levels before.
 *
 * <p>Who is left at a level is not settled, only how many are: those may still change places where
 * that serves later levels. That a level cannot be left by more is proved by the prices of a linear
 * relaxation where rounding its bound to whole applications is enough, else by search. O(levels) of
 * both; each level is at least one application's.
 */
public final class Filling {
  private static final double SHARE_OF_TIME = 0.5;

  /** More than the arithmetic of a bound can be off, in applications. */
  private static final double ROUND_OFF = 1e-9;

  private final CoreProblem all;
  private final CoreSolver solver;
  private final Topology topology;
  private final boolean provable;
  private final long end;
  private final long total;
  private final List<Long> settled = new ArrayList<>();
  private final List<Long> left = new ArrayList<>();
  private final List<LevelBound> bounds = new ArrayList<>();
  private boolean proved;
  private int[][] counts;

  /**
   * @param all every column that an application may have, with its utility
   * @param start a choice among them
   * @param provable whether no application can have anything else
   */
  public Filling(
      CoreProblem all,
      int[][] start,
      CoreSolver solver,
      Topology topology,
      boolean provable,
      Duration time) {
    this.all = all;
    this.counts = start;
    this.solver = solver;
    this.topology = topology;
    this.provable = provable;
    this.proved = provable;
    this.end = System.nanoTime() + time.toNanos();
    long copies = 0;
    for (int g = 0; g < all.groups(); g++) {
      copies += all.count(g);
    }
    this.total = copies;
  }

  public Filling run() {
    while (true) {
      counts = new Lift(all, counts, last()).run();
      TreeMap<Long, Long> profile = profile();
      Map.Entry<Long, Long> lowest = profile.higherEntry(last());
      if (lowest == null) {
        return this;
      }
      settle(lowest.getKey(), lowest.getValue() + (left.isEmpty() ? 0 : left.get(left.size() - 1)));
    }
  }

  /** Leaves the level to as few as can be found, from so many. */
  private void settle(long level, long atMost) {
    long before = left.isEmpty() ? 0 : left.get(left.size() - 1);
    CoreProblem anybody = above(level, false).build();
    double[] prices = solver.prices(anybody, timeLeft());
    double dual = new CoreDual(anybody, prices).bound();
    long most = Math.min(total - before, (long) Math.floor(dual + ROUND_OFF * total));
    long fewest = atMost;
    Certificate.Proof proof = Certificate.Proof.PRICES;
    if (total - most < atMost) {
      CoreProblem problem = above(level, proved).known(total - atMost).bound(most).build();
      CoreResult result = solver.solve(problem, timeLeft());
      if (result.hasChoice()) {
        counts = chosen(result, level);
        atMost = total - choiceAbove(level);
        if (atMost == before) {
          // Nobody need be here: the next level is a higher one.
          return;
        }
      }
      long bySearch = Math.max(total - most, total - result.bound());
      fewest = proved ? Math.min(atMost, bySearch) : total - most;
      boolean ended =
          result.status() == CoreResult.Status.OPTIMAL
              || result.status() == CoreResult.Status.NONE_BETTER;
      proof =
          fewest <= total - most
              ? Certificate.Proof.PRICES
              : ended ? Certificate.Proof.EXHAUSTIVE : Certificate.Proof.SOLVER;
    }
    addBound(level, Math.min(fewest, atMost), proof, prices);
    proved = proved && fewest == atMost;
    settled.add(level);
    left.add(atMost);
  }

  private void addBound(long level, long fewest, Certificate.Proof proof, double[] prices) {
    Map<LinkId, Double> byLink = new HashMap<>();
    Map<Utility, Double> fines = new HashMap<>();
    boolean byPrices = provable && proof == Certificate.Proof.PRICES;
    for (int i = 0; byPrices && i < prices.length; i++) {
      if (prices[i] > 0 && i < all.links()) {
        byLink.put(topology.id(i), prices[i]);
      } else if (prices[i] > 0) {
        int next = i - all.links() + 1;
        long limit = next < settled.size() ? settled.get(next) : level;
        fines.put(Utility.ofBillionths(limit - 1), prices[i]);
      }
    }
    bounds.add(
        LevelBound.of(Utility.ofBillionths(level), provable ? fewest : 0, proof, byLink, fines));
  }

  /**
   * To be above the level is worth 1. Each level before is a quota of all that are below the next
   * one, for the solution has nobody between them.
   */
  private CoreProblem.Builder above(long level, boolean settledOnly) {
    long[] limits = new long[all.links()];
    for (int e = 0; e < limits.length; e++) {
      limits[e] = all.limit(e);
    }
    CoreProblem.Builder builder =
        CoreProblem.builder(limits).quotas(left.stream().mapToLong(Long::longValue).toArray());
    for (int g = 0; g < all.groups(); g++) {
      builder.group(all.count(g), all.type(g));
      for (int c = 0; c < all.columns(g); c++) {
        if (isKept(g, c, level, settledOnly)) {
          builder.column(
              all.links(g, c),
              all.rate(g, c),
              all.utility(g, c) > level ? 1 : 0,
              all.cell(g, c),
              all.utility(g, c) >= level ? CoreProblem.NO_QUOTA : quota(all.utility(g, c)));
        }
      }
    }
    return builder;
  }

  /** The last level that is not above the utility; minus one below the first. */
  private int quota(long utility) {
    int quota = settled.size() - 1;
    while (quota >= 0 && settled.get(quota) > utility) {
      quota--;
    }
    return quota;
  }

  /** As no fewer can be left at any level before, nobody can be between two of them. */
  private boolean isKept(int group, int column, long level, boolean settledOnly) {
    long utility = all.utility(group, column);
    return utility >= level || (settledOnly ? settled.contains(utility) : quota(utility) >= 0);
  }

  private long last() {
    return settled.isEmpty() ? Long.MIN_VALUE : settled.get(settled.size() - 1);
  }

  /** The search's counts, which has fewer columns, by all columns. */
  private int[][] chosen(CoreResult result, long level) {
    int[][] chosen = new int[all.groups()][];
    for (int g = 0; g < all.groups(); g++) {
      chosen[g] = new int[all.columns(g)];
      int at = 0;
      for (int c = 0; c < all.columns(g); c++) {
        if (isKept(g, c, level, proved)) {
          chosen[g][c] = result.count(g, at++);
        }
      }
    }
    return chosen;
  }

  private long choiceAbove(long level) {
    return profile().tailMap(level, false).values().stream().mapToLong(Long::longValue).sum();
  }

  private TreeMap<Long, Long> profile() {
    TreeMap<Long, Long> profile = new TreeMap<>();
    for (int g = 0; g < counts.length; g++) {
      for (int c = 0; c < counts[g].length; c++) {
        if (counts[g][c] > 0) {
          profile.merge(all.utility(g, c), (long) counts[g][c], Long::sum);
        }
      }
    }
    return profile;
  }

  private Duration timeLeft() {
    return Duration.ofNanos(
        Math.max(1_000_000, (long) ((end - System.nanoTime()) * SHARE_OF_TIME)));
  }

  /** How many copies take each column. */
  public int[][] counts() {
    return counts;
  }

  public List<LevelBound> bounds() {
    return bounds;
  }
}
