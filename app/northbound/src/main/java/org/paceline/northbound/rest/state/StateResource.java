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
import org.paceline.control.planning.Plan;
import org.paceline.control.planning.PlanSummary;
import org.paceline.intents.unit.DataRate;
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
    StateService use = state.get();
    Plan plan = use.plan();
    DataRate lent = use.loans().rates().values().stream().reduce(DataRate.ZERO, DataRate::plus);
    PlanSummary summary = plan.summary();
    ObjectNode state =
        Json.object()
            .put("mode", use.mode().word())
            .put("planVersion", plan.version())
            .put("agents", use.agents().size())
            .put("agentsPort", use.agentsPort())
            .put("conversations", use.proofs().all().size())
            .put("granted", plan.grants().size())
            .put("unserved", plan.unserved().size())
            .put("lentKbps", Json.kbps(lent))
            .put("alarms", use.alarms().size());
    state.put("minimumUtility", number(summary.minimumUtility()));
    state.put("meanUtility", number(summary.meanUtility()));
    ObjectNode solver = state.putObject("solver");
    solver
        .put("method", summary.method())
        .put("elapsedMs", summary.elapsed().toNanos() / 1e6)
        .put("gap", summary.gap());
    summary.remarks().forEach(state.putArray("remarks")::add);
    ArrayNode beside = state.putArray("besideRules");
    use.besideRules().senders().forEach(sender -> beside.add(json(sender)));
    use.besideRules().notes().forEach(state.putArray("notes")::add);
    return state.toString();
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
