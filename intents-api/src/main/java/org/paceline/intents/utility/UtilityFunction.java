package org.paceline.intents.utility;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * What throughput and delay are worth to the user of one kind of application: a quantised table
 * U(throughput, delay), Sieber et al. 2020, section 4 and appendix A.3.
 *
 * <p>An application is granted one cell: it may be given a rate bin where its path has room for it,
 * and a delay bin where its path's delay is at most that bin. The tables are measurements and need
 * not be monotone.
 */
public final class UtilityFunction {
  // Billionths of utility for each millibit, as utility for each bit.
  private static final double MILLI_PER_BILLIONTH = 1e3 / 1e9;

  private final String name;
  private final long[] rates;
  private final long[] delays;
  private final long[][] utilities;

  private UtilityFunction(String name, long[] rates, long[] delays, long[][] utilities) {
    this.name = name;
    this.rates = rates;
    this.delays = delays;
    this.utilities = utilities;
  }

  /**
   * @param name unique among the functions of a problem or catalogue
   * @param throughput T rate bins, strictly increasing
   * @param delay D delay bins, strictly increasing
   * @param utility T rows of D values
   * @throws IllegalArgumentException if the shape is wrong or an axis does not increase
   */
  public static UtilityFunction of(
      String name, List<DataRate> throughput, List<Latency> delay, List<List<Utility>> utility) {
    long[] rates = throughput.stream().mapToLong(DataRate::millibitsPerSecond).toArray();
    long[] delays = delay.stream().mapToLong(Latency::nanos).toArray();
    requireIncreasing(name, "throughput", rates);
    requireIncreasing(name, "delay", delays);
    if (utility.size() != rates.length) {
      throw new IllegalArgumentException(
          String.format(
              "The utility table of (%s) has %d rows but %d throughput bins.",
              name, utility.size(), rates.length));
    }
    long[][] utilities = new long[rates.length][];
    for (int t = 0; t < rates.length; t++) {
      if (utility.get(t).size() != delays.length) {
        throw new IllegalArgumentException(
            String.format(
                "Row %d of the utility table of (%s) has %d values but there are %d delay bins.",
                t, name, utility.get(t).size(), delays.length));
      }
      utilities[t] = utility.get(t).stream().mapToLong(Utility::billionths).toArray();
    }
    return new UtilityFunction(name, rates, delays, utilities);
  }

  private static void requireIncreasing(String name, String axis, long[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("The " + axis + " axis of (" + name + ") is empty.");
    }
    for (int i = 1; i < values.length; i++) {
      if (values[i] <= values[i - 1]) {
        throw new IllegalArgumentException(
            String.format(
                "The %s axis of (%s) must increase, but bin %d is not above bin %d. Maybe sort its"
                    + " rows.",
                axis, name, i, i - 1));
      }
    }
  }

  public String name() {
    return name;
  }

  public int throughputBins() {
    return rates.length;
  }

  public int delayBins() {
    return delays.length;
  }

  public DataRate throughput(int bin) {
    return DataRate.ofMillibitsPerSecond(rates[bin]);
  }

  public Latency delay(int bin) {
    return Latency.ofNanos(delays[bin]);
  }

  public Utility utility(int throughputBin, int delayBin) {
    return Utility.ofBillionths(utilities[throughputBin][delayBin]);
  }

  /** The rate bin in millibits per second, for algorithms. */
  public long rateMillibits(int bin) {
    return rates[bin];
  }

  /** The delay bin in nanoseconds, for algorithms. */
  public long delayNanos(int bin) {
    return delays[bin];
  }

  /** The cell in billionths of utility, for algorithms. */
  public long utilityBillionths(int throughputBin, int delayBin) {
    return utilities[throughputBin][delayBin];
  }

  /**
   * The same function with only the rate bins from {@code least} to {@code most}, for an intent
   * with bounds.
   *
   * @throws IllegalArgumentException if no bin lies between the bounds
   */
  public UtilityFunction within(DataRate least, DataRate most) {
    int[] kept =
        java.util.stream.IntStream.range(0, rates.length)
            .filter(
                t ->
                    rates[t] >= least.millibitsPerSecond() && rates[t] <= most.millibitsPerSecond())
            .toArray();
    if (kept.length == 0) {
      String bounds = most.equals(DataRate.MAX) ? "at %s or above" : "from %s to %s";
      throw new IllegalArgumentException(
          String.format(
              "No rate bin of (%s) lies %s; its bins run from %s to %s.",
              name,
              String.format(bounds, least, most),
              throughput(0),
              throughput(rates.length - 1)));
    }
    return new UtilityFunction(
        name,
        Arrays.stream(kept).mapToLong(t -> rates[t]).toArray(),
        delays,
        Arrays.stream(kept).mapToObj(t -> utilities[t]).toArray(long[][]::new));
  }

  /**
   * The same function with one rate only, which need be no bin: it is worth what the greatest bin
   * at or below it is, and the least utility below all bins, of which no table says anything.
   */
  public UtilityFunction at(DataRate rate) {
    long[] worth = new long[delays.length];
    Arrays.fill(worth, Utility.MIN.billionths());
    for (int t = 0; t < rates.length && rates[t] <= rate.millibitsPerSecond(); t++) {
      worth = utilities[t];
    }
    return new UtilityFunction(
        name, new long[] {rate.millibitsPerSecond()}, delays, new long[][] {worth.clone()});
  }

  /**
   * How much utility each bit more per second brings at the best: the steepest way up from a rate
   * to one of the bins above it.
   *
   * @param most no bin above this counts
   * @param delay the path's; the first bin counts that allows it
   * @return in utility per bit per second; 0 where no such bin is worth more, or no bin allows the
   *     delay
   */
  public double steepestGain(DataRate rate, DataRate most, Latency delay) {
    int column = Arrays.binarySearch(delays, delay.nanos());
    column = column < 0 ? -column - 1 : column;
    if (column == delays.length) {
      return 0;
    }
    long here = Utility.MIN.billionths();
    double steepest = 0;
    for (int t = 0; t < rates.length && rates[t] <= most.millibitsPerSecond(); t++) {
      if (rates[t] <= rate.millibitsPerSecond()) {
        here = utilities[t][column];
      } else {
        double more = rates[t] - rate.millibitsPerSecond();
        steepest = Math.max(steepest, (utilities[t][column] - here) / more);
      }
    }
    return steepest * MILLI_PER_BILLIONTH;
  }

  /** The same table under another name. */
  public UtilityFunction named(String newName) {
    return new UtilityFunction(newName, rates, delays, utilities);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof UtilityFunction)) {
      return false;
    }
    UtilityFunction that = (UtilityFunction) other;
    return name.equals(that.name)
        && Arrays.equals(rates, that.rates)
        && Arrays.equals(delays, that.delays)
        && Arrays.deepEquals(utilities, that.utilities);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, Arrays.hashCode(rates), Arrays.hashCode(delays));
  }

  @Override
  public String toString() {
    return name
        + LongStream.of(rates[0], rates[rates.length - 1])
            .mapToObj(r -> DataRate.ofMillibitsPerSecond(r).toString())
            .collect(Collectors.joining(" to ", " (", ")"));
  }
}
