package org.paceline.yang.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.Module;
import org.paceline.yang.restconf.message.EntityTag;

/** Which modules are served (RFC 8525), and what of RESTCONF's options (RFC 8040, section 9). */
final class YangLibrary {
  /** Modules that only lend their types to others. */
  private static final Set<String> IMPORT_ONLY =
      Set.of(
          "ietf-inet-types",
          "ietf-yang-types",
          "ietf-datastores",
          "ietf-network",
          "ietf-network-topology",
          "paceline-types");

  private static final List<String> CAPABILITIES =
      List.of(
          "urn:ietf:params:restconf:capability:defaults:1.0?basic-mode=explicit",
          "urn:ietf:params:restconf:capability:depth:1.0",
          "urn:ietf:params:restconf:capability:fields:1.0",
          "urn:ietf:params:restconf:capability:replay:1.0",
          "urn:ietf:params:restconf:capability:with-defaults:1.0");

  private YangLibrary() {}

  static JsonObject of(EffectiveModelContext model) {
    List<Module> modules =
        model.getModules().stream()
            .sorted(Comparator.comparing(Module::getName))
            .collect(Collectors.toUnmodifiableList());
    JsonArray implemented = new JsonArray();
    JsonArray imported = new JsonArray();
    for (Module module : modules) {
      boolean lends = IMPORT_ONLY.contains(module.getName());
      JsonObject entry = new JsonObject();
      entry.addProperty("name", module.getName());
      module.getRevision().ifPresent(r -> entry.addProperty("revision", r.toString()));
      entry.addProperty("namespace", module.getNamespace().toString());
      (lends ? imported : implemented).add(entry);
    }
    JsonObject set = new JsonObject();
    set.addProperty("name", "all");
    set.add("module", implemented);
    set.add("import-only-module", imported);
    JsonObject schema = new JsonObject();
    schema.addProperty("name", "all");
    schema.add("module-set", list("all"));
    JsonObject datastore = new JsonObject();
    datastore.addProperty("name", "ietf-datastores:running");
    datastore.addProperty("schema", "all");
    JsonObject library = new JsonObject();
    library.add("module-set", list(set));
    library.add("schema", list(schema));
    library.add("datastore", list(datastore));
    // The modules are the bundle's: the same text, the same id.
    library.addProperty("content-id", EntityTag.digest(implemented.toString() + imported));
    return library;
  }

  static JsonObject state(JsonObject streams) {
    JsonArray list = new JsonArray();
    CAPABILITIES.forEach(list::add);
    JsonObject capabilities = new JsonObject();
    capabilities.add("capability", list);
    JsonObject state = new JsonObject();
    state.add("capabilities", capabilities);
    state.add("streams", streams);
    return state;
  }

  private static JsonArray list(JsonObject only) {
    JsonArray list = new JsonArray();
    list.add(only);
    return list;
  }

  private static JsonArray list(String only) {
    JsonArray list = new JsonArray();
    list.add(only);
    return list;
  }
}
