package org.paceline.allocator.network.prices;

import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Offers;

/**
 * Where there are many groups: prices by {@link SmoothPrices}, from blunt to sharp. A sample of the
 * groups shows about where they are while they are blunt.
 *
 * <p>A group that is decided adds nothing to what smoothing costs, so that the loss falls with the
 * square of mu; so does the work of a step.
 */
public final class SmoothSearch {
  private static final double FIRST_MU = 0.2;
  private static final double SHARPER = 0.3;
  private static final double SHARPEST = 2e-5;

  /** From here on all groups count. */
  private static final double ALL_BELOW = 0.03;

  private static final int SAMPLE = 4_000;
  private static final int STEPS = 20;
  private static final int MOST_STAGES = 40;

  /** Of mu, what a step must bring of the bound to be followed by another. */
  private static final double AT_REST = 5e-3;

  /** Of mu, what missing paths may add to the bound before sharper prices are looked for. */
  private static final double COMPLETE = 0.1;

  private final Offers offers;
  private final BooleanSupplier stop;
  private final double typical;
  private double[] prices;
  private double mu = FIRST_MU;
  private int every;
  private double[] divided;
  private double dividedAt = FIRST_MU;

  /** The bound over all paths at the prices, as far as it is known. */
  private double valued = Double.POSITIVE_INFINITY;

  SmoothSearch(Offers offers, double[] start, double typical, BooleanSupplier stop) {
    this.offers = offers;
    this.prices = start;
    this.divided = start;
    this.typical = typical;
    this.stop = stop;
    this.every = Math.max(1, offers.demands().groups() / SAMPLE);
  }

  /**
   * Goes on from where it is, until the bound is within this share of the optimum.
   *
   * @param all the bound over all paths, of which those that are worth something come in
   * @param low a bound below which to stop
   * @param sampleOnly to stop where all groups would count
   */
  void run(double accuracy, double low, boolean sampleOnly, ToDoubleFunction<double[]> all) {
    if (every > 1) {
      valued = Math.min(valued, all.applyAsDouble(prices));
    }
    for (int stage = 0; stage < MOST_STAGES && !stop.getAsBoolean(); stage++) {
      if (every > 1 && mu < ALL_BELOW) {
        every = 1;
      }
      if (every == 1 && sampleOnly) {
        return;
      }
      SmoothProgram program = new SmoothProgram(offers, every);
      SmoothProgram.Point point =
          new SmoothPrices(program, typical, mu).minimise(prices, STEPS, AT_REST * mu, stop);
      double value = all.applyAsDouble(point.prices);
      if (every > 1) {
        // Where what is sampled has no room, its prices rise for ever: then they say nothing.
        if (value < valued) {
          prices = point.prices;
          valued = value;
        }
        if (value < low) {
          return;
        }
        mu *= SHARPER;
        continue;
      }
      prices = point.prices;
      double missed = (value - point.bound) / Math.abs(value);
      if (value < low) {
        return;
      }
      divided = prices;
      dividedAt = mu;
      if (missed <= accuracy && point.loss <= accuracy * Math.abs(value)) {
        return;
      }
      if (missed <= COMPLETE * mu) {
        mu = Math.max(SHARPEST, mu * SHARPER);
      }
    }
  }

  /** As the prices found last divide the groups; it need not fit. */
  Allocation allocation() {
    return new SmoothProgram(offers, 1).divided(divided, dividedAt);
  }
}
