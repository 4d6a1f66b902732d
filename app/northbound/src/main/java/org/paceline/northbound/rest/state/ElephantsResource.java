package org.paceline.northbound.rest.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.ReservationService;
import org.paceline.control.audit.Role;
import org.paceline.control.ingress.ExporterCounts;
import org.paceline.control.ingress.IngressDay;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.ingress.IngressPair;
import org.paceline.control.ingress.IngressState;
import org.paceline.control.model.Conversation;
import org.paceline.control.view.ElephantView;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/**
 * Who is led apart as an elephant, who is one by the flow records of each ingress, and what has
 * come from its exporter.
 */
@Path("v1/elephants")
@Produces(MediaType.APPLICATION_JSON)
public final class ElephantsResource {
  private final Supplier<IngressLists> elephants;
  private final Supplier<ReservationService> circuits;

  public ElephantsResource(
      Supplier<IngressLists> elephants, Supplier<ReservationService> circuits) {
    this.elephants = elephants;
    this.circuits = circuits;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does =
          "The conversations that are led apart, with their circuits; the list of elephants of each"
              + " ingress by its exporter's flow records, how good the lists of the last days"
              + " were, and what has come from the exporter.",
      answer = "Elephants")
  public String listElephants() {
    IngressLists lists = elephants.get();
    ObjectNode answer =
        Json.object()
            .put("applied", lists.isApplied())
            .put("dueMs", Json.millis(lists.due()))
            .put("refusedDatagrams", lists.refused());
    ArrayNode apart = answer.putArray("apart");
    circuits.get().elephants().forEach(one -> add(apart.addObject(), one));
    ArrayNode ingresses = answer.putArray("ingresses");
    lists.states().forEach(state -> add(ingresses.addObject(), state));
    return answer.toString();
  }

  private static void add(ObjectNode json, ElephantView one) {
    Conversation conversation = one.proof().conversation();
    json.put("conversation", one.id().toString())
        .put("intent", one.proof().requested().asked().toString())
        .put("from", conversation.localAddress())
        .put("to", conversation.remoteAddress())
        .put("grantedKbps", Json.kbps(one.granted()))
        .put("paced", one.isPaced());
    json.set("path", Json.path(one.path()));
    one.proof().measured().ifPresent(rate -> json.put("measuredKbps", Json.kbps(rate)));
    one.circuit().ifPresent(rate -> json.put("circuitKbps", Json.kbps(rate)));
  }

  private static void add(ObjectNode json, IngressState state) {
    json.put("exporter", state.exporter().toString()).put("day", state.list().day().toString());
    state.heardAt().ifPresent(at -> json.put("heardMs", Json.millis(at)));
    state.counts().ifPresent(counts -> add(json.putObject("received"), counts, state));
    ArrayNode pairs = json.putArray("pairs");
    for (IngressPair pair : state.list().pairs()) {
      pairs
          .addObject()
          .put("source", pair.source().toString())
          .put("destination", pair.destination().toString())
          .put("bytes", pair.bytes())
          .put("lastSeen", pair.lastSeen().toString())
          .put("agesOutOn", state.agesOutOn(pair).toString())
          .put("inForce", pairs.size() <= state.inForce());
    }
    ArrayNode days = json.putArray("days");
    for (IngressDay day : state.list().days()) {
      days.addObject()
          .put("day", day.day().toString())
          .put("pairs", day.pairs())
          .put("flows", day.flows())
          .put("alphaBytes", day.alphaBytes())
          .put("matchedBytes", day.matchedBytes())
          .put("share", day.share());
    }
  }

  private static void add(ObjectNode json, ExporterCounts counts, IngressState state) {
    json.put("datagrams", counts.datagrams())
        .put("records", counts.records())
        .put("malformed", counts.malformed())
        .put("unknownTemplates", counts.unknownTemplates())
        .put("incomplete", counts.incomplete())
        .put("lostRecords", counts.lostRecords())
        .put("lostDatagrams", counts.lostDatagrams())
        .put("untimely", state.untimely())
        .put("sums", state.sums())
        .put("letGoBytes", state.letGoBytes());
  }
}
