package org.paceline.northbound.rest.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Proof;
import org.paceline.control.model.ReservedDemand;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.Word;
import org.paceline.intents.kpi.Experience;

/** A conversation with its proof as JSON. */
public final class ConversationJson {
  private ConversationJson() {}

  public static ObjectNode of(ConversationView view) {
    Proof proof = view.proof();
    Conversation conversation = proof.conversation();
    ObjectNode json =
        Json.object()
            .put("id", conversation.id().local())
            .put("host", conversation.id().host())
            .put("intent", conversation.intent())
            .put("resolvedFrom", proof.requested().utilityFunction().origin().toString())
            .put("utilityFunction", proof.requested().utilityFunction().value().name())
            .put("direction", conversation.direction().word())
            .put("localAddress", conversation.localAddress())
            .put("remoteAddress", conversation.remoteAddress())
            .put("protocol", conversation.transport().name())
            .put("localPort", conversation.localPort())
            .put("remotePort", conversation.remotePort())
            .put("process", conversation.process())
            .put("user", conversation.user())
            .put("remoteName", conversation.remoteName())
            .put("origin", view.origin())
            .put("scheme", proof.requested().scheme().value().word())
            .put("enforcement", view.enforcement())
            .put("sockets", proof.sockets())
            .put("state", view.state())
            .put("reason", proof.reason());
    if (!conversation.namedBy().isEmpty()) {
      json.put("rule", conversation.namedBy());
    }
    proof.unserved().ifPresent(why -> json.put("code", why.code().word()));
    proof
        .computed()
        .ifPresent(
            grant ->
                json.putObject("grant")
                    .put("rateKbps", Json.kbps(grant.rate()))
                    .put("delayMs", grant.delay().millis().doubleValue())
                    .put("utility", grant.utility().value().doubleValue())
                    .set("path", Json.path(grant.path())));
    proof.subClass().ifPresent(name -> json.put("subClass", name));
    proof.reservation().ifPresent(of -> json.set("reservation", reservation(of)));
    view.lent().ifPresent(rate -> json.putObject("lent").put("rateKbps", Json.kbps(rate)));
    view.borrowsUpTo()
        .ifPresent(rate -> json.putObject("borrowing").put("upToKbps", Json.kbps(rate)));
    if (view.isNotPaced()) {
      json.putObject("installed").put("paced", false);
    }
    view.pacedAt()
        .ifPresent(
            rate ->
                json.putObject("installed").put("paced", true).put("rateKbps", Json.kbps(rate)));
    ArrayNode elements = json.putArray("elements");
    for (InstalledElement element : proof.elements()) {
      elements
          .addObject()
          .put("kind", Word.of(element.kind()))
          .put("at", element.at())
          .put("name", element.name())
          .put("standing", Word.of(element.standing()))
          .put("wanted", element.wanted())
          .put("found", element.found());
    }
    ObjectNode measured = json.putObject("measured");
    proof.measured().ifPresent(rate -> measured.put("rateKbps", Json.kbps(rate)));
    measured.put("sentBytes", proof.sentBytes()).put("droppedPackets", proof.droppedPackets());
    proof
        .tcp()
        .ifPresent(
            tcp -> {
              measured.put("retransmittedSegments", tcp.retransmittedSegments());
              tcp.smoothedRtt()
                  .ifPresent(rtt -> measured.put("smoothedRttMs", rtt.millis().doubleValue()));
            });
    if (!proof.kpis().isEmpty()) {
      ObjectNode kpis = measured.putObject("kpis");
      proof.kpis().forEach((name, reading) -> kpis.put(name, reading.value()));
    }
    proof.experience().ifPresent(felt -> json.set("experienced", experienced(felt)));
    ObjectNode times = json.putObject("timesMs");
    times
        .put("firstSeen", Json.millis(conversation.firstSeen()))
        .put("reported", Json.millis(proof.reportedAt()));
    proof.plannedAt().ifPresent(at -> times.put("planned", Json.millis(at)));
    proof.installedAt().ifPresent(at -> times.put("installed", Json.millis(at)));
    return json;
  }

  private static ObjectNode reservation(ReservedDemand of) {
    return Json.object()
        .put("rateKbps", Json.kbps(of.reserved()))
        .put("wantedKbps", Json.kbps(of.wanted()))
        .put("asking", of.isAsking());
  }

  private static ObjectNode experienced(Experience felt) {
    ObjectNode json = Json.object().put("model", felt.model().word());
    felt.utility().ifPresent(utility -> json.put("utility", utility.value().doubleValue()));
    ObjectNode kpis = json.putObject("kpis");
    felt.kpis().forEach((name, reading) -> kpis.put(name, reading.value()));
    felt.unusable().ifPresent(kpi -> json.put("unusable", kpi.name()));
    return json.put("atMs", Json.millis(felt.at()));
  }
}
