package org.paceline.json.utility;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.Quantities;

/** A utility function's table: {@code throughputKbps}, {@code delayMs}, {@code utility}. */
public final class UtilityFunctionJson {
  /** Where a table comes from; read by people. */
  private static final Set<String> REMARKS =
      Set.of("class", "intent", "shorthand", "kpi", "source", "description");

  private static final int MAX_BINS = 10_000;
  private static final long MAX_CELLS = 5_000_000;
  private static final String FEWER_BINS = "Maybe sample the function at fewer points.";

  private final JsonCursor json;
  private final JsonCursor.Members further;
  private long cells;

  public UtilityFunctionJson(JsonCursor json) {
    this(json, member -> false);
  }

  /**
   * @param further reads members beside the table's own
   */
  public UtilityFunctionJson(JsonCursor json, JsonCursor.Members further) {
    this.json = json;
    this.further = further;
  }

  public Optional<UtilityFunction> read(String name) throws IOException {
    return new Table(name).read();
  }

  private final class Table {
    private final String name;
    private final String place = json.place();
    private Optional<List<DataRate>> throughput = Optional.empty();
    private Optional<List<Latency>> delay = Optional.empty();
    private Optional<List<List<Utility>>> utility = Optional.empty();
    private int known;

    Table(String name) {
      this.name = name;
    }

    Optional<UtilityFunction> read() throws IOException {
      if (!json.object(this::member)) {
        return Optional.empty();
      }
      if (known < 3) {
        json.faultAt(place, "needs throughputKbps, delayMs and utility.");
      }
      boolean fits = axisIncreases(throughput, "throughputKbps") & axisIncreases(delay, "delayMs");
      return throughput.isPresent() && delay.isPresent() && utility.isPresent()
          ? shaped(throughput.get(), delay.get(), utility.get(), fits)
          : Optional.empty();
    }

    private boolean member(String member) throws IOException {
      switch (member) {
        case "throughputKbps":
          known++;
          throughput = Quantities.list(json, MAX_BINS, FEWER_BINS, Quantities::rate);
          return true;
        case "delayMs":
          known++;
          delay = Quantities.list(json, MAX_BINS, FEWER_BINS, Quantities::delay);
          return true;
        case "utility":
          known++;
          utility = Quantities.list(json, MAX_BINS, FEWER_BINS, this::row);
          return true;
        default:
          if (further.read(member)) {
            return true;
          }
          if (REMARKS.contains(member)) {
            json.skip();
            return true;
          }
          return false;
      }
    }

    private Optional<List<Utility>> row(JsonCursor cursor) throws IOException {
      Optional<List<Utility>> row =
          Quantities.list(cursor, MAX_BINS, FEWER_BINS, Quantities::utility);
      cells += row.map(List::size).orElse(0);
      if (cells > MAX_CELLS) {
        json.fault("makes the tables exceed " + MAX_CELLS + " cells. " + FEWER_BINS);
        throw new JsonCursor.Abandoned();
      }
      return row;
    }

    private <T extends Comparable<T>> boolean axisIncreases(Optional<List<T>> axis, String member)
        throws IOException {
      if (axis.isPresent() && axis.get().isEmpty()) {
        json.faultAt(place + "/" + member, "needs at least one bin.");
        return false;
      }
      return axis.isPresent() && Quantities.increases(json, place + "/" + member, axis.get(), true);
    }

    private Optional<UtilityFunction> shaped(
        List<DataRate> rates, List<Latency> delays, List<List<Utility>> rows, boolean fits)
        throws IOException {
      boolean rectangular = rows.size() == rates.size();
      if (!rectangular) {
        json.faultAt(
            place + "/utility",
            String.format(
                "must have a row for each of the %d throughput bins, but has %d.",
                rates.size(), rows.size()));
      }
      for (int t = 0; t < rows.size(); t++) {
        if (rows.get(t).size() != delays.size()) {
          rectangular = false;
          json.faultAt(
              place + "/utility/" + t,
              String.format(
                  "must have a value for each of the %d delay bins, but has %d.",
                  delays.size(), rows.get(t).size()));
        }
      }
      return rectangular && fits
          ? Optional.of(UtilityFunction.of(name, rates, delays, rows))
          : Optional.empty();
    }
  }

  /** Writes the table as an object. */
  public static void write(JsonGenerator json, UtilityFunction function) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("throughputKbps");
    for (int t = 0; t < function.throughputBins(); t++) {
      json.writeNumber(plain(function.throughput(t).kilobitsPerSecond()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("delayMs");
    for (int d = 0; d < function.delayBins(); d++) {
      json.writeNumber(plain(function.delay(d).millis()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("utility");
    for (int t = 0; t < function.throughputBins(); t++) {
      json.writeStartArray();
      for (int d = 0; d < function.delayBins(); d++) {
        json.writeNumber(plain(function.utility(t, d).value()));
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Without trailing zeros or an exponent, as people write numbers. */
  public static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
