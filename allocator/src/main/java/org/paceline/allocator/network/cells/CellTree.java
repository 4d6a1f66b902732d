package org.paceline.allocator.network.cells;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.allocator.network.core.CoreSolver;
import org.paceline.allocator.network.groups.Profile;

/**
 * The best sum where types share cells, by branch and bound: prices bound what the cells that are
 * left to each type can add up to ({@link CellPrices}), the best bound is looked at first, and its
 * cells are divided in two ({@link CellFork}).
 *
 * <p>The sum hangs on the cells alone; whether ways can be found for them is a question for the
 * {@link CoreSolver}, a small one once they are chosen. Where there are none, the cells are made
 * easier as far as there still are none, which rules out all that are as hard ({@link Conflicts}):
 * without this thousands of choices that the programme thinks would fit are tried one by one.
 *
 * <p>Exact: nothing is left out but what a bound, rounded up, or a refuted search rules out. What a
 * search gave up on counts towards the bound.
 */
final class CellTree {
  /** About seconds, counted in steps. */
  private static final double EFFORT = 2;

  private static final double SMALL_EFFORT = 0.05;

  /** What is left to each type, in a part of the tree. */
  private static final class Node {
    final BitSet[] left;
    final CellPrices.Column[] basis;
    final long bound;

    Node(BitSet[] left, CellPrices.Column[] basis, long bound) {
      this.left = left;
      this.basis = basis;
      this.bound = bound;
    }
  }

  private final CoreProblem all;
  private final TypeCells cells;
  private final CoreSolver solver;
  private final Consumer<String> progress;
  private final long end;
  private final long top;
  private final double[] prices;
  private final Conflicts conflicts = new Conflicts();
  private final PriorityQueue<Node> open =
      new PriorityQueue<>(Comparator.comparingLong((Node node) -> node.bound).reversed());
  private int[][] counts;
  private long sum;
  private long undecided = Long.MIN_VALUE;

  /**
   * @param start a choice of columns that fits
   * @param known its sum, in billionths
   */
  CellTree(
      CoreProblem all,
      CoreSolver solver,
      int[][] start,
      long known,
      Consumer<String> progress,
      Duration time) {
    this.all = all;
    this.cells = new TypeCells(all);
    this.solver = solver;
    this.counts = start;
    this.sum = known;
    this.progress = progress;
    this.end = System.nanoTime() + time.toNanos();
    BitSet[] left = new BitSet[cells.types()];
    for (int t = 0; t < left.length; t++) {
      left[t] = new BitSet();
      left[t].set(0, cells.cells(t));
    }
    CellPrices root = new CellPrices(cells, left, new CellPrices.Column[0]).run(Long.MIN_VALUE);
    this.top = root.bound();
    this.prices = root.prices();
    open.add(new Node(left, root.basis(), top));
  }

  /** Until the optimum is proved or time is over. */
  CellTree run() {
    while (!open.isEmpty() && open.peek().bound > sum && System.nanoTime() < end) {
      expand(open.remove());
    }
    return this;
  }

  private void expand(Node node) {
    CellPrices found = new CellPrices(cells, node.left, node.basis).run(sum);
    long bound = Math.min(node.bound, found.bound());
    BitSet[] left = worthwhile(node.left, found);
    if (bound <= sum || !conflicts.narrow(left)) {
      return;
    }
    int[] modest = modest(left, found);
    if (value(modest) > sum && !conflicts.forbid(modest)) {
      explore(modest);
    }
    CellFork.of(cells, left, found, modest)
        .ifPresent(
            fork -> {
              push(left, fork.type, fork.one, found.basis(), bound);
              push(left, fork.type, fork.other, found.basis(), bound);
            });
  }

  private void push(BitSet[] left, int type, BitSet part, CellPrices.Column[] basis, long bound) {
    BitSet[] child = left.clone();
    child[type] = part;
    open.add(new Node(child, basis, bound));
  }

  /** Without the cells that bring the bound down to what is known. */
  private BitSet[] worthwhile(BitSet[] left, CellPrices found) {
    BitSet[] kept = new BitSet[left.length];
    double most = found.bound() - (double) sum;
    for (int t = 0; t < left.length; t++) {
      double[] losses = found.losses(t);
      kept[t] = (BitSet) left[t].clone();
      kept[t].stream().filter(c -> losses[c] > most).forEach(kept[t]::clear);
    }
    return kept;
  }

  /** Of each type the cell with the least rate that the programme takes, or else any. */
  private int[] modest(BitSet[] left, CellPrices found) {
    int[] modest = new int[left.length];
    for (int t = 0; t < modest.length; t++) {
      int used = CellFork.used(left[t], found.mix(t), 0);
      modest[t] = used < 0 ? left[t].nextSetBit(0) : used;
    }
    return modest;
  }

  private long value(int[] chosen) {
    long value = 0;
    for (int t = 0; t < chosen.length; t++) {
      value += cells.cell(t, chosen[t]).utility;
    }
    return value;
  }

  /** Finds ways for the cells, or learns why there are none. */
  private void explore(int[] chosen) {
    CoreResult.Status status = search(chosen, EFFORT);
    if (status == CoreResult.Status.NONE_BETTER) {
      conflicts.add(asHard(easiest(chosen)));
    } else if (status == CoreResult.Status.UNKNOWN) {
      undecided = Math.max(undecided, value(chosen));
      conflicts.add(alone(chosen));
    }
  }

  /** What fits and is better than what is known is kept. */
  private CoreResult.Status search(int[] chosen, double effort) {
    List<int[]> kept = new ArrayList<>();
    CoreProblem core = cells.only(chosen, kept);
    Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    CoreResult result = solver.attempt(core, left, effort, 1);
    if (result.hasChoice() && value(chosen) > sum) {
      counts = new int[all.groups()][];
      for (int g = 0; g < counts.length; g++) {
        counts[g] = new int[all.columns(g)];
        for (int c = 0; c < kept.get(g).length; c++) {
          counts[g][kept.get(g)[c]] = result.count(g, c);
        }
      }
      sum = value(chosen);
      progress.accept("sum " + sum / Profile.SCALE);
    }
    return result.status();
  }

  /** One type after the other takes the cell with the least rate at which they still do not fit. */
  private int[] easiest(int[] hard) {
    int[] chosen = hard.clone();
    for (int t = 0; t < chosen.length; t++) {
      int type = t;
      int from = chosen[t];
      int[] easier =
          IntStream.range(0, cells.cells(t))
              .filter(c -> c != from && cells.asHard(type, c).get(from))
              .toArray();
      int fits = -1;
      int refuted = easier.length;
      while (refuted - fits > 1) {
        int middle = (fits + refuted) >>> 1;
        chosen[t] = easier[middle];
        if (conflicts.forbid(chosen)
            || search(chosen, SMALL_EFFORT) == CoreResult.Status.NONE_BETTER) {
          refuted = middle;
        } else {
          fits = middle;
        }
      }
      chosen[t] = refuted < easier.length ? easier[refuted] : from;
    }
    return chosen;
  }

  private BitSet[] asHard(int[] chosen) {
    BitSet[] hard = new BitSet[chosen.length];
    Arrays.setAll(hard, t -> cells.asHard(t, chosen[t]));
    return hard;
  }

  private static BitSet[] alone(int[] chosen) {
    BitSet[] alone = new BitSet[chosen.length];
    for (int t = 0; t < alone.length; t++) {
      alone[t] = new BitSet();
      alone[t].set(chosen[t]);
    }
    return alone;
  }

  /** How many copies take each column. */
  int count(int group, int column) {
    return counts[group][column];
  }

  /** No choice has a greater sum, in billionths. */
  long bound() {
    long best = Math.max(sum, undecided);
    return open.isEmpty() ? best : Math.max(best, open.peek().bound);
  }

  /** Whether no choice is better than what is known now. */
  boolean isClosed() {
    return bound() == sum;
  }

  /** What the prices of links alone prove. */
  long top() {
    return top;
  }

  /** Of links, in billionths of utility per unit of their limits. */
  double[] prices() {
    return prices.clone();
  }
}
