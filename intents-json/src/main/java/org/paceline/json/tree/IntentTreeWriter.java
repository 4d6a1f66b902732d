package org.paceline.json.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.document.LineAnItem;
import org.paceline.json.utility.UtilityFunctionJson;

/**
 * Writes an intent tree as a list of what each node sets itself, with the tables that it uses.
 *
 * <p>{@code class} is a node's first name and {@code intent} what follows, so that the paper's
 * (class, intent) is visible and any depth fits; the root has neither.
 */
public final class IntentTreeWriter {
  private IntentTreeWriter() {}

  /** Writes the tree with every table that it uses, for a file that stands alone. */
  public static void write(IntentTree tree, OutputStream target) throws IOException {
    write(tree, Map.of(), target);
  }

  /**
   * Writes UTF-8 and leaves the target open.
   *
   * @param known tables that the reader has already; those that equal theirs are left out
   */
  public static void write(IntentTree tree, Map<String, UtilityFunction> known, OutputStream target)
      throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(target)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeObjectFieldStart("utilityFunctions");
      Map<String, UtilityFunction> tables = new TreeMap<>();
      for (Policy policy : tree.policies().values()) {
        policy
            .functions()
            .filter(function -> !known.containsValue(function))
            .forEach(function -> put(tables, function));
      }
      for (UtilityFunction function : tables.values()) {
        json.writeRaw('\n');
        json.writeFieldName(function.name());
        UtilityFunctionJson.write(json, function);
      }
      json.writeEndObject();
      json.writeArrayFieldStart("intents");
      json.writeRaw('\n');
      json.setPrettyPrinter(new LineAnItem());
      for (Map.Entry<IntentPath, Policy> node : tree.policies().entrySet()) {
        node(json, node.getKey(), node.getValue());
      }
      json.writeRaw('\n');
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  /** Writes what one node sets, as UTF-8; leaves the target open. */
  public static void write(Policy policy, OutputStream target) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(target)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      members(json, policy);
      json.writeEndObject();
    }
  }

  private static void put(Map<String, UtilityFunction> tables, UtilityFunction function) {
    UtilityFunction other = tables.putIfAbsent(function.name(), function);
    if (other != null && !other.equals(function)) {
      throw new IllegalArgumentException(
          "Two different utility functions are called ("
              + function.name()
              + "). Maybe rename one.");
    }
  }

  private static void node(JsonGenerator json, IntentPath path, Policy policy) throws IOException {
    json.writeStartObject();
    List<String> names = path.names();
    if (!names.isEmpty()) {
      json.writeStringField("class", names.get(0));
    }
    if (names.size() > 1) {
      json.writeStringField("intent", String.join("/", names.subList(1, names.size())));
    }
    members(json, policy);
    json.writeEndObject();
  }

  private static void members(JsonGenerator json, Policy policy) throws IOException {
    if (policy.utilityFunction().isPresent()) {
      json.writeStringField("utilityFunction", policy.utilityFunction().get().name());
    }
    if (policy.uploadFunction().isPresent()) {
      json.writeStringField("uploadUtilityFunction", policy.uploadFunction().get().name());
    }
    if (policy.minimumRate().isPresent()) {
      json.writeFieldName("minimumRateKbps");
      json.writeNumber(UtilityFunctionJson.plain(policy.minimumRate().get().kilobitsPerSecond()));
    }
    if (policy.maximumRate().isPresent()) {
      json.writeFieldName("maximumRateKbps");
      json.writeNumber(UtilityFunctionJson.plain(policy.maximumRate().get().kilobitsPerSecond()));
    }
    Optional<Integer> priority = policy.priority();
    if (priority.isPresent()) {
      json.writeNumberField("priority", priority.get().intValue());
    }
    if (policy.scheme().isPresent()) {
      json.writeStringField("scheme", policy.scheme().get().word());
    }
    Optional<Integer> classWeight = policy.classWeight();
    if (classWeight.isPresent()) {
      json.writeNumberField("classWeight", classWeight.get().intValue());
    }
    if (policy.kpiModel().isPresent()) {
      json.writeStringField("kpiModel", policy.kpiModel().get().word());
    }
  }
}
