package org.paceline.onos.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;
import org.paceline.control.UseCases;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.LastStart;

/** What the resources share: the use cases, and units as JSON numbers. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static UseCases useCases() {
    try {
      return DefaultServiceDirectory.getService(UseCases.class);
    } catch (ServiceNotFoundException notStarted) {
      throw new Problems.Unavailable(
          "Paceline has not started. "
              + LastStart.failure().orElse("Maybe it is about to: ask again in a few seconds."),
          notStarted);
    }
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static JsonNode read(InputStream body) {
    try {
      JsonNode node = MAPPER.readTree(body);
      if (node == null || !node.isObject()) {
        throw new IllegalArgumentException("The body must be a JSON object.");
      }
      return node;
    } catch (IOException e) {
      throw new IllegalArgumentException("The body is not JSON: " + e.getMessage(), e);
    }
  }

  static double kbps(DataRate rate) {
    return rate.kilobitsPerSecond().doubleValue();
  }

  /** Milliseconds since 1970, to the microsecond. */
  static double millis(Instant time) {
    return time.getEpochSecond() * 1e3 + time.getNano() / 1_000 / 1e3;
  }

  static ArrayNode path(Path path) {
    ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
    path.nodes().forEach(nodes::add);
    return nodes;
  }
}
