package org.paceline.northbound.rest.conversations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.ConversationService;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.control.explain.Explanation;
import org.paceline.control.explain.LinkShare;
import org.paceline.control.explain.NextStep;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Proof;
import org.paceline.control.operations.Operations;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** Why a conversation got what it got, and what the next noticeable step would cost whom. */
@Path("v1/explain")
@Produces(MediaType.APPLICATION_JSON)
public final class ExplainResource {
  private final Supplier<ConversationService> conversations;
  private final Supplier<Operations> operations;

  public ExplainResource(
      Supplier<ConversationService> conversations, Supplier<Operations> operations) {
    this.conversations = conversations;
    this.operations = operations;
  }

  @GET
  @Path("{host}/{id: .+}")
  @Operation(
      needs = Role.VIEWER,
      does =
          "Why a conversation got what it got, and what the next noticeable step would cost whom.",
      answer = "Explanation",
      refuses = {400, 404, 409})
  public String explainConversation(
      @PathParam("host") String host,
      @PathParam("id") String local,
      @Context ContainerRequestContext request) {
    ConversationId id = ConversationId.of(host, local);
    ConversationService use = conversations.get();
    Proof proof =
        use.proofs()
            .find(id)
            .orElseThrow(
                () -> new Absent("There is no conversation (" + id + "). Maybe it has ended."));
    return Asynchronous.inTurn(operations.get(), request, () -> use.explain(id))
        .map(explanation -> json(explanation, use.nodeNames()))
        .orElseThrow(
            () -> new Refused("The conversation (" + id + ") has no grant. " + proof.reason()))
        .toString();
  }

  private static ObjectNode json(Explanation explanation, NodeNames names) {
    EffectivePolicy requested = explanation.proof().requested();
    ObjectNode json =
        Json.object()
            .put("conversation", explanation.proof().conversation().id().toString())
            .put("direction", explanation.proof().conversation().direction().word());
    ObjectNode intent =
        json.putObject("intent")
            .put("asked", requested.asked().toString())
            .put("node", requested.node().toString());
    intent
        .putObject("utilityFunction")
        .put("name", requested.utilityFunction().value().name())
        .put("from", requested.utilityFunction().origin().toString());
    bound(intent, "minimumRateKbps", requested.minimumRate());
    bound(intent, "maximumRateKbps", requested.maximumRate());
    if (requested.scheme().value() == SchemeName.SERVICE_CLASSES) {
      intent
          .putObject("classWeight")
          .put("value", requested.classWeight().value())
          .put("from", requested.classWeight().origin().toString());
    }
    json.putObject("grant")
        .put("rateKbps", Json.kbps(explanation.grant().rate()))
        .put("delayMs", explanation.grant().delay().millis().doubleValue())
        .put("utility", explanation.grant().utility().value().doubleValue());
    ArrayNode links = json.putArray("links");
    for (LinkShare link : explanation.links()) {
      ObjectNode each = links.addObject();
      each.put("from", link.link().from())
          .put("fromName", names.of(link.link().from()))
          .put("to", link.link().to())
          .put("toName", names.of(link.link().to()))
          .put("capacityKbps", Json.kbps(link.capacity()))
          .put("grantedKbps", Json.kbps(link.granted()))
          .put("utilityPerMbit", link.pricePerMbit())
          .put("binding", link.isBinding());
      ObjectNode by = each.putObject("grantedKbpsBy");
      link.grantedBy().forEach((scheme, rate) -> by.put(scheme.word(), Json.kbps(rate)));
      each.put("heldToKbps", Json.kbps(link.heldTo()));
      ArrayNode filledBy = each.putArray("filledBy");
      link.filledBy().forEach(scheme -> filledBy.add(scheme.word()));
    }
    json.set("nextStep", nextStep(explanation.next()));
    return json;
  }

  private static void bound(ObjectNode intent, String name, Optional<Sourced<DataRate>> bound) {
    bound.ifPresent(
        rate ->
            intent
                .putObject(name)
                .put("value", Json.kbps(rate.value()))
                .put("from", rate.origin().toString()));
  }

  private static ObjectNode nextStep(NextStep next) {
    ObjectNode json = Json.object();
    if (next.rate().isEmpty()) {
      return json.put("obstacle", next.obstacle());
    }
    json.put("rateKbps", Json.kbps(next.rate().get()));
    next.utility().ifPresent(u -> json.put("utility", u.value().doubleValue()));
    json.put("cost", (double) next.cost() / Utility.SCALE);
    ArrayNode losses = json.putArray("losses");
    for (NextStep.Loss loss : next.losses()) {
      ObjectNode each =
          losses
              .addObject()
              .put("conversation", loss.conversation().toString())
              .put("before", loss.before().value().doubleValue());
      loss.after().ifPresent(u -> each.put("after", u.value().doubleValue()));
    }
    return json;
  }
}
