package org.paceline.northbound.rest.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;
import org.paceline.control.api.StateService;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.audit.Role;
import org.paceline.control.planning.PlanSummary;
import org.paceline.control.view.StateView;
import org.paceline.intents.unit.Utility;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** The whole in a few numbers. */
@Path("v1/state")
@Produces(MediaType.APPLICATION_JSON)
public final class StateResource {
  private final Supplier<StateService> state;

  public StateResource(Supplier<StateService> state) {
    this.state = state;
  }

  @GET
  @Operation(needs = Role.VIEWER, does = "The whole in a few numbers.", answer = "State")
  public String getState() {
    StateView now = state.get().now();
    PlanSummary summary = now.summary();
    ObjectNode json =
        Json.object()
            .put("mode", now.mode().word())
            .put("planVersion", now.plan().version())
            .put("agents", now.agents())
            .put("agentsPort", now.agentsPort())
            .put("conversations", now.conversations())
            .put("granted", now.granted())
            .put("unserved", now.unserved())
            .put("lentKbps", Json.kbps(now.lent()))
            .put("alarms", now.alarms());
    json.put("minimumUtility", number(summary.minimumUtility()));
    json.put("meanUtility", number(summary.meanUtility()));
    json.putObject("solver")
        .put("method", summary.method())
        .put("elapsedMs", summary.elapsed().toNanos() / 1e6)
        .put("gap", summary.gap());
    summary.remarks().forEach(json.putArray("remarks")::add);
    ArrayNode beside = json.putArray("besideRules");
    now.beside().forEach(sender -> beside.add(json(sender)));
    now.notes().forEach(json.putArray("notes")::add);
    return json.toString();
  }

  private static ObjectNode json(BesideRules.Sender sender) {
    return Json.object()
        .put("host", sender.host())
        .put("conversations", sender.conversations())
        .put("managedKbps", Json.kbps(sender.managed()))
        .put("unmanagedKbps", Json.kbps(sender.unmanaged()))
        .put("most", sender.most());
  }

  /** JSON's null where nothing is granted. */
  private static @Nullable BigDecimal number(Optional<Utility> utility) {
    return utility.map(Utility::value).orElse(null);
  }
}
