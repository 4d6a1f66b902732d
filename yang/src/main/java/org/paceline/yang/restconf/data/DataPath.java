package org.paceline.yang.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.QNameModule;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;
import org.paceline.yang.LeafValue;
import org.paceline.yang.ModelNodes;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/** The path of a data resource (RFC 8040, section 3.5.3), each step a node of the model. */
public final class DataPath {
  /** A step; without keys where the node is no list, or the whole list is meant. */
  static final class Step {
    final DataSchemaNode node;

    /** As a member of its parent: with its module's name where the parent's is another. */
    final String member;

    final List<String> keys;

    Step(DataSchemaNode node, String member, List<String> keys) {
      this.node = node;
      this.member = member;
      this.keys = keys;
    }

    boolean isEntry() {
      return node instanceof ListSchemaNode && !keys.isEmpty();
    }

    String keyName(int index) {
      return ((ListSchemaNode) node).getKeyDefinition().get(index).getLocalName();
    }

    /** As a member of the entry: a number where the model has one. */
    JsonElement key(int index) {
      ListSchemaNode list = (ListSchemaNode) node;
      DataSchemaNode key = list.findDataTreeChild(list.getKeyDefinition().get(index)).orElseThrow();
      return LeafValue.of(((TypedDataSchemaNode) key).getType(), keys.get(index));
    }

    boolean names(JsonObject entry) {
      for (int k = 0; k < keys.size(); k++) {
        JsonElement value = entry.get(keyName(k));
        if (value == null || !same(value.getAsString(), keys.get(k))) {
          return false;
        }
      }
      return true;
    }

    /** A decimal key may be written in more than one way. */
    private static boolean same(String value, String key) {
      if (value.equals(key)) {
        return true;
      }
      try {
        return new BigDecimal(value).compareTo(new BigDecimal(key)) == 0;
      } catch (NumberFormatException notBoth) {
        return false;
      }
    }
  }

  private final EffectiveModelContext model;
  private final List<Step> steps;

  private DataPath(EffectiveModelContext model, List<Step> steps) {
    this.model = model;
    this.steps = steps;
  }

  /**
   * @throws RestconfError if a segment names no node of the model or has not all keys
   */
  public static DataPath parse(EffectiveModelContext model, List<String> segments) {
    DataPath path = new DataPath(model, List.of());
    for (String segment : segments) {
      try {
        path = path.child(segment);
      } catch (RestconfError e) {
        throw e.in(path.identifier());
      }
    }
    return path;
  }

  DataPath child(String segment) {
    int equals = segment.indexOf('=');
    String name = Request.decode(equals < 0 ? segment : segment.substring(0, equals));
    DataSchemaNode node = find(container(), module(), name);
    List<String> keys = new ArrayList<>();
    if (equals >= 0) {
      for (String key : segment.substring(equals + 1).split(",", -1)) {
        keys.add(Request.decode(key));
      }
      int expected =
          node instanceof ListSchemaNode ? ((ListSchemaNode) node).getKeyDefinition().size() : 0;
      if (keys.size() != expected) {
        throw RestconfError.invalid(
            "(" + segment + ") has " + keys.size() + " keys where there are " + expected + ".");
      }
    } else if (!steps.isEmpty() && last().node instanceof ListSchemaNode && !last().isEntry()) {
      throw RestconfError.invalid("(" + last().member + ") is a list. Maybe give it its keys.");
    }
    List<Step> longer = new ArrayList<>(steps);
    longer.add(
        new Step(node, ModelNodes.member(model, module(), node.getQName()), List.copyOf(keys)));
    return new DataPath(model, List.copyOf(longer));
  }

  /** The child that a client named, with or without its module. */
  private DataSchemaNode find(DataNodeContainer parent, Optional<QNameModule> in, String name) {
    int colon = name.indexOf(':');
    Optional<QNameModule> module =
        colon < 0
            ? in
            : model.findModules(name.substring(0, colon)).stream()
                .findFirst()
                .map(m -> m.getQNameModule());
    return module
        .flatMap(m -> named(parent, m, name.substring(colon + 1)))
        .orElseThrow(
            () ->
                RestconfError.missing(
                    "The model has no node ("
                        + name
                        + ")"
                        + (steps.isEmpty() ? "" : " in (" + last().member + ")")
                        + (module.isEmpty() ? ". Maybe write module:name." : ".")));
  }

  private static Optional<DataSchemaNode> named(
      DataNodeContainer parent, QNameModule module, String name) {
    try {
      return parent.findDataTreeChild(QName.create(module, name));
    } catch (IllegalArgumentException noName) {
      return Optional.empty();
    }
  }

  private DataNodeContainer container() {
    if (steps.isEmpty()) {
      return model;
    }
    if (last().node instanceof DataNodeContainer) {
      return (DataNodeContainer) last().node;
    }
    throw RestconfError.missing("(" + last().member + ") is a leaf: nothing is in it.");
  }

  /** What its children are in; nothing is in a leaf. */
  Optional<DataNodeContainer> schema() {
    if (steps.isEmpty()) {
      return Optional.of(model);
    }
    return Optional.of(last().node)
        .filter(DataNodeContainer.class::isInstance)
        .map(DataNodeContainer.class::cast);
  }

  Optional<QNameModule> module() {
    return steps.isEmpty() ? Optional.empty() : Optional.of(last().node.getQName().getModule());
  }

  boolean isRoot() {
    return steps.isEmpty();
  }

  List<Step> steps() {
    return steps;
  }

  Step last() {
    return steps.get(steps.size() - 1);
  }

  DataPath parent() {
    return new DataPath(model, steps.subList(0, steps.size() - 1));
  }

  /** The last node's name with its module, as bodies are headed. */
  String heading() {
    return ModelNodes.member(model, Optional.empty(), last().node.getQName());
  }

  /** What the data hold here. */
  Optional<JsonElement> in(JsonObject data) {
    JsonElement at = data;
    for (Step step : steps) {
      JsonElement child = at.getAsJsonObject().get(step.member);
      if (child != null && step.isEntry()) {
        child = entry(child.getAsJsonArray(), step).orElse(null);
      }
      if (child == null) {
        return Optional.empty();
      }
      at = child;
    }
    return Optional.of(at);
  }

  static Optional<JsonElement> entry(JsonArray list, Step step) {
    for (JsonElement entry : list) {
      if (step.names(entry.getAsJsonObject())) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** Data that hold nothing but the path and, in its last node, these members. */
  JsonObject around(JsonObject members) {
    JsonObject inner = members;
    for (int s = steps.size() - 1; s >= 0; s--) {
      Step step = steps.get(s);
      if (step.node instanceof LeafListSchemaNode
          || (step.node instanceof ListSchemaNode && !step.isEntry())) {
        throw RestconfError.invalid("(" + step.member + ") is a list. Maybe give it its keys.");
      }
      JsonObject outer = new JsonObject();
      if (step.isEntry()) {
        JsonObject entry = new JsonObject();
        for (int k = 0; k < step.keys.size(); k++) {
          entry.add(step.keyName(k), step.key(k));
        }
        for (String member : inner.keySet()) {
          if (entry.has(member.substring(member.indexOf(':') + 1))) {
            throw RestconfError.invalidData("The key (" + member + ") stands in the path already.");
          }
          entry.add(member, inner.get(member));
        }
        JsonArray list = new JsonArray();
        list.add(entry);
        outer.add(step.member, list);
      } else {
        outer.add(step.member, inner);
      }
      inner = outer;
    }
    return inner;
  }

  /** As an instance identifier in JSON (RFC 7951, section 6.11); empty for the root. */
  String identifier() {
    StringBuilder identifier = new StringBuilder();
    for (Step step : steps) {
      identifier.append('/').append(step.member);
      for (int k = 0; k < step.keys.size(); k++) {
        identifier.append(ModelNodes.predicate(step.keyName(k), step.keys.get(k)));
      }
    }
    return identifier.toString();
  }

  static String encode(String key) {
    return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** As a client writes it, below the API's data. */
  @Override
  public String toString() {
    return steps.stream()
        .map(
            step ->
                step.member
                    + (step.keys.isEmpty()
                        ? ""
                        : step.keys.stream()
                            .map(DataPath::encode)
                            .collect(Collectors.joining(",", "=", ""))))
        .collect(Collectors.joining("/"));
  }
}
