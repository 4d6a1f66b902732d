package org.paceline.elephants;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.paceline.allocator.elephant.AlphaFlow;
import org.paceline.allocator.elephant.DayEffectiveness;
import org.paceline.allocator.elephant.Effectiveness;
import org.paceline.allocator.elephant.ListedPair;
import org.paceline.allocator.elephant.PrefixLengths;

/** The result for programs: docs/operate/elephants.md has its members. */
final class JsonReport {
  private JsonReport() {}

  static String of(Analysis.Result result) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeNumberField("records", result.records());
      json.writeNumberField("bytes", result.bytes());
      json.writeObjectFieldStart("alpha");
      json.writeNumberField("bytes", result.question().alpha().bytes());
      json.writeNumberField("intervalMs", result.question().alpha().interval().toMillis());
      json.writeEndObject();
      json.writeArrayFieldStart("alphaFlows");
      for (AlphaFlow flow : result.flows()) {
        json.writeStartObject();
        json.writeStringField("source", flow.source().toString());
        json.writeStringField("destination", flow.destination().toString());
        json.writeStringField("start", flow.start().toString());
        json.writeStringField("end", flow.end().toString());
        json.writeNumberField("bytes", flow.bytes());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("effectiveness");
      for (Map.Entry<PrefixLengths, Effectiveness> one : result.effectiveness().entrySet()) {
        effectiveness(one.getKey(), one.getValue(), json);
      }
      json.writeEndArray();
      list(result, json);
      json.writeEndObject();
    }
    return text.append('\n').toString();
  }

  private static void effectiveness(
      PrefixLengths lengths, Effectiveness effectiveness, JsonGenerator json) throws IOException {
    json.writeStartObject();
    lengths(lengths, json);
    json.writeNumberField("alphaBytes", effectiveness.alphaBytes());
    json.writeNumberField("matchedBytes", effectiveness.matchedBytes());
    json.writeArrayFieldStart("days");
    for (DayEffectiveness day : effectiveness.days()) {
      json.writeStartObject();
      json.writeStringField("day", day.day().toString());
      json.writeNumberField("pairs", day.pairs());
      json.writeNumberField("alphaFlows", day.flows());
      json.writeNumberField("alphaBytes", day.alphaBytes());
      json.writeNumberField("matchedBytes", day.matchedBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void list(Analysis.Result result, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("list");
    lengths(result.question().list().lengths(), json);
    json.writeNumberField("ageingDays", result.question().list().ageingDays());
    json.writeNumberField("most", result.question().list().most());
    json.writeArrayFieldStart("pairs");
    for (ListedPair one : result.chosen().list()) {
      json.writeStartObject();
      json.writeStringField("source", one.pair().source().toString());
      json.writeStringField("destination", one.pair().destination().toString());
      json.writeNumberField("alphaBytes", one.bytes());
      json.writeStringField("lastSeen", one.lastSeen().toString());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void lengths(PrefixLengths lengths, JsonGenerator json) throws IOException {
    json.writeNumberField("ipv4Length", lengths.ipv4());
    json.writeNumberField("ipv6Length", lengths.ipv6());
  }
}
