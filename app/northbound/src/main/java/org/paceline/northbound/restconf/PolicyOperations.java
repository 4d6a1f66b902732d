package org.paceline.northbound.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Role;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.inventory.IntentUse;
import org.paceline.control.operations.Operations;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.intents.tree.IntentPath;
import org.paceline.northbound.restconf.data.Leaf;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.message.RestconfError;

/** The RPCs and the data of module paceline-policy. */
final class PolicyOperations {
  private final Supplier<PolicyService> policy;
  private final Supplier<Operations> operations;

  PolicyOperations(Supplier<PolicyService> policy, Supplier<Operations> operations) {
    this.policy = policy;
    this.operations = operations;
  }

  Map<String, Operation<Requester>> all() {
    return Map.of(
        "paceline-policy:compute",
        new InTurn(this::compute, operations),
        "paceline-policy:commit",
        new Changing(Role.BRANCH, (input, who) -> json(commit(input, who))),
        "paceline-policy:confirm",
        new Changing(Role.BRANCH, (input, who) -> json(confirm(who))),
        "paceline-policy:rollback",
        new Changing(Role.BRANCH, this::rollBack));
  }

  JsonObject data() {
    JsonObject data = json(policy.get().versions().inForce());
    JsonArray drafts = new JsonArray();
    policy.get().drafts().all().forEach(draft -> drafts.add(json(draft)));
    if (!drafts.isEmpty()) {
      data.add("draft", drafts);
    }
    return data;
  }

  private JsonObject compute(JsonObject input, Requester who) {
    PolicyDifference difference = policy.get().whatIf(draft(input).tree());
    JsonObject json = new JsonObject();
    nodes(json, difference.nodes());
    json.addProperty("winners", difference.winners());
    json.addProperty("losers", difference.losers());
    json.addProperty("rates", difference.rates());
    json.addProperty("moved", difference.moves());
    JsonArray effects = new JsonArray();
    for (PolicyDifference.Effect effect : difference.effects()) {
      JsonObject each = new JsonObject();
      each.addProperty("host", effect.conversation().host());
      each.addProperty("id", effect.conversation().local());
      effect.before().ifPresent(g -> each.addProperty("before", Leaf.utility(g.utility())));
      effect.after().ifPresent(g -> each.addProperty("after", Leaf.utility(g.utility())));
      effects.add(each);
    }
    if (!effects.isEmpty()) {
      json.add("effect", effects);
    }
    JsonArray stillNamed = new JsonArray();
    difference.stillNamed().forEach(use -> stillNamed.add(json(use)));
    if (!stillNamed.isEmpty()) {
      json.add("still-named", stillNamed);
    }
    return json;
  }

  private static JsonObject json(IntentUse use) {
    JsonObject json = new JsonObject();
    json.addProperty("intent", use.intent());
    json.addProperty("served-as", use.servedAs().toString());
    json.addProperty("conversations", use.conversations());
    JsonArray hosts = new JsonArray();
    use.hosts().forEach(hosts::add);
    if (!hosts.isEmpty()) {
      json.add("host", hosts);
    }
    return json;
  }

  private PolicyVersion commit(JsonObject input, Requester who) {
    PolicyDraft draft = draft(input);
    Optional<Duration> within =
        Optional.ofNullable(input.get("confirm-within"))
            .map(JsonElement::getAsLong)
            .map(Duration::ofSeconds);
    return policy.get().drafts().commit(who.user(), draft, who.author(), who.body(), within);
  }

  private PolicyVersion confirm(Requester who) {
    return policy.get().versions().confirm(who.user(), who.author(), who.body());
  }

  private JsonObject rollBack(JsonObject input, Requester who) {
    Optional<Long> to = Optional.ofNullable(input.get("to")).map(JsonElement::getAsLong);
    PolicyVersions versions = policy.get().versions();
    PolicyVersion back = versions.rollBack(who.user(), who.author(), who.body(), to);
    JsonObject json = json(back);
    nodes(json, versions.changedBy(back));
    return json;
  }

  private static void nodes(JsonObject json, Set<IntentPath> paths) {
    JsonArray nodes = new JsonArray();
    paths.forEach(node -> nodes.add(node.toString()));
    if (!nodes.isEmpty()) {
      json.add("node", nodes);
    }
  }

  private PolicyDraft draft(JsonObject input) {
    String name = input.get("draft").getAsString();
    return policy
        .get()
        .drafts()
        .find(name)
        .orElseThrow(
            () ->
                RestconfError.missing(
                    "There is no draft (" + name + "). Maybe it is in force already."));
  }

  static JsonObject json(PolicyVersion version) {
    JsonObject json = new JsonObject();
    json.addProperty("version", Long.toString(version.number()));
    by(json, version.author());
    json.addProperty("at", version.at().toString());
    json.addProperty("reason", version.reason());
    version.confirmUntil().ifPresent(until -> json.addProperty("confirm-until", until.toString()));
    return json;
  }

  private static JsonObject json(PolicyDraft draft) {
    JsonObject json = new JsonObject();
    json.addProperty("name", draft.name());
    json.addProperty("base", Long.toString(draft.base()));
    by(json, draft.author());
    json.addProperty("at", draft.at().toString());
    return json;
  }

  private static void by(JsonObject json, Author author) {
    json.addProperty("actor", author.actor());
    author.ticket().ifPresent(ticket -> json.addProperty("ticket", ticket));
  }
}
