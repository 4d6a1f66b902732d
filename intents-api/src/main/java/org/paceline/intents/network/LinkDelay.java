package org.paceline.intents.network;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/**
 * A link's delay as a function of its load: linear between points, constant before the first and
 * after the last. Sieber et al. 2020, appendix A.6, equations 17 to 19.
 *
 * <p>It must not fall with load, as no queue's does; the allocator's proofs rest on that.
 */
public final class LinkDelay {
  private final long[] loads;
  private final long[] delays;

  private LinkDelay(long[] loads, long[] delays) {
    this.loads = loads;
    this.delays = delays;
  }

  public static LinkDelay constant(Latency delay) {
    return new LinkDelay(new long[] {0}, new long[] {delay.nanos()});
  }

  /**
   * @param loads the points' loads, strictly increasing, at least one
   * @param delays as many delays, never falling
   */
  public static LinkDelay piecewise(List<DataRate> loads, List<Latency> delays) {
    if (loads.isEmpty() || loads.size() != delays.size()) {
      throw new IllegalArgumentException(
          "A link's delay needs as many loads as delays and at least one, but there are "
              + loads.size()
              + " and "
              + delays.size()
              + ".");
    }
    for (int i = 1; i < loads.size(); i++) {
      if (loads.get(i).compareTo(loads.get(i - 1)) <= 0) {
        throw new IllegalArgumentException(
            "The loads of a link's delay must increase, but "
                + loads.get(i)
                + " follows "
                + loads.get(i - 1)
                + ".");
      }
      if (delays.get(i).compareTo(delays.get(i - 1)) < 0) {
        throw new IllegalArgumentException(
            "A link's delay must not fall with its load, but "
                + delays.get(i)
                + " at "
                + loads.get(i)
                + " follows "
                + delays.get(i - 1)
                + ". Maybe the points are in the wrong order.");
      }
    }
    return new LinkDelay(
        loads.stream().mapToLong(DataRate::millibitsPerSecond).toArray(),
        delays.stream().mapToLong(Latency::nanos).toArray());
  }

  public Latency at(DataRate load) {
    return Latency.ofNanos(nanosAt(load.millibitsPerSecond()));
  }

  /** The delay in nanoseconds, rounded half up, at a load in millibits per second. */
  public long nanosAt(long load) {
    if (load <= loads[0]) {
      return delays[0];
    }
    for (int i = 1; i < loads.length; i++) {
      if (load <= loads[i]) {
        double share = (double) (load - loads[i - 1]) / (loads[i] - loads[i - 1]);
        return delays[i - 1] + Math.round((delays[i] - delays[i - 1]) * share);
      }
    }
    return delays[delays.length - 1];
  }

  /** The delay as a function of what comes on top of this load, in millibits per second. */
  public LinkDelay above(long load) {
    int next = 0;
    while (next < loads.length && loads[next] <= load) {
      next++;
    }
    long[] points = new long[loads.length - next + 1];
    long[] at = new long[points.length];
    at[0] = nanosAt(load);
    for (int i = 1; i < points.length; i++) {
      points[i] = loads[next + i - 1] - load;
      at[i] = delays[next + i - 1];
    }
    return new LinkDelay(points, at);
  }

  /** The delay with no load: the least that the link can have. */
  public Latency least() {
    return Latency.ofNanos(delays[0]);
  }

  public boolean isConstant() {
    return delays[0] == delays[delays.length - 1];
  }

  /**
   * The greatest load at which the delay is still within the budget; {@link DataRate#MAX} where it
   * always is, empty where it never is.
   */
  public Optional<DataRate> greatestLoadWithin(Latency budget) {
    long limit = budget.nanos();
    if (delays[0] > limit) {
      return Optional.empty();
    }
    long low = 0;
    long high = loads[loads.length - 1];
    if (delays[delays.length - 1] <= limit) {
      return Optional.of(DataRate.MAX);
    }
    // Invariant: the delay at low is within the budget, at high it is not.
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (nanosAt(middle) <= limit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Optional.of(DataRate.ofMillibitsPerSecond(low));
  }

  public int points() {
    return loads.length;
  }

  public DataRate load(int point) {
    return DataRate.ofMillibitsPerSecond(loads[point]);
  }

  public Latency delay(int point) {
    return Latency.ofNanos(delays[point]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkDelay
        && Arrays.equals(loads, ((LinkDelay) other).loads)
        && Arrays.equals(delays, ((LinkDelay) other).delays);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(loads) + Arrays.hashCode(delays);
  }

  @Override
  public String toString() {
    return isConstant()
        ? least().toString()
        : least() + " to " + Latency.ofNanos(delays[delays.length - 1]);
  }
}
