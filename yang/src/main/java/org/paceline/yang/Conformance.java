package org.paceline.yang;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.QNameModule;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.ElementCountConstraint;
import org.opendaylight.yangtools.yang.model.api.ElementCountConstraintAware;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.MandatoryAware;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.type.LeafrefTypeDefinition;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/**
 * Holds JSON against the model before yangtools reads it. Yangtools takes {@code "3"} for a number,
 * and what it says of a fault is about its own classes; here each refusal names the node.
 */
public final class Conformance {
  private final EffectiveModelContext model;
  private final SchemaInferenceStack at;

  private Conformance(EffectiveModelContext model) {
    this.model = model;
    this.at = SchemaInferenceStack.of(model);
  }

  /**
   * Whether all members are the model's and have values of their types; any may be absent.
   *
   * @throws Misfit if not
   */
  public static void requireNodes(EffectiveModelContext model, JsonObject data) {
    new Conformance(model).members(model, Optional.empty(), data, "");
  }

  /**
   * The same of an operation's input, which must be complete, too.
   *
   * @param path of the input
   * @throws Misfit if not
   */
  public static void requireInput(
      EffectiveModelContext model, RpcDefinition operation, JsonObject input, String path) {
    Conformance check = new Conformance(model);
    check.at.enterSchemaTree(operation.getQName());
    check.at.enterSchemaTree(operation.getInput().getQName());
    Optional<QNameModule> module = Optional.of(operation.getQName().getModule());
    check.members(operation.getInput(), module, input, path);
    check.complete(operation.getInput(), module, input, path);
  }

  /**
   * Whether everything mandatory is there, in data whose members are right.
   *
   * @throws Misfit if not
   */
  public static void requireComplete(EffectiveModelContext model, JsonObject data) {
    Conformance check = new Conformance(model);
    for (DataSchemaNode top : ModelNodes.children(model)) {
      String member = ModelNodes.member(model, Optional.empty(), top.getQName());
      if (data.has(member)) {
        check.completeNode(top, member, data.get(member), "/" + member);
      }
    }
  }

  private void members(
      DataNodeContainer node, Optional<QNameModule> module, JsonObject members, String path) {
    Set<QName> seen = new HashSet<>();
    for (Map.Entry<String, JsonElement> member : members.entrySet()) {
      DataSchemaNode child = child(node, module, member.getKey(), path);
      String name = ModelNodes.member(model, module, child.getQName());
      if (!seen.add(child.getQName())) {
        throw Misfit.value(path, "(" + name + ") is given twice.");
      }
      at.enterDataTree(child.getQName());
      value(child, name, member.getValue(), path + "/" + name);
      at.exitToDataTree();
    }
  }

  private DataSchemaNode child(
      DataNodeContainer node, Optional<QNameModule> module, String name, String path) {
    List<String> known = new ArrayList<>();
    for (DataSchemaNode child : ModelNodes.children(node)) {
      String member = ModelNodes.member(model, module, child.getQName());
      if (member.equals(name)
          || ModelNodes.member(model, Optional.empty(), child.getQName()).equals(name)) {
        return child;
      }
      known.add(member);
    }
    throw new Misfit(
        Misfit.Kind.UNKNOWN_ELEMENT,
        path,
        "There is no member ("
            + LeafValue.brief(name)
            + ") in "
            + (path.isEmpty() ? "the datastore" : path)
            + ". Maybe one of "
            + known
            + ".");
  }

  private void value(DataSchemaNode node, String name, JsonElement value, String path) {
    if (node instanceof ListSchemaNode) {
      ListSchemaNode list = (ListSchemaNode) node;
      Set<List<String>> seen = new HashSet<>();
      for (JsonElement each : array(name, value, path)) {
        JsonObject entry = object(name, each, path);
        entry(list, name, entry, path, seen);
      }
    } else if (node instanceof TypedDataSchemaNode) {
      TypeDefinition<?> type = type((TypedDataSchemaNode) node);
      if (node instanceof ElementCountConstraintAware) {
        array(name, value, path).forEach(each -> LeafValue.require(type, name, each, path));
      } else {
        LeafValue.require(type, name, value, path);
      }
    } else if (node instanceof DataNodeContainer) {
      members((DataNodeContainer) node, module(node), object(name, value, path), path);
    }
  }

  private void entry(
      ListSchemaNode list, String name, JsonObject entry, String path, Set<List<String>> seen) {
    String here = path + predicates(list, entry);
    members(list, module(list), entry, here);
    List<String> keys = new ArrayList<>();
    for (QName key : list.getKeyDefinition()) {
      JsonElement held =
          held(entry, key)
              .orElseThrow(
                  () ->
                      new Misfit(
                          Misfit.Kind.MISSING_ELEMENT,
                          path,
                          "An entry of ("
                              + name
                              + ") lacks its key ("
                              + key.getLocalName()
                              + ")."));
      keys.add(LeafValue.canonical(held.getAsString()));
    }
    if (!keys.isEmpty() && !seen.add(keys)) {
      throw Misfit.value(here, "Two entries of (" + name + ") have the keys " + keys + ".");
    }
  }

  /** The entry's keys as far as it has them. */
  private String predicates(ListSchemaNode list, JsonObject entry) {
    return list.getKeyDefinition().stream()
        .flatMap(
            key ->
                held(entry, key).filter(JsonElement::isJsonPrimitive).stream()
                    .map(held -> LeafValue.brief(held.getAsString()))
                    .map(held -> ModelNodes.predicate(key.getLocalName(), held)))
        .collect(Collectors.joining());
  }

  private Optional<JsonElement> held(JsonObject entry, QName key) {
    return Optional.ofNullable(entry.get(key.getLocalName()))
        .or(() -> Optional.ofNullable(entry.get(ModelNodes.member(model, Optional.empty(), key))));
  }

  private TypeDefinition<?> type(TypedDataSchemaNode leaf) {
    TypeDefinition<?> type = leaf.getType();
    return type instanceof LeafrefTypeDefinition
        ? at.resolveLeafref((LeafrefTypeDefinition) type)
        : type;
  }

  private void complete(
      DataNodeContainer node, Optional<QNameModule> module, JsonObject members, String path) {
    for (DataSchemaNode child : node.getChildNodes()) {
      String member = ModelNodes.member(model, module, child.getQName());
      String below = path + "/" + member;
      int held = count(members, member);
      Optional<ElementCountConstraint> count =
          child instanceof ElementCountConstraintAware
              ? ((ElementCountConstraintAware) child).getElementCountConstraint()
              : Optional.empty();
      boolean isMandatory =
          child instanceof MandatoryAware && ((MandatoryAware) child).isMandatory();
      int least = count.map(ElementCountConstraint::getMinElements).orElse(isMandatory ? 1 : 0);
      if (held < least) {
        throw new Misfit(
            Misfit.Kind.MISSING_ELEMENT,
            below,
            path + " lacks (" + member + "), which is mandatory.");
      }
      int most = count.map(ElementCountConstraint::getMaxElements).orElse(Integer.MAX_VALUE);
      if (held > most) {
        throw Misfit.value(
            below, "(" + member + ") has " + held + " entries, and " + most + " is the most.");
      }
      boolean isImplied =
          child instanceof ContainerSchemaNode
              && !((ContainerSchemaNode) child).isPresenceContainer();
      if (held > 0) {
        completeNode(child, member, members.get(member), below);
      } else if (isImplied) {
        complete((DataNodeContainer) child, module(child), new JsonObject(), below);
      }
    }
  }

  private void completeNode(DataSchemaNode node, String name, JsonElement value, String path) {
    if (node instanceof ListSchemaNode) {
      for (JsonElement entry : array(name, value, path)) {
        JsonObject members = object(name, entry, path);
        complete(
            (ListSchemaNode) node,
            module(node),
            members,
            path + predicates((ListSchemaNode) node, members));
      }
    } else if (node instanceof DataNodeContainer) {
      complete((DataNodeContainer) node, module(node), object(name, value, path), path);
    }
  }

  private static int count(JsonObject members, String member) {
    JsonElement held = members.get(member);
    return held == null ? 0 : held.isJsonArray() ? held.getAsJsonArray().size() : 1;
  }

  private static Optional<QNameModule> module(DataSchemaNode node) {
    return Optional.of(node.getQName().getModule());
  }

  private static JsonArray array(String name, JsonElement value, String path) {
    if (!value.isJsonArray()) {
      throw Misfit.value(path, "(" + name + ") is a list, and must be a JSON array.");
    }
    return value.getAsJsonArray();
  }

  private static JsonObject object(String name, JsonElement value, String path) {
    if (!value.isJsonObject()) {
      throw Misfit.value(
          path,
          "("
              + name
              + ") holds members, and must be a JSON object where it is now "
              + LeafValue.brief(value.toString())
              + ".");
    }
    return value.getAsJsonObject();
  }
}
