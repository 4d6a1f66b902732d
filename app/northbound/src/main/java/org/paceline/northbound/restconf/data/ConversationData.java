package org.paceline.northbound.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.paceline.control.api.ConversationService;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Proof;
import org.paceline.control.model.ReservedDemand;
import org.paceline.control.view.ConversationView;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.TrafficDirection;

/** Data of module paceline-conversations. */
public final class ConversationData {
  private ConversationData() {}

  /** Rates are in kbit/s, delays in ms, utilities from 1 to 5. */
  public static JsonObject of(ConversationService use) {
    JsonObject data = new JsonObject();
    data.addProperty("plan-version", String.valueOf(use.planVersion()));
    JsonArray list = new JsonArray();
    use.all().forEach(view -> list.add(conversation(view)));
    if (!list.isEmpty()) {
      data.add("conversation", list);
    }
    return data;
  }

  private static JsonObject conversation(ConversationView view) {
    Proof proof = view.proof();
    Conversation conversation = proof.conversation();
    JsonObject json = new JsonObject();
    json.addProperty("host", conversation.id().host());
    json.addProperty("id", conversation.id().local());
    json.addProperty("state", view.state());
    if (!proof.reason().isEmpty()) {
      json.addProperty("reason", proof.reason());
    }
    json.addProperty("local-address", conversation.localAddress());
    json.addProperty("remote-address", conversation.remoteAddress());
    if (conversation.direction() != TrafficDirection.UNKNOWN) {
      json.addProperty("direction", conversation.direction().word());
    }
    if (!conversation.remoteName().isEmpty()) {
      json.addProperty("remote-name", conversation.remoteName());
    }
    if (!conversation.namedBy().isEmpty()) {
      json.addProperty("naming-rule", conversation.namedBy());
    }
    json.addProperty("sockets", proof.sockets());
    JsonObject requested = new JsonObject();
    requested.addProperty("intent", proof.requested().asked().toString());
    requested.addProperty("utility-function", proof.requested().utilityFunction().value().name());
    requested.addProperty(
        "utility-function-from", proof.requested().utilityFunction().origin().toString());
    json.add("requested", requested);
    proof.computed().ifPresent(grant -> json.add("computed", grant(grant)));
    proof.subClass().ifPresent(name -> json.addProperty("sub-class", name));
    proof.reservation().ifPresent(of -> json.add("reservation", reservation(of)));
    proof
        .installed()
        .ifPresent(
            held -> {
              JsonObject installed = new JsonObject();
              view.pacedAt().ifPresent(rate -> installed.addProperty("rate", Leaf.rate(rate)));
              proof.installedAt().ifPresent(at -> installed.addProperty("at", at.toString()));
              json.add("installed", installed);
            });
    JsonObject measured = new JsonObject();
    proof.measured().ifPresent(rate -> measured.addProperty("rate", Leaf.rate(rate)));
    measured.addProperty("sent-octets", String.valueOf(proof.sentBytes()));
    measured.addProperty("dropped-packets", String.valueOf(proof.droppedPackets()));
    proof
        .tcp()
        .ifPresent(
            tcp -> {
              measured.addProperty(
                  "retransmitted-segments", String.valueOf(tcp.retransmittedSegments()));
              tcp.smoothedRtt()
                  .ifPresent(rtt -> measured.addProperty("smoothed-rtt", Leaf.delay(rtt)));
            });
    json.add("measured", measured);
    proof.experience().ifPresent(felt -> json.add("experienced", experienced(felt)));
    return json;
  }

  private static JsonObject reservation(ReservedDemand of) {
    JsonObject json = new JsonObject();
    json.addProperty("rate", Leaf.rate(of.reserved()));
    json.addProperty("wanted", Leaf.rate(of.wanted()));
    json.addProperty("asking", of.isAsking());
    return json;
  }

  private static JsonObject experienced(Experience felt) {
    JsonObject json = new JsonObject();
    json.addProperty("model", felt.model().word());
    felt.utility().ifPresent(utility -> json.addProperty("utility", Leaf.utility(utility)));
    felt.unusable().ifPresent(kpi -> json.addProperty("unusable", kpi.name()));
    json.addProperty("at", felt.at().toString());
    return json;
  }

  private static JsonObject grant(Grant grant) {
    JsonObject json = new JsonObject();
    json.addProperty("rate", Leaf.rate(grant.rate()));
    json.addProperty("delay", Leaf.delay(grant.delay()));
    json.addProperty("utility", Leaf.utility(grant.utility()));
    JsonArray links = new JsonArray();
    grant.path().hops().stream().map(LinkId::toString).forEach(links::add);
    json.add("link", links);
    return json;
  }
}
