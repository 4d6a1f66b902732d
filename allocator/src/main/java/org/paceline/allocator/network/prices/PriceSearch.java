package org.paceline.allocator.network.prices;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.path.Topology;

/**
 * The prices at which the bound over all paths is least, and how the linear programme divides the
 * groups there.
 *
 * <p>The centre of the programme ({@link CentralPrices}) is followed from blunt to sharp prices.
 * Paths come in by price while the prices are still blunt: then every link has a price, loads
 * spread, and few paths are missed. Sharper prices are looked for only once few are. Where there
 * are many groups, {@link SmoothSearch} finds the prices.
 */
public final class PriceSearch {
  private static final double FIRST_MU = 0.1;
  private static final double SHARPER = 0.25;

  /** Of the central point's gap, what missing paths may add to it. */
  private static final double COMPLETE = 0.3;

  private static final int MOST_REPEATS = 4;

  /** Columns worth so many mu less than the best have no share that counts. */
  private static final double FURTHEST = 400;

  private static final double LEAST_FURTHEST = 0.05;
  private static final int MOST_STAGES = 60;
  private static final int STEPS = 10;

  private final Offers offers;
  private final PathBound pathBound;
  private final BooleanSupplier stop;
  private final double typical;
  private Optional<Solved> solved = Optional.empty();
  private double[] best;
  private double bound = Double.POSITIVE_INFINITY;
  private double[] prices;
  private double mu = FIRST_MU;
  private final boolean many;
  private Optional<SmoothSearch> smooth = Optional.empty();

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

  public PriceSearch(Offers offers, Topology idle, BooleanSupplier stop) {
    this.offers = offers;
    this.pathBound = new PathBound(offers, idle);
    this.stop = stop;
    this.typical = offers.typicalSlope();
    this.best = new double[idle.links()];
    this.prices = new double[idle.links()];
    Arrays.fill(prices, 0.3 * typical);
    this.many = offers.demands().areMany();
  }

  /**
   * Begins elsewhere than at even prices, if there are any there.
   *
   * @param bluntness how far from its optimum the programme is first solved, in utility of a copy
   */
  public PriceSearch from(double[] start, double bluntness) {
    prices = Arrays.stream(start).anyMatch(p -> p > 0) ? start.clone() : prices;
    mu = bluntness;
    return this;
  }

  /** Until the bound over all paths is within this share of the optimum, or time is over. */
  public PriceSearch run(double accuracy) {
    return run(accuracy, Double.NEGATIVE_INFINITY);
  }

  /** Only as far as a sample of the groups tells; nothing where there are too few for one. */
  public PriceSearch sketch(double low) {
    if (many) {
      smooth().run(0, low, true, this::valueAddingPaths);
    }
    return this;
  }

  private SmoothSearch smooth() {
    SmoothSearch search = smooth.orElseGet(() -> new SmoothSearch(offers, prices, typical, stop));
    smooth = Optional.of(search);
    return search;
  }

  /**
   * Goes on from where it is.
   *
   * @param low a bound below which to stop
   */
  public PriceSearch run(double accuracy, double low) {
    if (many) {
      smooth().run(accuracy, low, false, this::valueAddingPaths);
      return this;
    }
    int repeated = 0;
    for (int stage = 0; stage < MOST_STAGES && !stop.getAsBoolean() && bound >= low; stage++) {
      PriceProgram now = programme(prices);
      CentralPrices central = new CentralPrices(now, typical, mu);
      prices = central.minimise(prices, STEPS, stop);
      double known = central.bound();
      double gap = central.gap() / Math.abs(known);
      solved = Optional.of(new Solved(now, prices, mu));
      double all = valueAddingPaths(prices);
      double missed = Math.max(0, all - known) / Math.abs(all);
      if (missed > gap * COMPLETE) {
        // Towards the best prices known the other paths show themselves that are underpriced.
        double[] from = best;
        double[] to = prices;
        for (double share = 0.5; share > 0.1 && all > bound; share /= 2) {
          all = valueAddingPaths(between(from, to, share));
        }
        prices = best;
      }
      if (gap <= accuracy && missed <= accuracy) {
        break;
      }
      if (!central.centred()) {
        continue;
      }
      if (missed <= gap * COMPLETE || repeated == MOST_REPEATS) {
        mu *= SHARPER;
        repeated = 0;
      } else {
        repeated++;
      }
    }
    return this;
  }

  private PriceProgram programme(double[] at) {
    return new PriceProgram(offers, at, Math.max(LEAST_FURTHEST, FURTHEST * mu));
  }

  private double valueAddingPaths(double[] at) {
    double value = pathBound.valueAddingPaths(at, stop);
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
  public double[] prices() {
    return best;
  }

  /** What they prove, in units of 1, but for round-off. */
  public double bound() {
    return bound;
  }

  /**
   * What they prove, in billionths; the greatest long where there was no time to prove anything.
   */
  public long billionths() {
    return PathBound.billionths(bound);
  }

  /**
   * As the programme that was solved last divides the groups; it need not fit.
   *
   * @param end where loads have not come to rest by then they may be far over limits
   */
  public Allocation allocation(BooleanSupplier end) {
    if (many) {
      return smooth().allocation();
    }
    if (solved.isEmpty()) {
      solved = Optional.of(new Solved(programme(best), best, mu));
    }
    PriceProgram program = solved.get().program;
    CentralPrices central = new CentralPrices(program, typical, solved.get().mu);
    central.settle(solved.get().prices, STEPS, end);
    return Dealing.divided(offers, program, central.copies());
  }
}
