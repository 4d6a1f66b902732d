package org.paceline.json.document;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * The units of the files: kbit/s, ms and utilities, read exactly. The bounds keep the sums of a
 * solver inside a long.
 */
public final class Quantities {
  private static final BigDecimal MAX_KBPS = BigDecimal.valueOf(1_000_000_000_000L);
  private static final BigDecimal MAX_MILLIS = BigDecimal.valueOf(1_000_000_000L);
  private static final BigDecimal LEAST_UTILITY = BigDecimal.ONE;
  private static final BigDecimal GREATEST_UTILITY = BigDecimal.valueOf(5);

  private Quantities() {}

  public static Optional<DataRate> rate(JsonCursor json) throws IOException {
    return json.number(
            BigDecimal.ZERO, MAX_KBPS, "lie from 0 to " + MAX_KBPS + " kbit/s (1 Pbit/s)")
        .map(DataRate::ofKilobitsPerSecond);
  }

  public static Optional<Latency> delay(JsonCursor json) throws IOException {
    return json.number(BigDecimal.ZERO, MAX_MILLIS, "lie from 0 to " + MAX_MILLIS + " ms")
        .map(Latency::ofMillis);
  }

  public static Optional<Utility> utility(JsonCursor json) throws IOException {
    return json.number(LEAST_UTILITY, GREATEST_UTILITY, "lie from 1 to 5").map(Utility::of);
  }

  public static Optional<Integer> count(JsonCursor json) throws IOException {
    return json.wholeNumber(1, Integer.MAX_VALUE, "from 1 to " + Integer.MAX_VALUE);
  }

  /** A number that is no single utility, such as a difference, in billionths. */
  public static long billionths(BigDecimal value) {
    return value.scaleByPowerOfTen(9).setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  /** The list, or empty where it or one of its items has a fault. */
  public static <T> Optional<List<T>> list(
      JsonCursor json, int most, String wayOut, Fields.Value<T> item) throws IOException {
    List<T> values = new ArrayList<>();
    int[] bad = new int[1];
    boolean read =
        json.array(
            most,
            wayOut,
            index -> {
              Optional<T> value = item.read(json);
              value.ifPresent(values::add);
              bad[0] += value.isPresent() ? 0 : 1;
            });
    return read && bad[0] == 0 ? Optional.of(values) : Optional.empty();
  }

  /** Logs where a list does not increase; equal neighbours are allowed unless strictly. */
  public static <T extends Comparable<T>> boolean increases(
      JsonCursor json, String place, List<T> values, boolean strictly) throws IOException {
    for (int i = 1; i < values.size(); i++) {
      int order = values.get(i).compareTo(values.get(i - 1));
      if (order < 0 || (strictly && order == 0)) {
        json.faultAt(
            place + "/" + i,
            (strictly
                    ? "must be above the value before it ("
                    : "must not be below the one before (")
                + values.get(i - 1)
                + "), but is "
                + values.get(i)
                + ". Maybe the points are in the wrong order.");
        return false;
      }
    }
    return true;
  }
}
