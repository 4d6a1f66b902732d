package org.paceline.yang.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;

/** A plain patch (RFC 8040, section 4.6.1): what it does not name stays. */
final class Merge {
  private Merge() {}

  /** Changes the first; both in the canonical form. */
  static void into(DataNodeContainer node, JsonObject there, JsonObject change) {
    for (String member : change.keySet()) {
      JsonElement old = there.get(member);
      JsonElement next = change.get(member);
      if (old == null || next.isJsonPrimitive()) {
        there.add(member, next);
        continue;
      }
      DataSchemaNode child = child(node, member);
      if (child instanceof ListSchemaNode) {
        list((ListSchemaNode) child, old.getAsJsonArray(), next.getAsJsonArray());
      } else if (child instanceof DataNodeContainer) {
        into((DataNodeContainer) child, old.getAsJsonObject(), next.getAsJsonObject());
      } else {
        there.add(member, next);
      }
    }
  }

  private static void list(ListSchemaNode list, JsonArray there, JsonArray change) {
    for (JsonElement entry : change) {
      JsonObject next = entry.getAsJsonObject();
      Optional<JsonObject> old = find(list.getKeyDefinition(), there, next);
      if (old.isPresent()) {
        into(list, old.get(), next);
      } else {
        there.add(next);
      }
    }
  }

  private static Optional<JsonObject> find(List<QName> keys, JsonArray entries, JsonObject wanted) {
    for (JsonElement entry : entries) {
      JsonObject members = entry.getAsJsonObject();
      if (keys.stream()
          .map(QName::getLocalName)
          .allMatch(key -> members.get(key).equals(wanted.get(key)))) {
        return Optional.of(members);
      }
    }
    return Optional.empty();
  }

  private static DataSchemaNode child(DataNodeContainer node, String member) {
    String local = member.substring(member.indexOf(':') + 1);
    return node.getChildNodes().stream()
        .filter(child -> child.getQName().getLocalName().equals(local))
        .findFirst()
        .orElseThrow();
  }
}
