package org.paceline.northbound.rest.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.StateService;
import org.paceline.control.audit.Role;
import org.paceline.control.borrowing.Loans;
import org.paceline.control.planning.Plan;
import org.paceline.control.view.Word;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** The plan in force. */
@Path("v1/plan")
@Produces(MediaType.APPLICATION_JSON)
public final class PlanResource {
  private final Supplier<StateService> state;

  public PlanResource(Supplier<StateService> state) {
    this.state = state;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does =
          "The plan in force, or in the mode shadow the one that is recommended: every grant, and"
              + " who gets none.",
      answer = "Plan")
  public String getPlan() {
    StateService now = state.get();
    Plan plan = now.plan();
    Loans loans = now.loans();
    ObjectNode answer = Json.object().put("version", plan.version()).put("mode", now.mode().word());
    ArrayNode grants = answer.putArray("grants");
    plan.grants()
        .forEach(
            (id, grant) ->
                grants
                    .addObject()
                    .put("conversation", id.toString())
                    .put("rateKbps", Json.kbps(grant.rate()))
                    .put("lentKbps", Json.kbps(loans.to(id)))
                    .put("delayMs", grant.delay().millis().doubleValue())
                    .put("utility", grant.utility().value().doubleValue())
                    .set("path", Json.path(grant.path())));
    ArrayNode unserved = answer.putArray("unserved");
    plan.unserved()
        .forEach(
            (id, why) -> {
              ObjectNode json =
                  unserved
                      .addObject()
                      .put("conversation", id.toString())
                      .put("kind", Word.of(why.kind()))
                      .put("code", why.code().word())
                      .put("reason", why.reason());
              Optional.ofNullable(plan.restrained().get(id))
                  .ifPresent(small -> json.put("heldToKbps", Json.kbps(small.rate())));
            });
    return answer.toString();
  }
}
