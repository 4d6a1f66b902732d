package org.paceline.allocator.milp;

import java.util.Arrays;
import java.util.Optional;

/**
 * Whole-number rates and a limit, as small as possible, that admit exactly the same choices on a
 * link as the millibits do.
 *
 * <p>Measured tables have their rates on a lattice (multiples of 50/29 kbit/s), printed with a
 * rounding of half a millibit. If every rate is k u up to e and at most n are added, a sum of
 * millibits is (sum of k) u up to n e; where the limit lies between K u + n e and (K + 1) u - n e,
 * sum w at most the limit is the same as sum k at most K. Where no such u is found, u = 1 is exact.
 */
final class LinkScale {
  /** How many of the smallest difference's divisors are tried as the lattice's unit. */
  private static final int DIVISORS = 512;

  private static final double MOST_ERROR = 1.0;

  private final double unit;
  private final long limit;

  private LinkScale(double unit, long limit) {
    this.unit = unit;
    this.limit = limit;
  }

  static LinkScale of(long[] rates, long copies, long limit) {
    long[] distinct = Arrays.stream(rates).filter(r -> r > 0).distinct().sorted().toArray();
    LinkScale exact = new LinkScale(1, limit);
    if (distinct.length == 0) {
      return exact;
    }
    long most = distinct[distinct.length - 1];
    double step = distinct[0];
    for (int i = 1; i < distinct.length; i++) {
      step = Math.min(step, distinct[i] - distinct[i - 1]);
    }
    for (int divisor = 1; divisor <= DIVISORS && step / divisor > 4; divisor++) {
      // The greatest rate, being rounded like the others, tells the unit best.
      double unit = most / Math.rint(most / (step / divisor));
      double error = 0;
      for (int i = 0; i < distinct.length && error <= MOST_ERROR; i++) {
        error = Math.max(error, Math.abs(distinct[i] - Math.rint(distinct[i] / unit) * unit));
      }
      if (error <= MOST_ERROR) {
        return scaled(unit, copies * (error + 1e-3), limit).orElse(exact);
      }
    }
    return exact;
  }

  private static Optional<LinkScale> scaled(double unit, double error, long limit) {
    double whole = Math.floor((limit + error) / unit);
    boolean same = whole * unit + error <= limit && (whole + 1) * unit - error > limit;
    return same ? Optional.of(new LinkScale(unit, (long) whole)) : Optional.empty();
  }

  long rate(long millibits) {
    return Math.round(millibits / unit);
  }

  long limit() {
    return limit;
  }
}
