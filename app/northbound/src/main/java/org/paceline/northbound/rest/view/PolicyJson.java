package org.paceline.northbound.rest.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.inventory.IntentUse;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.view.Word;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.Utility;

/** Versions, drafts, differences and changes as JSON. */
public final class PolicyJson {
  /** A branch that is taken away may have thousands of intents. */
  private static final int MOST_NAMED = 20;

  private PolicyJson() {}

  public static ObjectNode of(PolicyVersion version) {
    ObjectNode json =
        by(version.author())
            .put("version", version.number())
            .put("at", version.at().toString())
            .put("reason", version.reason());
    version.confirmUntil().ifPresent(until -> json.put("confirmUntil", until.toString()));
    return json;
  }

  public static ObjectNode of(PolicyDraft draft) {
    return by(draft.author())
        .put("name", draft.name())
        .put("at", draft.at().toString())
        .put("base", draft.base());
  }

  public static ObjectNode of(Change change) {
    return by(change.author())
        .put("number", change.number())
        .put("at", change.at().toString())
        .put("operation", change.operation());
  }

  public static ObjectNode whole(Change change) {
    return of(change)
        .put("body", change.body())
        .put("before", change.before())
        .put("after", change.after());
  }

  public static ObjectNode of(PolicyDifference difference) {
    ObjectNode json = Json.object();
    ArrayNode nodes = json.putArray("nodes");
    difference.nodes().forEach(node -> nodes.add(node.toString()));
    json.put("winners", difference.winners())
        .put("losers", difference.losers())
        .put("sum", (double) difference.sum() / Utility.SCALE)
        .put("moved", difference.moves())
        .put("rates", difference.rates())
        .put("revalued", difference.revalued());
    ArrayNode effects = json.putArray("effects");
    for (PolicyDifference.Effect effect : difference.effects()) {
      ObjectNode each =
          effects
              .addObject()
              .put("conversation", effect.conversation().toString())
              .put("gain", (double) effect.gain() / Utility.SCALE)
              .put("moves", effect.moves())
              .put("cause", Word.of(effect.cause()));
      grant(each, "before", effect.before());
      grant(each, "after", effect.after());
    }
    ArrayNode unserved = json.putArray("unserved");
    difference
        .unserved()
        .forEach(
            (id, why) ->
                unserved
                    .addObject()
                    .put("conversation", id.toString())
                    .put("code", why.code().word())
                    .put("reason", why.reason()));
    difference.remarks().forEach(json.putArray("remarks")::add);
    json.setAll(stillNamed(difference.stillNamed()));
    return json;
  }

  /** Who names intents that are taken away, the first of them. */
  public static ObjectNode stillNamed(List<IntentUse> uses) {
    ObjectNode json = Json.object();
    ArrayNode named = json.putArray("stillNamed");
    uses.stream().limit(MOST_NAMED).forEach(use -> named.add(of(use)));
    return json.put("moreIntents", uses.size() - named.size());
  }

  private static ObjectNode of(IntentUse use) {
    ObjectNode json =
        Json.object()
            .put("intent", use.intent())
            .put("servedAs", use.servedAs().toString())
            .put("conversations", use.conversations());
    ArrayNode hosts = json.putArray("hosts");
    use.someHosts().forEach(hosts::add);
    return json.put("moreHosts", use.hosts().size() - hosts.size());
  }

  private static void grant(ObjectNode json, String name, Optional<Grant> grant) {
    grant.ifPresent(
        g ->
            json.putObject(name)
                .put("rateKbps", Json.kbps(g.rate()))
                .put("delayMs", g.delay().millis().doubleValue())
                .put("utility", g.utility().value().doubleValue())
                .set("path", Json.path(g.path())));
  }

  private static ObjectNode by(Author author) {
    ObjectNode json = Json.object().put("actor", author.actor());
    author.ticket().ifPresent(ticket -> json.put("ticket", ticket));
    return json;
  }
}
