package org.paceline.northbound.rest.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.NamedTables;
import org.paceline.json.document.Fault;
import org.paceline.json.document.Reading;
import org.paceline.json.tree.IntentTreeReader;
import org.paceline.json.tree.IntentTreeWriter;
import org.paceline.northbound.rest.view.Json;

/** Intent trees as JSON, the whole or one node's policy. */
final class IntentsText {
  /** What a node may set. */
  private static final Set<String> MEMBERS =
      Set.of(
          "utilityFunction",
          "uploadUtilityFunction",
          "minimumRateKbps",
          "maximumRateKbps",
          "priority",
          "scheme",
          "classWeight",
          "kpiModel",
          "description");

  private IntentsText() {}

  /** With every table that the tree uses. */
  static String json(IntentTree tree) {
    return json(tree, Map.of());
  }

  /** Without the tables that every Paceline has: for a file that people read. */
  static String brief(IntentTree tree) {
    return json(tree, NamedTables.all());
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
    return read(Json.text(body), NamedTables.all());
  }

  /** What one node sets, as {@link #policy} reads it. */
  static String json(Policy policy) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      IntentTreeWriter.write(policy, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse bytes", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /**
   * What a node sets after a JSON merge patch (RFC 7396) of what it sets now.
   *
   * @param tree whose tables the patch may name, too
   * @throws IllegalArgumentException with every fault
   */
  static Policy patched(Policy now, String patch, IntentTree tree) {
    JsonNode changes = node(patch);
    ObjectNode whole = (ObjectNode) Json.parse(json(now));
    changes
        .fieldNames()
        .forEachRemaining(
            member -> {
              if (!changes.path(member).isNull()) {
                whole.set(member, changes.path(member));
              } else if (MEMBERS.contains(member)) {
                whole.remove(member);
              } else {
                throw new IllegalArgumentException(
                    "There is no member "
                        + Quoted.of(member)
                        + ". Maybe one of "
                        + new TreeSet<>(MEMBERS)
                        + ".");
              }
            });
    return policy(whole, tree);
  }

  /**
   * What one node sets: the members of a node in an intents document, but for its name.
   *
   * @param now whose tables it may name, too
   * @throws IllegalArgumentException with every fault
   */
  static Policy policy(byte[] body, IntentTree now) {
    return policy(node(Json.text(body)), now);
  }

  private static ObjectNode node(String text) {
    JsonNode node = Json.read(text);
    if (!node.isObject() || node.has("class") || node.has("intent")) {
      throw new IllegalArgumentException(
          "The body must be a JSON object without class and intent: the address names the node.");
    }
    return (ObjectNode) node;
  }

  private static Policy policy(ObjectNode node, IntentTree now) {
    Map<String, UtilityFunction> known = new HashMap<>(NamedTables.all());
    now.policies()
        .values()
        .forEach(policy -> policy.functions().forEach(f -> known.put(f.name(), f)));
    return good(
        () -> IntentTreeReader.readPolicy(stream(node.toString()), DocumentLimits.REQUEST, known));
  }

  private static IntentTree read(String text, Map<String, UtilityFunction> known) {
    return good(() -> IntentTreeReader.read(stream(text), DocumentLimits.REQUEST, known));
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads from memory. */
  private interface Reader<T> {
    Reading<T> read() throws IOException;
  }

  private static <T> T good(Reader<T> reader) {
    try {
      Reading<T> reading = reader.read();
      T value = reading.orElseThrow();
      // What somebody wrote and nobody reads would seem to be in force.
      if (!reading.warnings().isEmpty()) {
        throw new IllegalArgumentException(
            reading.warnings().stream().map(Fault::toString).collect(Collectors.joining("\n")));
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse to be read", e);
    }
  }
}
