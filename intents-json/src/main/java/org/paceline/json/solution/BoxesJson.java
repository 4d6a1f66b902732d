package org.paceline.json.solution;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.BoxNode;
import org.paceline.intents.problem.BoxSplit;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.json.document.Fields;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.Quantities;

/** Reads and writes the boxes of a certificate. */
final class BoxesJson {
  private static final int MOST = 1_000_000;
  private static final String NO_SOLUTION = "Maybe it is no solution.";
  private static final BigDecimal GREATEST_SUM = BigDecimal.valueOf(5_000_000_000L);

  private BoxesJson() {}

  static Optional<List<BoxTree>> trees(JsonCursor json) throws IOException {
    return Quantities.list(json, MOST, NO_SOLUTION, BoxesJson::tree);
  }

  /** A tree without a bound says that nothing is in its boxes. */
  static Optional<BoxTree> tree(JsonCursor json) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<List<String>> applications =
        fields.needed(
            "applications", cursor -> Quantities.list(cursor, MOST, NO_SOLUTION, JsonCursor::name));
    Fields.Field<BigDecimal> bound =
        fields.maybe(
            "sumUtility",
            cursor ->
                cursor.number(BigDecimal.ZERO, GREATEST_SUM, "lie from 0 to " + GREATEST_SUM));
    Fields.Field<List<BoxNode>> boxes =
        fields.needed(
            "boxes", cursor -> Quantities.list(cursor, MOST, NO_SOLUTION, BoxesJson::node));
    return fields.read() && Fields.have(applications, boxes)
        ? Optional.of(
            BoxTree.of(
                applications.get(),
                bound.value().map(Quantities::billionths).orElse(BoxTree.NOTHING),
                boxes.get()))
        : Optional.empty();
  }

  private static Optional<BoxNode> node(JsonCursor json) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<Map<LinkId, Double>> prices = fields.maybe("prices", CertificateJson::prices);
    Fields.Field<BoxSplit> split = fields.maybe("split", BoxesJson::split);
    return fields.read()
        ? Optional.of(BoxNode.of(prices.value(), split.value()))
        : Optional.empty();
  }

  private static Optional<BoxSplit> split(JsonCursor json) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<String> application = fields.needed("application", JsonCursor::name);
    Fields.Field<Integer> copy =
        fields.or(
            0,
            "copy",
            cursor -> cursor.wholeNumber(0, Integer.MAX_VALUE, "from 0 to " + Integer.MAX_VALUE));
    Fields.Field<DataRate> rate = fields.maybe("mostKbps", Quantities::rate);
    Fields.Field<Latency> delay = fields.maybe("leastMs", Quantities::delay);
    Fields.Field<LinkId> link = fields.maybe("without", BoxesJson::link);
    if (!fields.read() || !Fields.have(application, copy)) {
      return Optional.empty();
    }
    if (rate.value().isPresent()) {
      return Optional.of(BoxSplit.byRate(application.get(), copy.get(), rate.get()));
    }
    if (delay.value().isPresent()) {
      return Optional.of(BoxSplit.byDelay(application.get(), copy.get(), delay.get()));
    }
    if (link.value().isEmpty()) {
      json.fault("needs one of mostKbps, leastMs and without. " + NO_SOLUTION);
    }
    return link.value().map(crossed -> BoxSplit.byLink(application.get(), copy.get(), crossed));
  }

  private static Optional<LinkId> link(JsonCursor json) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<String> from = fields.needed("from", JsonCursor::name);
    Fields.Field<String> to = fields.needed("to", JsonCursor::name);
    return fields.read() && Fields.have(from, to)
        ? Optional.of(LinkId.of(from.get(), to.get()))
        : Optional.empty();
  }

  /** As the value of a member or an item of an array. */
  static void write(JsonGenerator json, BoxTree tree) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("applications");
    for (String application : tree.applications()) {
      json.writeString(application);
    }
    json.writeEndArray();
    if (tree.bound() != BoxTree.NOTHING) {
      SolutionWriter.number(json, "sumUtility", BigDecimal.valueOf(tree.bound(), 9));
    }
    json.writeArrayFieldStart("boxes");
    for (BoxNode node : tree.boxes()) {
      json.writeStartObject();
      if (node.prices().isPresent()) {
        SolutionWriter.prices(json, "prices", node.prices().get());
      }
      if (node.split().isPresent()) {
        write(json, node.split().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, BoxSplit split) throws IOException {
    json.writeObjectFieldStart("split");
    json.writeStringField("application", split.application());
    if (split.copy() > 0) {
      json.writeNumberField("copy", split.copy());
    }
    if (split.rate().isPresent()) {
      SolutionWriter.number(json, "mostKbps", split.rate().get().kilobitsPerSecond());
    }
    if (split.delay().isPresent()) {
      SolutionWriter.number(json, "leastMs", split.delay().get().millis());
    }
    if (split.link().isPresent()) {
      json.writeObjectFieldStart("without");
      json.writeStringField("from", split.link().get().from());
      json.writeStringField("to", split.link().get().to());
      json.writeEndObject();
    }
    json.writeEndObject();
  }
}
