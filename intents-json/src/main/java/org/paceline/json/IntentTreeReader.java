package org.paceline.json;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** Reads an intent tree as {@link IntentTreeWriter} writes it, or finds every fault that it has. */
public final class IntentTreeReader {
  private static final int MAX_NODES = 100_000;
  private static final BigDecimal GREATEST_WEIGHT = BigDecimal.valueOf(1_000_000_000L);

  private final JsonCursor json;
  private final Map<String, UtilityFunction> functions;
  private final UtilityFunctionJson tables;
  private final Map<IntentPath, Node> nodes = new TreeMap<>();

  private IntentTreeReader(JsonCursor json, Map<String, UtilityFunction> known) {
    this.json = json;
    this.functions = new HashMap<>(known);
    this.tables = new UtilityFunctionJson(json);
  }

  /**
   * @param known tables that the document may name without giving them, such as the catalogue's
   * @throws IOException if the source cannot be read; what is wrong with its content is in the
   *     reading
   */
  public static Reading<IntentTree> read(InputStream source, Map<String, UtilityFunction> known)
      throws IOException {
    return JsonDocument.read(source, json -> new IntentTreeReader(json, known).document());
  }

  private Optional<IntentTree> document() throws IOException {
    if (!json.object(this::member)) {
      return Optional.empty();
    }
    Node root = nodes.get(IntentPath.ROOT);
    if (root == null || root.function.isEmpty()) {
      json.faultAt(
          root == null ? "/intents" : root.place,
          "the root, which has neither class nor intent, needs a utilityFunction: it serves every"
              + " conversation without one.");
    }
    Map<IntentPath, Policy> policies = new TreeMap<>();
    for (Map.Entry<IntentPath, Node> node : nodes.entrySet()) {
      node.getValue().policy().ifPresent(policy -> policies.put(node.getKey(), policy));
    }
    return json.faultless() ? planted(policies) : Optional.empty();
  }

  /** In the order of paths a node comes after its ancestors. */
  private Optional<IntentTree> planted(Map<IntentPath, Policy> policies) throws IOException {
    Policy root = policies.getOrDefault(IntentPath.ROOT, Policy.INHERIT_ALL);
    IntentTree tree = IntentTree.withDefault(root.utilityFunction().orElseThrow());
    for (Map.Entry<IntentPath, Policy> node : policies.entrySet()) {
      try {
        tree = tree.with(node.getKey(), node.getValue());
      } catch (IllegalArgumentException e) {
        Node at = nodes.get(node.getKey());
        json.faultAt(at == null ? "" : at.place, String.valueOf(e.getMessage()));
      }
    }
    return json.faultless() ? Optional.of(tree) : Optional.empty();
  }

  private boolean member(String member) throws IOException {
    switch (member) {
      case "utilityFunctions":
        json.object(
            name -> {
              tables.read(name).ifPresent(function -> functions.put(name, function));
              return true;
            });
        return true;
      case "intents":
        json.array(MAX_NODES, "Maybe let nodes inherit more.", index -> new Node().read());
        return true;
      case "description":
        json.skip();
        return true;
      default:
        return false;
    }
  }

  private final class Node {
    private final String place = json.place();
    private Optional<String> applicationClass = Optional.empty();
    private Optional<String> intent = Optional.empty();
    private Optional<String> function = Optional.empty();
    private Optional<DataRate> minimumRate = Optional.empty();
    private Optional<DataRate> maximumRate = Optional.empty();
    private Optional<Double> weight = Optional.empty();
    private Optional<Integer> priority = Optional.empty();

    void read() throws IOException {
      if (!json.object(this::member)) {
        return;
      }
      if (applicationClass.isEmpty() && intent.isPresent()) {
        json.faultAt(place, "has an intent but no class. Maybe give its class too.");
        return;
      }
      String path = applicationClass.orElse("") + intent.map(below -> "/" + below).orElse("");
      try {
        Node other = nodes.putIfAbsent(IntentPath.parse(path), this);
        if (other != null) {
          json.faultAt(place, "is the same intent as " + other.place + ". Maybe join the two.");
        }
      } catch (IllegalArgumentException e) {
        json.faultAt(place, Quoted.shortened(String.valueOf(e.getMessage())));
      }
    }

    private boolean member(String member) throws IOException {
      switch (member) {
        case "class":
          applicationClass = json.name();
          return true;
        case "intent":
          intent = json.name();
          return true;
        case "utilityFunction":
          function = json.name();
          return true;
        case "minimumRateKbps":
          minimumRate = Quantities.rate(json);
          return true;
        case "maximumRateKbps":
          maximumRate = Quantities.rate(json);
          return true;
        case "weight":
          weight =
              json.number(BigDecimal.ZERO, GREATEST_WEIGHT, "be above 0, up to " + GREATEST_WEIGHT)
                  .map(BigDecimal::doubleValue);
          return true;
        case "priority":
          priority = json.wholeNumber(-1_000_000, 1_000_000, "from -1000000 to 1000000");
          return true;
        case "description":
          json.skip();
          return true;
        default:
          return false;
      }
    }

    Optional<Policy> policy() throws IOException {
      Policy.Builder policy = Policy.builder();
      if (function.isPresent()) {
        UtilityFunction table = functions.get(function.get());
        if (table == null) {
          json.faultAt(
              place + "/utilityFunction",
              "names " + Quoted.of(function.get()) + ", which is no utility function.");
          return Optional.empty();
        }
        policy.utilityFunction(table);
      }
      minimumRate.ifPresent(policy::minimumRate);
      maximumRate.ifPresent(policy::maximumRate);
      weight.ifPresent(policy::weight);
      priority.ifPresent(policy::priority);
      try {
        return Optional.of(policy.build());
      } catch (IllegalArgumentException e) {
        json.faultAt(place, String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }
  }
}
