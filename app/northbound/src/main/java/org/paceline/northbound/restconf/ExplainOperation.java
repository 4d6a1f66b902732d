package org.paceline.northbound.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.function.Supplier;
import org.paceline.control.api.ConversationService;
import org.paceline.control.explain.Explanation;
import org.paceline.control.explain.LinkShare;
import org.paceline.control.explain.NextStep;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.northbound.restconf.data.Leaf;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.message.RestconfError;

/** The RPC of module paceline-explain. */
final class ExplainOperation implements Operation<Requester> {
  private final Supplier<ConversationService> conversations;

  ExplainOperation(Supplier<ConversationService> conversations) {
    this.conversations = conversations;
  }

  @Override
  public JsonObject call(JsonObject input, Requester who) {
    ConversationService use = conversations.get();
    ConversationId id = id(input);
    Proof proof =
        use.proofs()
            .find(id)
            .orElseThrow(
                () ->
                    RestconfError.missing(
                        "There is no conversation (" + id + "). Maybe it has ended."));
    return use.explain(id)
        .map(ExplainOperation::json)
        .orElseThrow(
            () ->
                RestconfError.conflict(
                    "The conversation (" + id + ") has no grant. " + proof.reason()));
  }

  private static ConversationId id(JsonObject input) {
    try {
      return ConversationId.of(input.get("host").getAsString(), input.get("id").getAsString());
    } catch (IllegalArgumentException e) {
      throw RestconfError.invalidData(String.valueOf(e.getMessage()));
    }
  }

  static JsonObject json(LinkShare share) {
    JsonObject link = new JsonObject();
    link.addProperty("source", share.link().from());
    link.addProperty("destination", share.link().to());
    link.addProperty("capacity", Leaf.rate(share.capacity()));
    link.addProperty("granted", Leaf.rate(share.granted()));
    link.addProperty("binding", share.isBinding());
    link.add("granted-by", grantedBy(share));
    link.addProperty("held-to", Leaf.rate(share.heldTo()));
    JsonArray filledBy = new JsonArray();
    share.filledBy().forEach(scheme -> filledBy.add(scheme.word()));
    link.add("filled-by", filledBy);
    return link;
  }

  private static JsonArray grantedBy(LinkShare share) {
    JsonArray all = new JsonArray();
    share
        .grantedBy()
        .forEach(
            (scheme, rate) -> {
              JsonObject by = new JsonObject();
              by.addProperty("scheme", scheme.word());
              by.addProperty("rate", Leaf.rate(rate));
              all.add(by);
            });
    return all;
  }

  private static JsonObject json(Explanation explanation) {
    JsonObject json = new JsonObject();
    json.addProperty("rate", Leaf.rate(explanation.grant().rate()));
    json.addProperty("utility", Leaf.utility(explanation.grant().utility()));
    JsonArray links = new JsonArray();
    for (LinkShare share : explanation.links()) {
      links.add(json(share));
    }
    json.add("link", links);
    NextStep next = explanation.next();
    if (next.rate().isEmpty()) {
      json.addProperty("obstacle", next.obstacle());
      return json;
    }
    json.addProperty("next-rate", Leaf.rate(next.rate().get()));
    next.utility().ifPresent(u -> json.addProperty("next-utility", Leaf.utility(u)));
    JsonArray losses = new JsonArray();
    for (NextStep.Loss loss : next.losses()) {
      JsonObject each = new JsonObject();
      each.addProperty("host", loss.conversation().host());
      each.addProperty("id", loss.conversation().local());
      each.addProperty("before", Leaf.utility(loss.before()));
      loss.after().ifPresent(u -> each.addProperty("after", Leaf.utility(u)));
      losses.add(each);
    }
    json.add("loss", losses);
    return json;
  }
}
