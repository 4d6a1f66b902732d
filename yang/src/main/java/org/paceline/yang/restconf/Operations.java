package org.paceline.yang.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.Module;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.yang.restconf.data.ModelData;
import org.paceline.yang.restconf.data.StrictJson;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/** The RPCs of the model below {root}/operations (RFC 8040, sections 3.6 and 4.4.2). */
final class Operations<C> {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final String METHODS = "POST, OPTIONS";

  private final Map<String, Operation<C>> byName;
  private final Map<String, RpcDefinition> definitions = new TreeMap<>();
  private final ModelData data;

  Operations(EffectiveModelContext model, Map<String, Operation<C>> byName) {
    this.byName = new TreeMap<>(byName);
    this.data = new ModelData(model);
    for (Module module : model.getModules()) {
      for (RpcDefinition rpc : module.getRpcs()) {
        definitions.put(module.getName() + ":" + rpc.getQName().getLocalName(), rpc);
      }
    }
    if (!definitions.keySet().equals(this.byName.keySet())) {
      throw new IllegalArgumentException(
          "The model has the operations "
              + definitions.keySet()
              + ", and what does something are "
              + this.byName.keySet()
              + ".");
    }
  }

  JsonObject all() {
    JsonObject all = new JsonObject();
    byName.keySet().forEach(name -> all.add(name, empty()));
    return all;
  }

  private static JsonArray empty() {
    JsonArray empty = new JsonArray();
    empty.add(JsonNull.INSTANCE);
    return empty;
  }

  Reply answer(Request request, String name, C client) {
    Operation<C> operation = byName.get(name);
    if (operation == null) {
      throw RestconfError.missing(
          "There is no operation (" + name + "). Maybe one of " + byName.keySet() + ".");
    }
    if (request.method().equals("OPTIONS")) {
      return Reply.of(NO_CONTENT).with("Allow", METHODS);
    }
    if (!request.method().equals("POST")) {
      throw RestconfError.notSupported(METHODS, "An operation is called with POST.");
    }
    if (!request.query().isEmpty()) {
      throw RestconfError.invalid("An operation takes no query parameters.");
    }
    operation.mustBeFor(client);
    RpcDefinition rpc = Optional.ofNullable(definitions.get(name)).orElseThrow();
    String module = name.substring(0, name.indexOf(':'));
    JsonObject output;
    try {
      output = operation.call(input(request, module, rpc), client);
    } catch (RestconfError e) {
      throw e.in("/" + module + ":input");
    }
    if (output.size() == 0) {
      return Reply.of(NO_CONTENT);
    }
    JsonObject body = new JsonObject();
    body.add(module + ":output", output);
    return Reply.of(OK).with(body);
  }

  private JsonObject input(Request request, String module, RpcDefinition rpc) {
    JsonObject given = new JsonObject();
    if (!request.body().isBlank()) {
      request.mustBeOfMediaType();
      JsonObject body = StrictJson.read(request.body(), DocumentLimits.REQUEST);
      JsonElement input = body.get(module + ":input");
      if (body.size() != 1 || input == null || !input.isJsonObject()) {
        throw RestconfError.invalidData(
            "The body must hold (" + module + ":input), an object, and nothing else.");
      }
      given = input.getAsJsonObject();
    }
    return unqualified(data.canonicalInput(rpc, given, "/" + module + ":input"));
  }

  private static JsonObject unqualified(JsonObject members) {
    JsonObject all = new JsonObject();
    members
        .entrySet()
        .forEach(m -> all.add(m.getKey().substring(m.getKey().indexOf(':') + 1), m.getValue()));
    return all;
  }
}
