package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.path.Topology;

/**
 * The prices at which the bound over all paths is least, and how the linear programme divides the
 * groups there.
 *
 * <p>The centre of the programme ({@link CentralPrices}) is followed from blunt to sharp prices.
 * Paths come in by price while the prices are still blunt: then every link has a price, loads
 * spread, and few paths are missed. Sharper prices are looked for only once few are. Where there
 * are many groups, a sample of them shows the prices first.
 */
final class PriceSearch {
  private static final double FIRST_MU = 0.1;
  private static final double SHARPER = 0.25;

  /** Of the central point's gap, what missing paths may add to it. */
  private static final double COMPLETE = 0.3;

  private static final int MOST_REPEATS = 4;

  /** Columns worth so many mu less than the best have no share that counts. */
  private static final double FURTHEST = 400;

  private static final double FURTHEST_AFTER_SAMPLE = 150;
  private static final double LEAST_FURTHEST = 0.05;
  private static final int MOST_STAGES = 60;
  private static final int STEPS = 10;

  /** Where there are more groups than this, prices are first found for a sample of them. */
  private static final int MANY = 12_000;

  private static final int SAMPLE = 4_000;

  /** How near a sample's prices are taken to theirs. */
  private static final double NEAR_ENOUGH = 3e-3;

  private final Offers offers;
  private final PathBound pathBound;
  private final BooleanSupplier stop;
  private final double typical;
  private Optional<Solved> solved = Optional.empty();
  private double[] best;
  private double bound = Double.POSITIVE_INFINITY;
  private double[] prices;
  private double mu = FIRST_MU;
  private int every;
  private final boolean sampled;

  /** A programme of all groups, and about where its central point is. */
  private static final class Solved {
    final PriceProgram program;
    final double[] prices;
    final double mu;

    Solved(PriceProgram program, double[] prices, double mu) {
      this.program = program;
      this.prices = prices;
      this.mu = mu;
    }
  }

  PriceSearch(Offers offers, Topology idle, BooleanSupplier stop) {
    this.offers = offers;
    this.pathBound = new PathBound(offers, idle);
    this.stop = stop;
    this.typical = offers.typicalSlope();
    this.best = new double[idle.links()];
    this.prices = new double[idle.links()];
    Arrays.fill(prices, 0.3 * typical);
    this.every = offers.demands().groups() > MANY ? offers.demands().groups() / SAMPLE : 1;
    this.sampled = every > 1;
  }

  /**
   * Begins elsewhere than at even prices, if there are any there.
   *
   * @param bluntness how far from its optimum the programme is first solved, in utility of a copy
   */
  PriceSearch from(double[] start, double bluntness) {
    prices = Arrays.stream(start).anyMatch(p -> p > 0) ? start.clone() : prices;
    mu = bluntness;
    return this;
  }

  /** Until the bound over all paths is within this share of the optimum, or time is over. */
  PriceSearch run(double accuracy) {
    return run(accuracy, Double.NEGATIVE_INFINITY);
  }

  /** Whether there are so many groups that a sample of them comes first. */
  boolean isSampled() {
    return sampled;
  }

  /** Only as far as a sample of the groups tells; nothing where there are too few for one. */
  PriceSearch sketch(double low) {
    return sampled ? run(Double.POSITIVE_INFINITY, low) : this;
  }

  /**
   * Goes on from where it is.
   *
   * @param low a bound below which to stop
   */
  PriceSearch run(double accuracy, double low) {
    int repeated = 0;
    for (int stage = 0; stage < MOST_STAGES && !stop.getAsBoolean() && bound >= low; stage++) {
      PriceProgram now = programme(prices);
      CentralPrices central = new CentralPrices(now, typical, mu);
      prices = central.minimise(prices, STEPS, stop);
      double known = central.bound();
      double gap = central.gap() / Math.abs(known);
      if (every == 1) {
        solved = Optional.of(new Solved(now, prices, mu));
      }
      double all = valueAddingPaths(prices);
      double missed = Math.max(0, all - known) / Math.abs(all);
      if (every == 1 && missed > gap * COMPLETE) {
        // Towards the best prices known the other paths show themselves that are underpriced.
        double[] from = best;
        double[] to = prices;
        for (double share = 0.5; share > 0.1 && all > bound; share /= 2) {
          all = valueAddingPaths(between(from, to, share));
        }
        prices = best;
      }
      if (every == 1 && gap <= accuracy && missed <= accuracy) {
        break;
      }
      if (!central.centred()) {
        continue;
      }
      if (every > 1 && gap < NEAR_ENOUGH) {
        every = 1;
        if (accuracy == Double.POSITIVE_INFINITY) {
          break;
        }
      } else if (every > 1 || missed <= gap * COMPLETE || repeated == MOST_REPEATS) {
        mu *= SHARPER;
        repeated = 0;
      } else {
        repeated++;
      }
    }
    return this;
  }

  private PriceProgram programme(double[] at) {
    double furthest = sampled && every == 1 ? FURTHEST_AFTER_SAMPLE : FURTHEST;
    return new PriceProgram(offers, at, Math.max(LEAST_FURTHEST, furthest * mu), every);
  }

  private double valueAddingPaths(double[] at) {
    double value = pathBound.valueAddingPaths(at);
    if (value < bound) {
      bound = value;
      best = at;
    }
    return value;
  }

  private static double[] between(double[] from, double[] to, double share) {
    double[] between = new double[from.length];
    for (int e = 0; e < between.length; e++) {
      between[e] = from[e] + share * (to[e] - from[e]);
    }
    return between;
  }

  /** The best prices found. */
  double[] prices() {
    return best;
  }

  /** What they prove, in units of 1, but for round-off. */
  double bound() {
    return bound;
  }

  /** What they prove, in billionths. */
  long billionths() {
    return pathBound.billionths(best);
  }

  /** As the programme that was solved last divides the groups; it need not fit. */
  Allocation allocation() {
    if (solved.isEmpty()) {
      every = 1;
      solved = Optional.of(new Solved(programme(best), best, mu));
    }
    PriceProgram program = solved.get().program;
    CentralPrices central = new CentralPrices(program, typical, solved.get().mu);
    central.settle(solved.get().prices, STEPS, stop);
    return Dealing.divided(offers, program, central.copies());
  }
}
