package org.paceline.yang.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    Map<List<JsonElement>, JsonObject> byKeys = new HashMap<>();
    for (JsonElement entry : there) {
      byKeys.put(keys(list, entry.getAsJsonObject()), entry.getAsJsonObject());
    }
    for (JsonElement entry : change) {
      JsonObject next = entry.getAsJsonObject();
      JsonObject old = byKeys.putIfAbsent(keys(list, next), next);
      if (old == null) {
        there.add(next);
      } else {
        into(list, old, next);
      }
    }
  }

  private static List<JsonElement> keys(ListSchemaNode list, JsonObject entry) {
    return list.getKeyDefinition().stream()
        .map(key -> entry.get(key.getLocalName()))
        .collect(Collectors.toList());
  }

  private static DataSchemaNode child(DataNodeContainer node, String member) {
    String local = member.substring(member.indexOf(':') + 1);
    return node.getChildNodes().stream()
        .filter(child -> child.getQName().getLocalName().equals(local))
        .findFirst()
        .orElseThrow();
  }
}
