package org.paceline.allocator.incremental;

import java.util.Optional;
import org.paceline.allocator.exact.Staircase;
import org.paceline.intents.utility.UtilityFunction;

/**
 * What paths of about the same delay offer to a function from the floor up, and which step each
 * step best gives way to. O(T^2) to make, so that an event need not look for it.
 */
final class Steps {
  private final Staircase stairs;
  private final int first;
  private final long[] rates;
  private final long[] utilities;
  private final int[] lower;
  private final double[] loss;
  private final int[] higher;
  private final double[] gain;

  private Steps(Staircase stairs, int first) {
    this.stairs = stairs;
    this.first = first;
    int size = stairs.size();
    rates = new long[size];
    utilities = new long[size];
    for (int s = 0; s < size; s++) {
      rates[s] = stairs.rateMillibits(s);
      utilities[s] = stairs.utilityBillionths(s);
    }
    lower = new int[size];
    loss = new double[size];
    higher = new int[size];
    gain = new double[size];
    for (int at = first; at < size; at++) {
      lower[at] = at;
      loss[at] = Double.POSITIVE_INFINITY;
      for (int s = at - 1; s >= first; s--) {
        if (slope(s, at) < loss[at]) {
          lower[at] = s;
          loss[at] = slope(s, at);
        }
      }
      higher[at] = bestAbove(at, Long.MAX_VALUE);
      gain[at] = higher[at] == at ? 0 : slope(at, higher[at]);
    }
  }

  /** Empty where the delay is too great for the floor. */
  static Optional<Steps> of(UtilityFunction function, long delay, long floor) {
    return Staircase.of(function, delay)
        .filter(stairs -> stairs.firstAtLeast(floor) < stairs.size())
        .map(stairs -> new Steps(stairs, stairs.firstAtLeast(floor)));
  }

  Staircase stairs() {
    return stairs;
  }

  int size() {
    return rates.length;
  }

  /** The least step at the floor. */
  int first() {
    return first;
  }

  long rate(int step) {
    return rates[step];
  }

  long utility(int step) {
    return utilities[step];
  }

  /** The lower step that loses least for what it frees; the step itself at the floor. */
  int lower(int step) {
    return lower[step];
  }

  /** What that loses for each unit of rate; infinite at the floor. */
  double loss(int step) {
    return loss[step];
  }

  /**
   * The higher step that gains most for what it takes of the room; the step itself if none fits.
   */
  int higher(int step, long room) {
    return rates[higher[step]] - rates[step] <= room ? higher[step] : bestAbove(step, room);
  }

  /** What that gains for each unit of rate; nothing where it is the step itself. */
  double gain(int step, int to) {
    return to == higher[step] ? gain[step] : to == step ? 0 : slope(step, to);
  }

  private int bestAbove(int at, long room) {
    int best = at;
    for (int s = at + 1; s < rates.length && rates[s] - rates[at] <= room; s++) {
      if (best == at || slope(at, s) > slope(at, best)) {
        best = s;
      }
    }
    return best;
  }

  /** The step that is worth most at a price. */
  int wanted(double price) {
    int wanted = first;
    for (int s = first + 1; s < rates.length; s++) {
      if (utilities[s] - utilities[wanted] > (rates[s] - rates[wanted]) * price) {
        wanted = s;
      }
    }
    return wanted;
  }

  /** What no step is worth more than at a price. */
  double worth(double price) {
    double worth = Double.NEGATIVE_INFINITY;
    for (int s = first; s < rates.length; s++) {
      worth = Math.max(worth, utilities[s] - rates[s] * price);
    }
    return worth;
  }

  private double slope(int from, int to) {
    return (utilities[to] - utilities[from]) / (double) (rates[to] - rates[from]);
  }
}
