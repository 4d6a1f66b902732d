package org.paceline.yang.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.QNameModule;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.paceline.yang.LeafValue;
import org.paceline.yang.ModelNodes;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * How much of the data a client wants to see: {@code content}, {@code depth}, {@code fields} and
 * {@code with-defaults} (RFC 8040, section 4.8). A list's entry keeps its keys through all of them:
 * without, it would be no data of the model.
 */
public final class Retrieval {
  private static final Set<String> PARAMETERS =
      Set.of("content", "depth", "fields", "with-defaults");
  private static final int UNBOUNDED = Integer.MAX_VALUE;
  private static final int DEEPEST = 65_535;

  private final EffectiveModelContext model;
  private final String content;
  private final int depth;
  private final FieldsExpression.Selection fields;
  private final String defaults;

  private Retrieval(EffectiveModelContext model, Request request) {
    this.model = model;
    this.content = choice(request, "content", "all", Set.of("all", "config", "nonconfig"));
    this.depth = depth(request.parameter("depth").orElse("unbounded"));
    this.fields =
        request
            .parameter("fields")
            .map(FieldsExpression::parse)
            .orElseGet(FieldsExpression.Selection::new);
    this.defaults =
        choice(
            request,
            "with-defaults",
            "explicit",
            Set.of("explicit", "trim", "report-all", "report-all-tagged"));
  }

  /**
   * @throws RestconfError if a parameter is unknown or has no such value, or fields names what the
   *     node has not
   */
  public static Retrieval of(EffectiveModelContext model, Request request, DataPath path) {
    Retrieval retrieval = of(request, model);
    retrieval.requireFields(path.schema(), path.module(), retrieval.fields);
    return retrieval;
  }

  /**
   * For a resource that is no data.
   *
   * @param members what it holds
   * @throws RestconfError see above
   */
  public static Retrieval of(EffectiveModelContext model, Request request, Set<String> members) {
    Retrieval retrieval = of(request, model);
    retrieval.fields.forEach(
        (name, below) -> {
          if (!members.contains(name)) {
            throw unknown(name, members);
          }
        });
    return retrieval;
  }

  private void requireFields(
      Optional<DataNodeContainer> node,
      Optional<QNameModule> module,
      FieldsExpression.Selection wanted) {
    wanted.forEach(
        (name, below) -> {
          Map<String, DataSchemaNode> known = new LinkedHashMap<>();
          for (DataSchemaNode child : node.map(ModelNodes::children).orElse(List.of())) {
            String member = ModelNodes.member(model, module, child.getQName());
            known.put(member, child);
          }
          DataSchemaNode child =
              known.entrySet().stream()
                  .filter(each -> names(name, each.getKey(), each.getValue()))
                  .map(Map.Entry::getValue)
                  .findFirst()
                  .orElseThrow(() -> unknown(name, known.keySet()));
          requireFields(
              Optional.of(child)
                  .filter(DataNodeContainer.class::isInstance)
                  .map(DataNodeContainer.class::cast),
              Optional.of(child.getQName().getModule()),
              below);
        });
  }

  private boolean names(String name, String member, DataSchemaNode child) {
    return name.equals(member)
        || name.equals(child.getQName().getLocalName())
        || name.equals(ModelNodes.member(model, Optional.empty(), child.getQName()));
  }

  private static RestconfError unknown(String name, Set<String> known) {
    return RestconfError.invalid(
        "There is no field ("
            + name
            + ")"
            + (known.isEmpty() ? ": nothing is below it." : ". Maybe one of " + known + "."));
  }

  private static Retrieval of(Request request, EffectiveModelContext model) {
    for (String name : request.query().keySet()) {
      if (!PARAMETERS.contains(name)) {
        throw RestconfError.invalid(
            "There is no query parameter (" + name + "). Maybe one of " + PARAMETERS + ".");
      }
    }
    return new Retrieval(model, request);
  }

  /** Whether anything is wanted of this member of the whole of the data: else none need be read. */
  boolean wants(String member) {
    return depth > 1 && fields.of(member).isPresent();
  }

  boolean isOfConfigurationOnly() {
    return content.equals("config");
  }

  private static String choice(Request request, String name, String byDefault, Set<String> known) {
    String value = request.parameter(name).orElse(byDefault);
    if (!known.contains(value)) {
      throw RestconfError.invalid(
          "(" + value + ") is no value of " + name + ". Maybe one of " + known + ".");
    }
    return value;
  }

  private static int depth(String text) {
    if (text.equals("unbounded")) {
      return UNBOUNDED;
    }
    int depth = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    if (depth < 1 || depth > DEEPEST) {
      throw RestconfError.invalid(
          "The depth (" + text + ") must lie from 1 to " + DEEPEST + ", or be unbounded.");
    }
    return depth;
  }

  /** The node, or all entries of a list, with what is wanted of it. */
  public JsonElement of(DataSchemaNode node, JsonElement value) {
    return prune(node, value, depth, fields).orElseGet(JsonObject::new);
  }

  /** The whole of the data. */
  public JsonObject of(JsonObject data) {
    return children(model, Optional.empty(), Set.of(), data, depth, fields);
  }

  private Optional<JsonElement> prune(
      DataSchemaNode node, JsonElement value, int levels, FieldsExpression.Selection wanted) {
    if (node instanceof ListSchemaNode && value.isJsonArray()) {
      JsonArray list = new JsonArray();
      value
          .getAsJsonArray()
          .forEach(entry -> prune(node, entry, levels, wanted).ifPresent(list::add));
      return list.isEmpty() ? Optional.empty() : Optional.of(list);
    }
    if (!(node instanceof DataNodeContainer)) {
      return isWanted(node) ? Optional.of(value) : Optional.empty();
    }
    if (content.equals("config") && !node.isConfiguration()) {
      return Optional.empty();
    }
    Set<String> keys = keys(node);
    JsonObject kept =
        children(
            (DataNodeContainer) node,
            Optional.of(node.getQName().getModule()),
            keys,
            value.getAsJsonObject(),
            levels,
            wanted);
    boolean nothing = content.equals("nonconfig") && node.isConfiguration();
    return nothing && kept.size() <= keys.size() ? Optional.empty() : Optional.of(kept);
  }

  private JsonObject children(
      DataNodeContainer node,
      Optional<QNameModule> module,
      Set<String> keys,
      JsonObject value,
      int levels,
      FieldsExpression.Selection wanted) {
    JsonObject kept = new JsonObject();
    int further = levels == UNBOUNDED ? UNBOUNDED : levels - 1;
    for (DataSchemaNode child : ModelNodes.children(node)) {
      String member = ModelNodes.member(model, module, child.getQName());
      JsonElement held = value.get(member);
      if (keys.contains(member)) {
        kept.add(member, held);
        continue;
      }
      Optional<FieldsExpression.Selection> below =
          wanted
              .of(member)
              .or(() -> wanted.of(ModelNodes.member(model, Optional.empty(), child.getQName())));
      if (below.isEmpty() || further == 0) {
        continue;
      }
      if (child instanceof LeafSchemaNode) {
        leaf((LeafSchemaNode) child, member, held, kept);
      } else if (held != null) {
        prune(child, held, further, below.get()).ifPresent(part -> kept.add(member, part));
      }
    }
    return kept;
  }

  private void leaf(LeafSchemaNode leaf, String member, JsonElement held, JsonObject into) {
    if (!isWanted(leaf)) {
      return;
    }
    Optional<String> byDefault = leaf.getType().getDefaultValue().map(Object::toString);
    boolean isDefault =
        byDefault.isPresent() && (held == null || held.getAsString().equals(byDefault.get()));
    if (isDefault && defaults.startsWith("report-all")) {
      into.add(member, held != null ? held : LeafValue.of(leaf.getType(), byDefault.get()));
      if (defaults.equals("report-all-tagged")) {
        JsonObject tag = new JsonObject();
        tag.addProperty("ietf-netconf-with-defaults:default", true);
        into.add("@" + member, tag);
      }
    } else if (held != null && !(isDefault && defaults.equals("trim"))) {
      into.add(member, held);
    }
  }

  private boolean isWanted(DataSchemaNode node) {
    return content.equals("all") || node.isConfiguration() == content.equals("config");
  }

  private static Set<String> keys(DataSchemaNode node) {
    return node instanceof ListSchemaNode
        ? ((ListSchemaNode) node)
            .getKeyDefinition().stream()
                .map(key -> key.getLocalName())
                .collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }
}
