package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** What was learned of a utility function, with the function, as JSON in exact units. */
public final class LearnedTableCodec extends JsonCodec<LearnedTable> {
  public LearnedTableCodec() {
    super(1);
  }

  @Override
  ObjectNode json(LearnedTable table) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", table.name())
            .put("since", table.since().toString());
    UtilityFunction promised = table.promised();
    ArrayNode throughput = json.putArray("throughputMillibits");
    ArrayNode delay = json.putArray("delayNanos");
    ArrayNode utility = json.putArray("utilityBillionths");
    for (int d = 0; d < promised.delayBins(); d++) {
      delay.add(promised.delayNanos(d));
    }
    for (int t = 0; t < promised.throughputBins(); t++) {
      throughput.add(promised.rateMillibits(t));
      ArrayNode row = utility.addArray();
      for (int d = 0; d < promised.delayBins(); d++) {
        row.add(promised.utilityBillionths(t, d));
      }
    }
    ArrayNode cells = json.putArray("cells");
    for (LearnedCell cell : table.cells()) {
      cells
          .addObject()
          .put("throughputBin", cell.throughputBin())
          .put("delayBin", cell.delayBin())
          .put("reports", cell.reports())
          .put("mean", cell.mean())
          .put("squares", cell.squares());
    }
    return json;
  }

  @Override
  LearnedTable value(JsonNode json, int version) throws IOException {
    List<DataRate> throughput = new ArrayList<>();
    json.path("throughputMillibits")
        .forEach(rate -> throughput.add(DataRate.ofMillibitsPerSecond(rate.asLong())));
    List<Latency> delay = new ArrayList<>();
    json.path("delayNanos").forEach(one -> delay.add(Latency.ofNanos(one.asLong())));
    List<List<Utility>> utility = new ArrayList<>();
    for (JsonNode row : json.path("utilityBillionths")) {
      List<Utility> values = new ArrayList<>();
      row.forEach(value -> values.add(Utility.ofBillionths(value.asLong())));
      utility.add(values);
    }
    List<LearnedCell> cells = new ArrayList<>();
    for (JsonNode cell : json.path("cells")) {
      cells.add(
          LearnedCell.of(
              cell.path("throughputBin").asInt(),
              cell.path("delayBin").asInt(),
              cell.path("reports").asLong(),
              cell.path("mean").asDouble(),
              cell.path("squares").asDouble()));
    }
    try {
      return LearnedTable.of(
          UtilityFunction.of(json.path("name").asText(), throughput, delay, utility),
          Instant.parse(json.path("since").asText()),
          cells);
    } catch (IllegalArgumentException e) {
      throw new IOException("a table that is none", e);
    }
  }
}
