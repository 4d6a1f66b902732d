package org.paceline.yang.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * Changes of configuration (RFC 8040, sections 4.4 to 4.7), each from whole data to whole data: the
 * given ones stay as they are.
 */
final class Edits {
  /** It cannot be deleted. */
  static final String ON_DATASTORE = "GET, HEAD, OPTIONS, POST, PUT, PATCH";

  private final ModelData data;

  Edits(ModelData data) {
    this.data = data;
  }

  /** The data with a node in the place of what was there. */
  JsonObject put(JsonObject before, DataPath target, JsonObject body) {
    if (target.isRoot()) {
      return data.canonical(datastore(body));
    }
    JsonElement node = only(target, body);
    JsonObject after = before.deepCopy();
    store(parentOf(after, target), target.last(), node);
    return after;
  }

  /** The data with the members of a node in it. */
  JsonObject patch(JsonObject before, DataPath target, JsonObject body) {
    JsonObject after = before.deepCopy();
    if (target.isRoot()) {
      Merge.into(data.model(), after, data.canonical(datastore(body)));
      return after;
    }
    if (target.in(before).isEmpty()) {
      throw absent(target);
    }
    JsonElement node = only(target, body);
    if (node.isJsonObject()) {
      Merge.into(
          (DataNodeContainer) target.last().node,
          target.in(after).orElseThrow().getAsJsonObject(),
          node.getAsJsonObject());
    } else {
      store(parentOf(after, target), target.last(), node);
    }
    return after;
  }

  /** The data with one more node, and the path of that. */
  Created post(JsonObject before, DataPath parent, JsonObject body) {
    if (body.size() != 1) {
      throw RestconfError.invalidData(
          "The body must hold the one node to be created, not " + body.keySet() + ".");
    }
    if (!parent.isRoot() && parent.in(before).isEmpty()) {
      throw absent(parent);
    }
    JsonObject checked = data.canonical(parent.around(body));
    JsonObject members =
        parent.in(checked).map(JsonElement::getAsJsonObject).orElseGet(JsonObject::new);
    String named = body.keySet().iterator().next();
    String local = named.substring(named.indexOf(':') + 1);
    String member =
        members.keySet().stream()
            .filter(m -> m.substring(m.indexOf(':') + 1).equals(local))
            .findFirst()
            .orElseThrow(() -> RestconfError.invalidData("(" + named + ") holds nothing."));
    DataPath child = parent.child(member);
    JsonElement node = members.get(member);
    if (child.last().node instanceof ListSchemaNode) {
      node = one(node);
      child = parent.child(member + keys((ListSchemaNode) child.last().node, node));
    }
    if (child.in(before).isPresent()) {
      throw RestconfError.exists("(" + child + ") is there already. Maybe use PUT or PATCH.");
    }
    JsonObject after = before.deepCopy();
    store(parentOf(after, child), child.last(), node);
    return new Created(after, child);
  }

  private static String keys(ListSchemaNode list, JsonElement entry) {
    return list.getKeyDefinition().stream()
        .map(key -> entry.getAsJsonObject().get(key.getLocalName()).getAsString())
        .map(DataPath::encode)
        .collect(Collectors.joining(",", "=", ""));
  }

  static RestconfError absent(DataPath path) {
    return RestconfError.missing("There is no (" + path + ").");
  }

  /** What a creation leads to. */
  static final class Created {
    final JsonObject after;
    final DataPath path;

    Created(JsonObject after, DataPath path) {
      this.after = after;
      this.path = path;
    }
  }

  JsonObject delete(JsonObject before, DataPath target) {
    if (target.isRoot()) {
      throw RestconfError.notSupported(ON_DATASTORE, "The datastore cannot be deleted.");
    }
    JsonElement there = target.in(before).orElseThrow(() -> absent(target));
    DataPath.Step last = target.last();
    JsonObject after = before.deepCopy();
    JsonObject parent = parentOf(after, target);
    if (last.isEntry()) {
      JsonArray list = parent.getAsJsonArray(last.member);
      list.remove(there);
    } else if (last.node instanceof ListSchemaNode) {
      throw RestconfError.invalid("(" + last.member + ") is a list. Maybe give it its keys.");
    } else {
      parent.remove(last.member);
    }
    return after;
  }

  /** The body's node as the model writes it, where it is the one that the path names. */
  private JsonElement only(DataPath target, JsonObject body) {
    DataPath.Step last = target.last();
    if (!last.isEntry() && last.node instanceof ListSchemaNode) {
      throw RestconfError.invalid("(" + last.member + ") is a list. Maybe give it its keys.");
    }
    if (body.size() != 1 || !body.has(target.heading())) {
      throw RestconfError.invalidData(
          "The body must hold (" + target.heading() + ") and nothing else.");
    }
    JsonObject whole = data.canonical(target.parent().around(body));
    JsonElement node =
        target
            .parent()
            .in(whole)
            .map(parent -> parent.getAsJsonObject().get(last.member))
            .orElseThrow(
                () -> RestconfError.invalidData("(" + target.heading() + ") holds nothing."));
    if (!last.isEntry()) {
      return node;
    }
    JsonElement entry = one(node);
    if (!last.names(entry.getAsJsonObject())) {
      throw RestconfError.invalidData(
          "The entry's keys are others than those of (" + target + ").");
    }
    return entry;
  }

  private static JsonElement one(JsonElement list) {
    if (list.getAsJsonArray().size() != 1) {
      throw RestconfError.invalidData(
          "The body must hold one entry, not " + list.getAsJsonArray().size() + ".");
    }
    return list.getAsJsonArray().get(0);
  }

  private static JsonObject datastore(JsonObject body) {
    JsonElement inner = body.get("ietf-restconf:data");
    if (body.size() != 1 || inner == null || !inner.isJsonObject()) {
      throw RestconfError.invalidData("The body must hold (ietf-restconf:data), an object.");
    }
    return inner.getAsJsonObject();
  }

  private static JsonObject parentOf(JsonObject whole, DataPath target) {
    return at(whole, target.parent());
  }

  private static JsonObject at(JsonObject whole, DataPath path) {
    return path.in(whole).orElseThrow(() -> absent(path)).getAsJsonObject();
  }

  private static void store(JsonObject parent, DataPath.Step step, JsonElement node) {
    if (!step.isEntry() && !(step.node instanceof ListSchemaNode)) {
      parent.add(step.member, node);
      return;
    }
    if (!parent.has(step.member)) {
      parent.add(step.member, new JsonArray());
    }
    JsonArray list = parent.getAsJsonArray(step.member);
    DataPath.entry(list, step).ifPresent(list::remove);
    list.add(node);
  }
}
