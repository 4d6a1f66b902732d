package org.paceline.json.tree;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.document.Fields;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.JsonDocument;
import org.paceline.json.document.Quantities;
import org.paceline.json.document.Reading;
import org.paceline.json.utility.UtilityFunctionJson;

/** Reads an intent tree as {@link IntentTreeWriter} writes it, or finds every fault that it has. */
public final class IntentTreeReader {
  private static final int MAX_NODES = 100_000;

  /** Trees that were stored before it went may have it still: it is passed over. */
  private static final String WEIGHT_IS_GONE =
      "is no longer known: it changed nothing. Maybe leave it out, or say by a priority who gives"
          + " way last.";

  private final JsonCursor json;
  private final Map<String, UtilityFunction> functions;
  private final UtilityFunctionJson tables;
  private final Map<IntentPath, Node> nodes = new TreeMap<>();
  private final Fields fields;
  private final Fields.Field<String> applicationClass;
  private final Fields.Field<String> intent;
  private final Fields.Field<String> functionName;
  private final Fields.Field<String> uploadFunctionName;
  private final Fields.Field<DataRate> minimum;
  private final Fields.Field<DataRate> maximum;
  private final Fields.Field<Integer> priorityNumber;
  private final Fields.Field<SchemeName> schemeName;
  private final Fields.Field<Integer> classWeightNumber;
  private final Fields.Field<KpiModel> kpiModelName;

  private IntentTreeReader(JsonCursor json, Map<String, UtilityFunction> known) {
    this.json = json;
    this.functions = new HashMap<>(known);
    this.tables = new UtilityFunctionJson(json);
    this.fields = new Fields(json).remark("description").dropped("weight", WEIGHT_IS_GONE);
    this.applicationClass = fields.maybe("class", JsonCursor::name);
    this.intent = fields.maybe("intent", JsonCursor::name);
    this.functionName = fields.maybe("utilityFunction", JsonCursor::name);
    this.uploadFunctionName = fields.maybe("uploadUtilityFunction", JsonCursor::name);
    this.minimum = fields.maybe("minimumRateKbps", Quantities::rate);
    this.maximum = fields.maybe("maximumRateKbps", Quantities::rate);
    this.priorityNumber =
        fields.maybe(
            "priority",
            cursor -> cursor.wholeNumber(-1_000_000, 1_000_000, "from -1000000 to 1000000"));
    this.schemeName =
        fields.maybe(
            "scheme", cursor -> word(cursor, SchemeName::tryParse, "scheme", SchemeName.words()));
    this.classWeightNumber =
        fields.maybe(
            "classWeight",
            cursor ->
                cursor.wholeNumber(
                    1, Policy.GREATEST_CLASS_WEIGHT, "from 1 to " + Policy.GREATEST_CLASS_WEIGHT));
    this.kpiModelName =
        fields.maybe(
            "kpiModel", cursor -> word(cursor, KpiModel::tryParse, "KPI model", KpiModel.words()));
  }

  private static <T> Optional<T> word(
      JsonCursor cursor, Function<String, Optional<T>> parse, String what, String words)
      throws IOException {
    Optional<String> word = cursor.name();
    Optional<T> found = word.flatMap(parse);
    if (word.isPresent() && found.isEmpty()) {
      cursor.fault(
          "names "
              + Quoted.of(word.get())
              + ", which is no "
              + what
              + ". Maybe one of "
              + words
              + ".");
    }
    return found;
  }

  /**
   * @param limits how much the document may hold
   * @param known tables that the document may name without giving them, such as the catalogue's
   * @throws IOException if the source cannot be read; what is wrong with its content is in the
   *     reading
   */
  public static Reading<IntentTree> read(
      InputStream source, DocumentLimits limits, Map<String, UtilityFunction> known)
      throws IOException {
    return JsonDocument.read(source, limits, json -> new IntentTreeReader(json, known).document());
  }

  /**
   * Reads what one node sets, as {@link IntentTreeWriter} writes it; whether a tree can have it
   * there, the tree says.
   *
   * @param known tables that the node may name
   * @throws IOException if the source cannot be read; what is wrong with its content is in the
   *     reading
   */
  public static Reading<Policy> readPolicy(
      InputStream source, DocumentLimits limits, Map<String, UtilityFunction> known)
      throws IOException {
    return JsonDocument.read(source, limits, json -> new IntentTreeReader(json, known).policy());
  }

  private Optional<Policy> policy() throws IOException {
    String place = json.place();
    return fields.read() ? new Node(place).policy() : Optional.empty();
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

  private Optional<IntentTree> planted(Map<IntentPath, Policy> policies) throws IOException {
    Map<IntentPath, String> unusable = new TreeMap<>();
    IntentTree tree = IntentTree.of(policies, unusable::put);
    for (Map.Entry<IntentPath, String> node : unusable.entrySet()) {
      Node at = nodes.get(node.getKey());
      json.faultAt(at == null ? "" : at.place, node.getValue());
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
        json.array(MAX_NODES, "Maybe let nodes inherit more.", index -> node());
        return true;
      case "description":
        json.skip();
        return true;
      default:
        return false;
    }
  }

  private void node() throws IOException {
    String place = json.place();
    if (!fields.read()) {
      return;
    }
    if (applicationClass.value().isEmpty() && intent.value().isPresent()) {
      json.faultAt(place, "has an intent but no class. Maybe give its class too.");
      return;
    }
    String path =
        applicationClass.value().orElse("") + intent.value().map(below -> "/" + below).orElse("");
    try {
      Node other = nodes.putIfAbsent(IntentPath.parse(path), new Node(place));
      if (other != null) {
        json.faultAt(place, "is the same intent as " + other.place + ". Maybe join the two.");
      }
    } catch (IllegalArgumentException e) {
      json.faultAt(place, Quoted.shortened(String.valueOf(e.getMessage())));
    }
  }

  /** A node as it stands in the document; its function may stand after it. */
  private final class Node {
    private final String place;
    private final Optional<String> function = functionName.value();
    private final Optional<String> uploadFunction = uploadFunctionName.value();
    private final Optional<DataRate> minimumRate = minimum.value();
    private final Optional<DataRate> maximumRate = maximum.value();
    private final Optional<Integer> priority = priorityNumber.value();
    private final Optional<SchemeName> scheme = schemeName.value();
    private final Optional<Integer> classWeight = classWeightNumber.value();
    private final Optional<KpiModel> kpiModel = kpiModelName.value();

    Node(String place) {
      this.place = place;
    }

    Optional<Policy> policy() throws IOException {
      Policy.Builder policy = Policy.builder();
      boolean areKnown =
          table("utilityFunction", function, policy::utilityFunction)
              & table("uploadUtilityFunction", uploadFunction, policy::uploadFunction);
      if (!areKnown) {
        return Optional.empty();
      }
      minimumRate.ifPresent(policy::minimumRate);
      maximumRate.ifPresent(policy::maximumRate);
      priority.ifPresent(policy::priority);
      scheme.ifPresent(policy::scheme);
      classWeight.ifPresent(policy::classWeight);
      kpiModel.ifPresent(policy::kpiModel);
      try {
        return Optional.of(policy.build());
      } catch (IllegalArgumentException e) {
        json.faultAt(place, String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }

    /** False where the member names a table that is none. */
    private boolean table(String member, Optional<String> name, Consumer<UtilityFunction> set)
        throws IOException {
      Optional<UtilityFunction> table = name.map(functions::get);
      table.ifPresent(set);
      if (name.isPresent() && table.isEmpty()) {
        json.faultAt(
            place + "/" + member,
            "names " + Quoted.of(name.get()) + ", which is no utility function.");
        return false;
      }
      return true;
    }
  }
}
