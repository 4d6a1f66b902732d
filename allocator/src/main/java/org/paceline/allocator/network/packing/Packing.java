package org.paceline.allocator.network.packing;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.network.groups.Allocation;

/**
 * Makes an allocation that fits better and better: annealing that may put too much on links for a
 * while, repair of what is over, annealing that may not, and what is then left goes to whom it
 * serves; then again, longer, from the best so far.
 *
 * <p>Random choices come from a fixed seed and lengths are counted, not timed, so that equal
 * problems get equal answers unless time runs out.
 */
public final class Packing {
  private static final double[] HEAT = {0.003, 0.006, 0.012, 0.002};

  /** How much less than its best a unit may have: the less, the more of what is tried is of use. */
  private static final double[] NEAR = {0.02, 0.005, 0.02, 0.1};

  /** Few units have few choices: they must reach further. */
  private static final int FEW = 500;

  private static final double[] HEAT_OF_FEW = {0.03, 0.1, 0.3, 0.01};
  private static final double[] NEAR_OF_FEW = {2, 0.5, 2, 0.3};

  private static final double FURTHEST = 0.3;
  private static final double FURTHEST_OF_FEW = 2;
  private static final int MISSES = 3;

  /** After so many rounds in which nothing fitted nothing will. */
  private static final int HOPELESS = 6;

  /** Of the time, if nothing fitted until then. */
  private static final double HOPELESS_AFTER = 0.6;

  private static final double COOL = 1e-4;
  private static final double LENIENT = 3;

  /** Of what is left, for annealing: what comes after it is quick. */
  private static final double MOST_OF_THE_TIME = 0.8;

  /** Of what is left, to make links nearly full before anything is annealed. */
  private static final double MOST_FOR_LEVELLING = 0.5;

  private static final int PROPOSALS_A_UNIT = 60;
  private static final int FEWEST_PROPOSALS = 20_000;
  private static final int MOST_DOUBLINGS = 6;

  private final Allocation allocation;
  private final double[] prices;
  private final Rounding rounding;
  private final Repair repair;
  private NearColumns[] near = new NearColumns[0];
  private final double typical;
  private final SplittableRandom random = new SplittableRandom(20_200_207);
  private final boolean few;
  private boolean fits;
  private int[][] best = new int[0][];
  private long bestSum;

  public Packing(Allocation allocation, double[] prices) {
    this.allocation = allocation;
    this.prices = prices;
    this.rounding = new Rounding(allocation, prices);
    this.repair = new Repair(allocation, prices);
    this.typical = allocation.offers().typicalSlope();
    this.few = allocation.units() <= FEW;
    keepIfBest();
  }

  /** Of the groups that have units. */
  private NearColumns[] near(double within) {
    boolean[] hasUnits = new boolean[allocation.offers().demands().groups()];
    for (int u = 0; u < allocation.units(); u++) {
      hasUnits[allocation.group(u)] = true;
    }
    NearColumns[] columns = new NearColumns[hasUnits.length];
    IntStream.range(0, columns.length)
        .parallel()
        .filter(g -> hasUnits[g])
        .forEach(g -> columns[g] = new NearColumns(allocation.offers(), g, prices, within));
    return columns;
  }

  /**
   * At most so many rounds, and so many after the last that made anything better; until the sum
   * reaches the goal. The allocation is then the best that was found, if any that fits.
   */
  public boolean run(int rounds, int patience, long goal, Deadline stop) {
    int[][] dealt = allocation.choices();
    if (allocation.offers().demands().areMany()) {
      level(dealt, stop);
    }
    if (!fits && repair.run(stop)) {
      // Something to fall back on; annealing does better from what was dealt.
      keepIfBest();
      if (bestSum < goal) {
        allocation.restore(dealt);
      }
    }
    long most = Math.max(FEWEST_PROPOSALS, (long) PROPOSALS_A_UNIT * allocation.units());
    double[] reach = few ? NEAR_OF_FEW : NEAR;
    double[] heat = few ? HEAT_OF_FEW : HEAT;
    int idle = 0;
    int misses = 0;
    // What does not fit in time may from elsewhere.
    Deadline hopeless = stop.after(HOPELESS_AFTER);
    for (int i = 0;
        i < rounds
            && idle < patience
            && (fits || (i < HOPELESS && !hopeless.getAsBoolean()))
            && !(fits && bestSum >= goal)
            && !stop.getAsBoolean();
        i++) {
      // Where excess stays, more choices are tried and excess costs more.
      double wider = Math.pow(4, misses);
      double within = misses < MISSES ? reach[i % reach.length] * wider : Double.POSITIVE_INFINITY;
      long proposals = most << Math.min(MOST_DOUBLINGS, i / 2);
      long before = fits ? bestSum : Long.MIN_VALUE;
      boolean fitted =
          round(heat[i % heat.length], within, LENIENT * wider, proposals, fits ? stop : hopeless);
      misses = fitted ? 0 : Math.min(MISSES, misses + 1);
      idle = fits && bestSum > before ? 0 : idle + 1;
      if (fits) {
        allocation.restore(best);
      }
    }
    if (fits) {
      // Where time was over before a round, it is still as it was dealt.
      allocation.restore(best);
    }
    return fits;
  }

  /** Annealing goes on from what is levelled, if that can be made to fit, else from what was. */
  private void level(int[][] dealt, Deadline stop) {
    if (!fits) {
      new Levelling(allocation, prices).run(stop.after(MOST_FOR_LEVELLING));
    }
    int[][] levelled = allocation.choices();
    if (repair.run(stop)) {
      fill(stop);
      keepIfBest();
    }
    // What full links all around leave no way out of may fit as it was dealt.
    allocation.restore(fits ? levelled : dealt);
  }

  /** Whether it fits in between. */
  private boolean round(
      double heat, double within, double harshness, long proposals, Deadline stop) {
    anneal(within, Harshness.rising(harshness), heat, proposals, stop.after(MOST_OF_THE_TIME));
    boolean fitted = repair.run(stop);
    if (!fitted) {
      if (!fits) {
        return false;
      }
      // From what fits: then more than the links carry is never put on them.
      allocation.restore(best);
    }
    fill(stop);
    keepIfBest();
    anneal(within, Harshness.FORBIDDEN, heat / 3, proposals / 4, stop.after(MOST_OF_THE_TIME));
    fill(stop);
    keepIfBest();
    return fitted;
  }

  private void anneal(
      double within, Harshness harshness, double heat, long proposals, Deadline end) {
    near = near.length > 0 ? near : near(few ? FURTHEST_OF_FEW : FURTHEST);
    new Annealing(allocation, near, prices, typical, within, harshness, random)
        .run(heat, COOL, proposals, end);
  }

  private void fill(Deadline stop) {
    for (int u = 0; u < allocation.units(); u++) {
      if ((u & 1_023) == 0 && stop.getAsBoolean()) {
        return;
      }
      rounding.greedy(u);
    }
  }

  private boolean keepIfBest() {
    if (!allocation.fits() || (fits && allocation.sum() <= bestSum)) {
      return false;
    }
    fits = true;
    best = allocation.choices();
    bestSum = allocation.sum();
    return true;
  }
}
