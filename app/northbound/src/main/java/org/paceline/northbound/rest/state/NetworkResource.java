package org.paceline.northbound.rest.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.NetworkService;
import org.paceline.control.audit.Role;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.NetworkState;
import org.paceline.control.telemetry.LinkMeasurement;
import org.paceline.control.view.LinkView;
import org.paceline.intents.network.Link;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** Links with what is granted on them, and the agents that are attached. */
@Path("v1")
@Produces(MediaType.APPLICATION_JSON)
public final class NetworkResource {
  private static final double THOUSAND = 1_000;

  private final Supplier<NetworkService> network;

  public NetworkResource(Supplier<NetworkService> network) {
    this.network = network;
  }

  @GET
  @Path("links")
  @Operation(
      needs = Role.VIEWER,
      does =
          "The links that the planner reckons with, what is granted on each, and what its switch"
              + " counts.",
      answer = "Links")
  public String listLinks() {
    NetworkService use = network.get();
    NetworkState state = use.current();
    ObjectNode answer = Json.object();
    ArrayNode links = answer.putArray("links");
    use.links().forEach(view -> add(links.addObject(), view));
    ObjectNode hosts = answer.putObject("hosts");
    state.nodesByAddress().forEach(hosts::put);
    state.warnings().forEach(answer.putArray("warnings")::add);
    return answer.toString();
  }

  private static void add(ObjectNode json, LinkView view) {
    Link link = view.link();
    json.put("from", link.from())
        .put("fromName", view.fromName())
        .put("to", link.to())
        .put("toName", view.toName())
        .put("capacityKbps", Json.kbps(link.capacity()))
        .put("usableKbps", Json.kbps(view.usable()))
        .put("grantedKbps", Json.kbps(view.use().granted()))
        .put("lentKbps", Json.kbps(view.use().lent()));
    ObjectNode by = json.putObject("grantedKbpsBy");
    view.use().grantedBy().forEach((scheme, rate) -> by.put(scheme.word(), Json.kbps(rate)));
    view.ports().from().ifPresent(port -> json.put("fromPort", port));
    view.ports().to().ifPresent(port -> json.put("toPort", port));
    view.measured().ifPresent(measured -> add(json, measured));
    view.utilisation()
        .ifPresent(part -> json.put("utilisation", Math.round(part * THOUSAND) / THOUSAND));
    ArrayNode usage = json.putArray("usageKbps");
    ArrayNode delay = json.putArray("delayMs");
    for (int p = 0; p < link.delay().points(); p++) {
      usage.add(Json.kbps(link.delay().load(p)));
      delay.add(link.delay().delay(p).millis().doubleValue());
    }
  }

  private static void add(ObjectNode json, LinkMeasurement measured) {
    json.put("measuredKbps", Json.kbps(measured.rate()))
        .put("smoothedKbps", Json.kbps(measured.smoothed()))
        .put("measuredAtMs", measured.at().toEpochMilli())
        .put("measuredOverMs", measured.over().toMillis())
        .put("droppedPackets", measured.droppedPackets())
        .put("droppedPacketsEver", measured.droppedEver());
  }

  @GET
  @Path("agents")
  @Operation(needs = Role.VIEWER, does = "The agents that are attached.", answer = "Agents")
  public String listAgents() {
    ObjectNode answer = Json.object();
    ArrayNode agents = answer.putArray("agents");
    for (AgentInfo agent : network.get().agents()) {
      ObjectNode json =
          agents
              .addObject()
              .put("host", agent.host())
              .put("enforcer", agent.enforcer())
              .put("version", agent.agentVersion())
              .put("peer", agent.peer())
              .put("attachedMs", Json.millis(agent.since()));
      agent.addresses().forEach(json.putArray("addresses")::add);
      agent
          .peerAgreement()
          .ifPresent(
              before ->
                  json.putObject("peerAgreement")
                      .put("sinceMs", Json.millis(before.since()))
                      .put("peers", before.peers()));
    }
    return answer.toString();
  }
}
