package org.paceline.allocator.exact;

import java.util.Arrays;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The cells of a utility function worth choosing on a path of a given delay: each step has a higher
 * rate and a higher utility than the one before.
 *
 * <p>Of each rate bin only the best cell among the delay bins that the path keeps matters, and of
 * these only those that no cheaper one reaches. Nothing is lost, whatever dips the table has. O(T
 * D).
 */
public final class Staircase {
  private final UtilityFunction function;
  private final int[] rateBins;
  private final int[] delayBins;
  private final long[] rates;
  private final long[] utilities;

  private Staircase(UtilityFunction function, int[] rateBins, int[] delayBins) {
    this.function = function;
    this.rateBins = rateBins;
    this.delayBins = delayBins;
    this.rates = Arrays.stream(rateBins).mapToLong(function::rateMillibits).toArray();
    this.utilities = new long[rateBins.length];
    for (int i = 0; i < rateBins.length; i++) {
      utilities[i] = function.utilityBillionths(rateBins[i], delayBins[i]);
    }
  }

  /** Empty where the path is slower than the function's greatest delay bin. */
  public static Optional<Staircase> of(UtilityFunction function, long pathDelayNanos) {
    int first = firstDelayBin(function, pathDelayNanos);
    return first == function.delayBins()
        ? Optional.empty()
        : Optional.of(fromDelayBin(function, first));
  }

  /** The least delay bin that the path keeps; the number of bins where it keeps none. */
  static int firstDelayBin(UtilityFunction function, long pathDelayNanos) {
    int first = 0;
    while (first < function.delayBins() && function.delayNanos(first) < pathDelayNanos) {
      first++;
    }
    return first;
  }

  static Staircase fromDelayBin(UtilityFunction function, int first) {
    int[] rateBins = new int[function.throughputBins()];
    int[] delayBins = new int[function.throughputBins()];
    int steps = 0;
    long best = Long.MIN_VALUE;
    for (int t = 0; t < function.throughputBins(); t++) {
      int chosen = first;
      for (int d = first + 1; d < function.delayBins(); d++) {
        // Of equal cells the loosest, so that a delay budget binds only where it is worth
        // something.
        if (function.utilityBillionths(t, d) >= function.utilityBillionths(t, chosen)) {
          chosen = d;
        }
      }
      if (function.utilityBillionths(t, chosen) > best) {
        best = function.utilityBillionths(t, chosen);
        rateBins[steps] = t;
        delayBins[steps] = chosen;
        steps++;
      }
    }
    return new Staircase(function, Arrays.copyOf(rateBins, steps), Arrays.copyOf(delayBins, steps));
  }

  String functionName() {
    return function.name();
  }

  /** At least 1. */
  public int size() {
    return rates.length;
  }

  /** Millibits per second. */
  public long rateMillibits(int step) {
    return rates[step];
  }

  /** Billionths. */
  public long utilityBillionths(int step) {
    return utilities[step];
  }

  public DataRate rate(int step) {
    return function.throughput(rateBins[step]);
  }

  public Latency delay(int step) {
    return function.delay(delayBins[step]);
  }

  public Utility utility(int step) {
    return Utility.ofBillionths(utilities[step]);
  }

  /** The cheapest step of at least this utility; {@link #size} where there is none. O(log T). */
  public int firstAtLeast(long utilityBillionths) {
    int found = Arrays.binarySearch(utilities, utilityBillionths);
    return found >= 0 ? found : -found - 1;
  }
}
