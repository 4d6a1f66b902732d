package org.paceline.json.problem;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.utility.UtilityFunctionJson;

/**
 * Writes an allocation problem as {@link ProblemReader} reads it, for benchmarks and bug reports.
 */
public final class ProblemWriter {
  private ProblemWriter() {}

  /** Writes the problem as UTF-8 and leaves the target open. */
  public static void write(Problem problem, OutputStream target) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(target)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("name", problem.name());
      json.writeFieldName("epsilon");
      json.writeNumber(
          UtilityFunctionJson.plain(BigDecimal.valueOf(problem.epsilonBillionths(), 9)));
      json.writeBooleanField(
          "sameUtilityPerType", problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE);
      json.writeArrayFieldStart("nodes");
      for (String node : problem.network().nodes()) {
        json.writeString(node);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("links");
      for (Link link : problem.network().links()) {
        write(json, link);
      }
      json.writeEndArray();
      Map<String, UtilityFunction> functions = new TreeMap<>();
      problem.applications().stream()
          .map(Application::utilityFunction)
          .forEach(function -> functions.putIfAbsent(function.name(), function));
      json.writeObjectFieldStart("utilityFunctions");
      for (UtilityFunction function : functions.values()) {
        json.writeFieldName(function.name());
        UtilityFunctionJson.write(json, function);
      }
      json.writeEndObject();
      json.writeArrayFieldStart("applications");
      for (Application application : problem.applications()) {
        write(json, application);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void write(JsonGenerator json, Link link) throws IOException {
    json.writeStartObject();
    json.writeStringField("from", link.from());
    json.writeStringField("to", link.to());
    json.writeFieldName("capacityKbps");
    json.writeNumber(UtilityFunctionJson.plain(link.capacity().kilobitsPerSecond()));
    LinkDelay delay = link.delay();
    json.writeArrayFieldStart("usageKbps");
    for (int point = 0; point < delay.points(); point++) {
      json.writeNumber(UtilityFunctionJson.plain(delay.load(point).kilobitsPerSecond()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("delayMs");
    for (int point = 0; point < delay.points(); point++) {
      json.writeNumber(UtilityFunctionJson.plain(delay.delay(point).millis()));
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Application application) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", application.id());
    json.writeStringField("from", application.from());
    json.writeStringField("to", application.to());
    json.writeStringField("utilityFunction", application.utilityFunction().name());
    if (application.count() > 1) {
      json.writeNumberField("count", application.count());
    }
    if (application.priority() != 0) {
      json.writeNumberField("priority", application.priority());
    }
    json.writeEndObject();
  }
}
