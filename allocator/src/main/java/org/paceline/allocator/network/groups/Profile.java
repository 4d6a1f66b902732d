package org.paceline.allocator.network.groups;

import java.util.Arrays;
import java.util.Optional;

/**
 * Steps to choose from on a path, each with a higher rate and a higher utility than the one before,
 * and their upper hull, on which the best step at a given price lies.
 *
 * <p>Inside, rates are in units of 1e9 millibits per second (1 Mbit/s); utilities in units of 1. A
 * price is then the same number as in billionths per millibit.
 */
public final class Profile {
  public static final double SCALE = 1e9;

  /** A path that is too slow for a group offers it nothing. */
  static final Profile NONE = new Profile(new long[] {0}, new long[] {0});

  private final long[] rates;
  private final long[] utilities;
  private final int[] hull;
  private final double[] rate;
  private final double[] utility;
  private final double[] slope;

  /** Rates in millibits per second, utilities in billionths; at least one step. */
  Profile(long[] rates, long[] utilities) {
    this.rates = rates;
    this.utilities = utilities;
    this.hull = hull(rates, utilities);
    this.rate = Arrays.stream(hull).mapToDouble(s -> rates[s] / SCALE).toArray();
    this.utility = Arrays.stream(hull).mapToDouble(s -> utilities[s] / SCALE).toArray();
    this.slope = new double[hull.length - 1];
    for (int k = 0; k < slope.length; k++) {
      slope[k] = (utility[k + 1] - utility[k]) / (rate[k + 1] - rate[k]);
    }
  }

  private static int[] hull(long[] rates, long[] utilities) {
    int[] hull = new int[rates.length];
    int size = 0;
    for (int s = 0; s < rates.length; s++) {
      while (size >= 2 && isBelow(rates, utilities, hull[size - 2], hull[size - 1], s)) {
        size--;
      }
      hull[size++] = s;
    }
    return Arrays.copyOf(hull, size);
  }

  private static boolean isBelow(long[] rates, long[] utilities, int a, int b, int c) {
    double first = (double) (utilities[b] - utilities[a]) / (rates[b] - rates[a]);
    double second = (double) (utilities[c] - utilities[b]) / (rates[c] - rates[b]);
    return first <= second;
  }

  /** The steps up to this rate; empty if there are none. */
  Optional<Profile> upTo(long rate) {
    int size = rates.length;
    while (size > 0 && rates[size - 1] > rate) {
      size--;
    }
    return size == rates.length
        ? Optional.of(this)
        : size == 0
            ? Optional.empty()
            : Optional.of(new Profile(Arrays.copyOf(rates, size), Arrays.copyOf(utilities, size)));
  }

  public boolean isNone() {
    return this == NONE;
  }

  public int size() {
    return rates.length;
  }

  public long rate(int step) {
    return rates[step];
  }

  public long utility(int step) {
    return utilities[step];
  }

  public int hullSize() {
    return hull.length;
  }

  /** The step at a corner of the hull. */
  public int hullStep(int corner) {
    return hull[corner];
  }

  /** The rate of a corner, in units of 1. */
  public double hullRate(int corner) {
    return rate[corner];
  }

  /** The utility of a corner, in units of 1. */
  public double hullUtility(int corner) {
    return utility[corner];
  }

  /** What a corner is worth at a price, in units of 1. */
  public double hullWorth(int corner, double price) {
    return utility[corner] - rate[corner] * price;
  }

  /** The first step of at least this utility; the last where there is none. */
  public int firstAtLeast(long wanted) {
    int step = 0;
    while (step < utilities.length - 1 && utilities[step] < wanted) {
      step++;
    }
    return step;
  }

  /** The best corner at a price, the lower of equals. */
  public int corner(double price) {
    int low = 0;
    int high = slope.length;
    // Invariant: slopes before low are above the price, those from high are not.
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (slope[middle] > price) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** max (u - w price), in units of 1. */
  public double worth(double price) {
    int k = corner(price);
    return utility[k] - rate[k] * price;
  }

  /**
   * The worth with each slope s of the hull blurred over s (1 +- blur): convex, with a continuous
   * first derivative. Out: worth, rate (its negative derivative), and how fast the rate falls.
   */
  public void blurred(double price, double blur, double[] out) {
    int full = corner(price / (1 - blur));
    double worth = utility[full] - rate[full] * price;
    double at = rate[full];
    double falls = 0;
    for (int k = full; k < slope.length; k++) {
      double top = slope[k] * (1 + blur);
      if (top <= price) {
        break;
      }
      double step = (rate[k + 1] - rate[k]) / (2 * blur * slope[k]);
      double above = top - price;
      worth += step * above * above / 2;
      at += step * above;
      falls += step;
    }
    out[0] = worth;
    out[1] = at;
    out[2] = falls;
  }
}
