package org.paceline.northbound.rest.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.NetworkService;
import org.paceline.control.audit.Role;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.view.SwitchReport;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** What each switch can do, and how much of it conversations use. */
@Path("v1/switches")
@Produces(MediaType.APPLICATION_JSON)
public final class SwitchesResource {
  private final Supplier<NetworkService> network;

  public SwitchesResource(Supplier<NetworkService> network) {
    this.network = network;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "What each switch can do, and how much of it conversations use.",
      answer = "Switches")
  public String listSwitches() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("switches");
    network.get().switches().forEach(report -> add(list.addObject(), report));
    return answer.toString();
  }

  private static void add(ObjectNode json, SwitchReport report) {
    json.put("id", report.id())
        .put("connected", report.isConnected())
        .put("description", report.description())
        .put("separation", report.separation());
    ObjectNode meters = json.putObject("meters");
    report.meters().ifPresent(held -> meters.put("held", held));
    meters.put("allowed", report.metersAllowed()).put("used", report.metersUsed());
    ObjectNode rules = json.putObject("rules");
    report.tableSize().ifPresent(size -> rules.put("tableSize", size));
    rules.put("allowed", report.rulesAllowed()).put("used", report.rulesUsed());
    report
        .scheduler()
        .ifPresent(
            scheduler -> {
              ObjectNode queues = json.putObject("queues").put("agent", scheduler.agent());
              ArrayNode ports = queues.putArray("ports");
              scheduler
                  .ports()
                  .forEach(
                      (name, shares) -> {
                        ObjectNode port = ports.addObject().put("name", name);
                        shares.ifPresent(
                            s ->
                                port.put("elephantsKbps", s.elephants().toKbpsFloor())
                                    .put("othersKbps", s.others().toKbpsFloor()));
                        Optional.ofNullable(scheduler.traffic().get(name))
                            .ifPresent(came -> add(port, came));
                      });
            });
  }

  private static void add(ObjectNode port, QueueTraffic came) {
    port.put("elephantsSentKbps", Json.kbps(came.sent(came.elephants())))
        .put("elephantsDroppedPackets", came.elephants().droppedPackets())
        .put("othersSentKbps", Json.kbps(came.sent(came.others())))
        .put("othersDroppedPackets", came.others().droppedPackets())
        .put("measuredAtMs", came.at().toEpochMilli())
        .put("measuredOverMs", came.over().toMillis());
  }
}
