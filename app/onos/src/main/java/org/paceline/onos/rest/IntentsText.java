package org.paceline.onos.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.Catalogue;
import org.paceline.json.Fault;
import org.paceline.json.IntentTreeReader;
import org.paceline.json.IntentTreeWriter;
import org.paceline.json.Reading;

/** Intent trees as JSON, the whole or one node's policy. */
final class IntentsText {
  private static final String NODE = "node";

  private IntentsText() {}

  /** With every table that the tree uses. */
  static String json(IntentTree tree) {
    return json(tree, Map.of());
  }

  /** Without the tables that every Paceline has: for a file that people read. */
  static String brief(IntentTree tree) {
    return json(tree, Catalogue.load());
  }

  private static String json(IntentTree tree, Map<String, UtilityFunction> known) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      IntentTreeWriter.write(tree, known, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse bytes", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /**
   * @throws IllegalArgumentException with every fault
   */
  static IntentTree read(byte[] body) {
    Json.mustBeShallow(text(body));
    return read(body, Catalogue.load());
  }

  /**
   * What one node sets: the members of a node in an intents document, but for its name.
   *
   * @param now whose tables it may name, too
   * @throws IllegalArgumentException with every fault
   */
  static Policy policy(byte[] body, IntentTree now) {
    JsonNode node = Json.parse(text(body));
    if (!node.isObject() || node.has("class") || node.has("intent")) {
      throw new IllegalArgumentException(
          "The body must be a JSON object without class and intent: the address names the node.");
    }
    Map<String, UtilityFunction> known = new HashMap<>(Catalogue.load());
    now.policies()
        .values()
        .forEach(policy -> policy.utilityFunction().ifPresent(f -> known.put(f.name(), f)));
    ObjectNode document = Json.object();
    ArrayNode intents = document.putArray("intents");
    intents.addObject().put("utilityFunction", known.keySet().iterator().next());
    ((ObjectNode) node).put("class", NODE);
    intents.add(node);
    byte[] whole = document.toString().getBytes(StandardCharsets.UTF_8);
    return read(whole, known).policies().getOrDefault(IntentPath.parse(NODE), Policy.INHERIT_ALL);
  }

  static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static IntentTree read(byte[] body, Map<String, UtilityFunction> known) {
    try {
      Reading<IntentTree> reading = IntentTreeReader.read(new ByteArrayInputStream(body), known);
      IntentTree tree = reading.orElseThrow();
      // What somebody wrote and nobody reads would seem to be in force.
      if (!reading.warnings().isEmpty()) {
        throw new IllegalArgumentException(
            reading.warnings().stream().map(Fault::toString).collect(Collectors.joining("\n")));
      }
      return tree;
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse to be read", e);
    }
  }
}
