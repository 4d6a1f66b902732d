package org.paceline.northbound.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Role;
import org.paceline.control.policy.Ceiling;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;
import org.paceline.northbound.restconf.data.Leaf;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.message.RestconfError;

/** The RPCs and the data of module paceline-ceilings. */
final class CeilingOperations {
  private final Supplier<PolicyService> policy;

  CeilingOperations(Supplier<PolicyService> policy) {
    this.policy = policy;
  }

  Map<String, Operation<Requester>> all() {
    return Map.of(
        "paceline-ceilings:set-ceiling",
        new Changing(Role.ADMIN, this::set),
        "paceline-ceilings:remove-ceiling",
        new Changing(Role.ADMIN, this::remove));
  }

  JsonObject data() {
    JsonArray list = new JsonArray();
    policy.get().ceilings().all().forEach(ceiling -> list.add(json(ceiling)));
    JsonObject data = new JsonObject();
    if (!list.isEmpty()) {
      data.add("ceiling", list);
    }
    return data;
  }

  private JsonObject set(JsonObject input, Requester who) {
    policy.get().ceilings().set(who.author(), who.body(), ceiling(input));
    return new JsonObject();
  }

  private JsonObject remove(JsonObject input, Requester who) {
    IntentPath branch = IntentPath.parse(input.get("branch").getAsString());
    if (!policy.get().ceilings().remove(who.author(), who.body(), branch)) {
      throw RestconfError.missing(
          "There is no ceiling of (" + branch + "). Maybe the list names the one that you mean.");
    }
    return new JsonObject();
  }

  private static Ceiling ceiling(JsonObject input) {
    return Ceiling.of(IntentPath.parse(input.get("branch").getAsString()))
        .rate(
            leaf(input, "rate")
                .map(JsonElement::getAsBigDecimal)
                .map(DataRate::ofKilobitsPerSecond))
        .sharePercent(leaf(input, "share").map(JsonElement::getAsInt))
        .duration(leaf(input, "duration").map(JsonElement::getAsLong).map(Duration::ofSeconds))
        .priority(leaf(input, "priority").map(JsonElement::getAsInt))
        .build();
  }

  private static Optional<JsonElement> leaf(JsonObject input, String name) {
    return Optional.ofNullable(input.get(name));
  }

  private static JsonObject json(Ceiling ceiling) {
    JsonObject json = new JsonObject();
    json.addProperty("branch", ceiling.branch().toString());
    ceiling.rate().ifPresent(most -> json.addProperty("rate", Leaf.rate(most)));
    ceiling.sharePercent().ifPresent(most -> json.addProperty("share", most));
    ceiling.duration().ifPresent(most -> json.addProperty("duration", most.toSeconds()));
    ceiling.priority().ifPresent(most -> json.addProperty("priority", most));
    return json;
  }
}
