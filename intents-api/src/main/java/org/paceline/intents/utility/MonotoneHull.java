package org.paceline.intents.utility;

/**
 * The least function above a table that never falls with more throughput nor with less delay: what
 * a user gets who may leave granted throughput unused.
 *
 * <p>A named step that somebody takes on purpose. Measured tables dip here and there; a solver that
 * picks the best cell within reach needs no hull, and a hull silently applied would hide a bad
 * measurement.
 */
public final class MonotoneHull {
  private MonotoneHull() {}

  /** O(T D) for a table of T throughput and D delay bins. */
  public static UtilityFunction of(UtilityFunction function) {
    int rows = function.throughputBins();
    int columns = function.delayBins();
    long[][] hull = new long[rows][columns];
    for (int t = 0; t < rows; t++) {
      for (int d = columns - 1; d >= 0; d--) {
        long best = function.utilityBillionths(t, d);
        if (t > 0) {
          best = Math.max(best, hull[t - 1][d]);
        }
        if (d < columns - 1) {
          best = Math.max(best, hull[t][d + 1]);
        }
        hull[t][d] = best;
      }
    }
    return UtilityFunction.ofRaw(function, hull);
  }

  public static boolean isMonotone(UtilityFunction function) {
    return of(function).equals(function);
  }
}
