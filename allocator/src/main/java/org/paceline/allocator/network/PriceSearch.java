package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.path.Topology;

/**
 * The prices at which the bound over all paths is least, and how the linear programme divides the
 * groups there.
 *
 * <p>Paths come in by price while the prices are still blunt ({@link CentralPrices}): then every
 * link has a price, loads spread, and few paths are missed. From a centre that is sharp enough
 * {@link InteriorPoint} goes to the optimum over the known paths; if others turn out to be worth
 * more, the search goes back to a blunter centre.
 */
final class PriceSearch {
  private static final double FIRST_MU = 0.3;
  private static final double SHARP = 6e-2;
  private static final int MOST_STAGES = 40;
  private static final int STEPS = 10;

  private final Offers offers;
  private final PathBound pathBound;
  private final BooleanSupplier stop;
  private final double typical;
  private PriceProgram program;
  private double[] copies;
  private double[] best;
  private double bound = Double.POSITIVE_INFINITY;
  private double[] prices;
  private double mu = FIRST_MU;

  PriceSearch(Offers offers, Topology idle, BooleanSupplier stop) {
    this.offers = offers;
    this.pathBound = new PathBound(offers, idle);
    this.stop = stop;
    this.typical = offers.typicalSlope();
    this.best = new double[idle.links()];
    this.prices = new double[idle.links()];
    Arrays.fill(prices, 0.3 * typical);
    this.program = new PriceProgram(offers, best, 0);
    this.copies = evenly(program);
  }

  /**
   * Begins elsewhere than at even prices.
   *
   * @param bluntness how far from its optimum the programme is first solved, in utility of a copy
   */
  PriceSearch from(double[] start, double bluntness) {
    prices = start.clone();
    mu = bluntness;
    return this;
  }

  /** Until the bound over all paths is within this share of the optimum, or time is over. */
  PriceSearch run(double accuracy) {
    return run(accuracy, Double.NEGATIVE_INFINITY);
  }

  /**
   * Goes on from where it is.
   *
   * @param low a bound below which to stop
   */
  PriceSearch run(double accuracy, double low) {
    for (int stage = 0; stage < MOST_STAGES && !stop.getAsBoolean() && bound >= low; stage++) {
      PriceProgram now = new PriceProgram(offers, prices, Math.max(0.05, 1_000 * mu));
      CentralPrices central = new CentralPrices(now, typical, mu);
      prices = central.minimise(prices, STEPS, stop);
      double known = central.bound();
      double gap = central.gap() / Math.abs(known);
      boolean sharp = central.centred() && gap < SHARP;
      if (sharp) {
        InteriorPoint point = new InteriorPoint(now, prices, typical, mu, stop);
        point.run(Math.max(accuracy, gap * 0.05));
        prices = point.best();
        known = point.bound();
        gap = point.gap();
        mu = point.mu();
        program = now;
        copies = point.copies();
      }
      double all = pathBound.valueAddingPaths(prices);
      if (all < bound) {
        bound = all;
        best = prices;
      }
      double missed = Math.max(0, all - known) / Math.abs(all);
      if (sharp) {
        mu = Math.max(mu * 3, missed * mu / gap * 10);
      }
      if (sharp && gap <= accuracy && missed <= accuracy) {
        break;
      }
      if (sharp) {
        continue;
      }
      if (central.centred() && gap > 0.3 * missed) {
        mu *= 0.25;
      }
    }
    return this;
  }

  /** Until a programme is solved. */
  private static double[] evenly(PriceProgram program) {
    double[] copies = new double[program.columns()];
    for (int g = 0; g < program.groups; g++) {
      for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
        copies[c] = program.count[g] / (program.firstColumn[g + 1] - program.firstColumn[g]);
      }
    }
    return copies;
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
    return Allocation.dealt(offers, program, copies);
  }
}
