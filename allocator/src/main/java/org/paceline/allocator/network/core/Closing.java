package org.paceline.allocator.network.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Closes the gap that prices leave in a small problem, by reduced-cost fixing and search.
 *
 * <p>At the prices every column loses something against the bound. So whoever wants a sum within d
 * of it needs only columns that lose at most d ({@link CoreDual}). Three searches take turns, each
 * with several times the effort that it had before, for how long a search takes is a matter of
 * luck:
 *
 * <ul>
 *   <li>columns within a small d for a sum within d: the best one that turns up is the optimum,
 *       else the bound falls by d and d doubles;
 *   <li>columns that lose little against the gap, for any better sum: this proves nothing, but
 *       finds good choices soon;
 *   <li>all columns within the gap, from the best choice that is known.
 * </ul>
 *
 * <p>Every search begins anew, so that many that hardly grow are a waste. Effort is counted, not
 * timed: equal problems get equal answers unless time runs out.
 */
public final class Closing {
  private static final int MOST_COLUMNS = 60_000;
  private static final double FIRST_DEPTH = 5e-4;
  private static final double FIRST_EFFORT = 5;

  /** Of the effort: what searches may take that hardly find anything. */
  private static final double SMALL = 0.04;

  /** Of the gap: what the columns of good choices lose. */
  private static final double NARROW = 0.1;

  private static final double LONGER = 5;

  private final CoreProblem all;
  private final CoreDual dual;
  private final CoreSolver solver;
  private final Consumer<String> progress;
  private final long top;
  private final long end;
  private int[][] counts;
  private boolean better;
  private long sum;
  private long bound;
  private double targetGap;
  private int attempts;

  /** The best choice that is known, from which closing sets out. */
  public static final class Incumbent {
    private final long sum;
    private final int[][] counts;

    /**
     * @param counts of each group's columns; empty if the choice is none of the columns'
     */
    public Incumbent(long sum, int[][] counts) {
      this.sum = sum;
      this.counts = counts;
    }
  }

  /**
   * @param dual what the prices of all columns prove, in billionths
   * @param bound of any sum, which the prices prove
   */
  public Closing(
      CoreProblem all,
      CoreDual dual,
      CoreSolver solver,
      Incumbent known,
      long bound,
      Consumer<String> progress,
      Duration time) {
    this.all = all;
    this.dual = dual;
    this.solver = solver;
    this.sum = known.sum;
    this.counts = known.counts;
    this.bound = bound;
    this.top = bound;
    this.progress = progress;
    this.end = System.nanoTime() + time.toNanos();
  }

  /**
   * Until the gap is small enough or time is over.
   *
   * @param wanted relative gap at which to stop; 0 for the optimum
   */
  public Closing run(double wanted) {
    targetGap = wanted;
    long depth = Math.max(1, (long) (top * FIRST_DEPTH));
    boolean isNarrowOpen = true;
    for (double effort = FIRST_EFFORT; isOpen(); effort *= LONGER) {
      while (isOpen() && attempt(top - depth, effort * SMALL)) {
        bound = Math.max(sum, Math.min(bound, top - depth));
        depth *= 2;
      }
      if (isOpen()) {
        isNarrowOpen = isNarrowOpen && !narrow((long) ((top - sum) * NARROW), effort);
      }
      if (isOpen() && attempt(sum, effort)) {
        bound = sum;
      }
    }
    return this;
  }

  private boolean isOpen() {
    return bound - sum > bound * targetGap && System.nanoTime() < end && attempts >= 0;
  }

  /** Keeps the best choice of few columns; true if there is no better one of them. */
  private boolean narrow(long depth, double effort) {
    CoreResult.Status status = search(depth, sum, effort).status();
    return status == CoreResult.Status.OPTIMAL || status == CoreResult.Status.NONE_BETTER;
  }

  /** Looks for the best sum above the least; true if there is none but what is then known. */
  private boolean attempt(long least, double effort) {
    long low = Math.max(sum, least);
    CoreResult result = search(top - low, low, effort);
    switch (result.status()) {
      case OPTIMAL:
        bound = sum;
        return true;
      case NONE_BETTER:
        return true;
      case BETTER:
      case UNKNOWN:
      default:
        bound = Math.max(sum, Math.min(bound, Math.max(low, result.bound())));
        return false;
    }
  }

  /** Among the columns that lose at most so much; what is found is kept. */
  private CoreResult search(long depth, long low, double effort) {
    List<int[]> kept = new ArrayList<>();
    CoreProblem.Builder core = within(depth, kept).known(low).bound(bound);
    if (low == sum && hasStart(kept)) {
      core.start(start(kept));
    }
    int size = kept.stream().mapToInt(k -> k.length).sum();
    if (size > MOST_COLUMNS) {
      attempts = -1;
      return CoreResult.unknown(bound);
    }
    progress.accept("searching " + size + " columns for more than " + low / 1e9);
    Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    CoreResult result = solver.attempt(core.build(), left, effort, ++attempts);
    if (result.hasChoice()) {
      better = true;
      counts = new int[all.groups()][];
      sum = 0;
      for (int g = 0; g < counts.length; g++) {
        counts[g] = new int[all.columns(g)];
        for (int c = 0; c < kept.get(g).length; c++) {
          counts[g][kept.get(g)[c]] = result.count(g, c);
          sum += result.count(g, c) * all.utility(g, kept.get(g)[c]);
        }
      }
    }
    return result;
  }

  private int[][] start(List<int[]> kept) {
    int[][] start = new int[kept.size()][];
    for (int g = 0; g < start.length; g++) {
      int[] of = counts[g];
      start[g] = Arrays.stream(kept.get(g)).map(c -> of[c]).toArray();
    }
    return start;
  }

  /** Whether all copies take one of the columns. */
  private boolean hasStart(List<int[]> kept) {
    if (counts.length == 0) {
      return false;
    }
    int[][] start = start(kept);
    for (int g = 0; g < start.length; g++) {
      if (Arrays.stream(start[g]).sum() != all.count(g)) {
        return false;
      }
    }
    return true;
  }

  private CoreProblem.Builder within(long gap, List<int[]> kept) {
    long[] limits = new long[all.links()];
    for (int e = 0; e < limits.length; e++) {
      limits[e] = all.limit(e);
    }
    CoreProblem.Builder builder = CoreProblem.builder(limits);
    // A billionth more than the arithmetic of a loss can be off.
    double most = gap + top * 1e-12 + 1;
    for (int g = 0; g < all.groups(); g++) {
      builder.group(all.count(g), all.type(g));
      int[] columns = new int[all.columns(g)];
      int size = 0;
      for (int c = 0; c < columns.length; c++) {
        if (dual.loss(g, c) <= most) {
          columns[size++] = c;
          builder.column(all.links(g, c), all.rate(g, c), all.utility(g, c), all.cell(g, c));
        }
      }
      kept.add(Arrays.copyOf(columns, size));
    }
    return builder;
  }

  /** How many copies take each column; only where better ones than those known were found. */
  public int count(int group, int column) {
    return counts[group][column];
  }

  public boolean isBetter() {
    return better;
  }

  public long bound() {
    return bound;
  }

  /** Whether no choice is better than what is known now. */
  public boolean isClosed() {
    return bound == sum;
  }
}
