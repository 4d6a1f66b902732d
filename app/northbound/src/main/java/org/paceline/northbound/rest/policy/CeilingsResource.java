package org.paceline.northbound.rest.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Role;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.Ceilings;
import org.paceline.intents.tree.IntentPath;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.ReservationJson;

/** How much those may ask for to whom a branch of the intent tree is delegated. */
@Path("v1/ceilings")
@Produces(MediaType.APPLICATION_JSON)
public final class CeilingsResource {
  private static final long HUNDRED = 100;
  private static final long LONGEST_S = 4_294_967_295L;

  private final Supplier<PolicyService> policy;

  public CeilingsResource(Supplier<PolicyService> policy) {
    this.policy = policy;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The ceilings that are set, and what holds for a branch for which none says it.",
      answer = "Ceilings")
  public String listCeilings() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("ceilings");
    policy.get().ceilings().all().forEach(ceiling -> list.add(json(ceiling)));
    ObjectNode usual = json(Ceilings.usual(IntentPath.ROOT));
    usual.remove("branch");
    answer.set("usual", usual);
    return answer.toString();
  }

  @GET
  @Path("{branch: .+}")
  @Operation(
      needs = Role.VIEWER,
      does = "The ceiling that is set for a branch.",
      answer = "Ceiling",
      refuses = {400, 404})
  public String getCeiling(@PathParam("branch") String branch) {
    return policy
        .get()
        .ceilings()
        .find(IntentPath.parse(branch))
        .map(ceiling -> json(ceiling).toString())
        .orElseThrow(() -> absent(branch));
  }

  @PUT
  @Path("{branch: .+}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.ADMIN,
      does =
          "Says how much those may ask for who may change this branch and not all of the tree."
              + " What is reserved above it stays.",
      takes = "CeilingToSet",
      answer = "Ceiling")
  public String setCeiling(
      @PathParam("branch") String branch, byte[] body, @Context ContainerRequestContext request) {
    JsonNode json =
        Json.read(body, Set.of("rateKbps", "sharePercent", "durationSeconds", "priority"));
    Ceiling ceiling =
        Ceiling.of(IntentPath.parse(branch))
            .rate(json.has("rateKbps") ? Optional.of(ReservationJson.rate(json)) : Optional.empty())
            .sharePercent(Json.whole(json, "sharePercent", 1, HUNDRED).map(Long::intValue))
            .duration(Json.whole(json, "durationSeconds", 1, LONGEST_S).map(Duration::ofSeconds))
            .priority(
                Json.whole(json, "priority", Integer.MIN_VALUE, Integer.MAX_VALUE)
                    .map(Long::intValue))
            .build();
    return json(policy.get().ceilings().set(Caller.author(request), Json.text(body), ceiling))
        .toString();
  }

  @DELETE
  @Path("{branch: .+}")
  @Operation(
      needs = Role.ADMIN,
      does = "Removes the ceiling of a branch: what is usual holds again.",
      success = 204,
      refuses = {400, 404})
  public Response removeCeiling(
      @PathParam("branch") String branch, @Context ContainerRequestContext request) {
    if (!policy.get().ceilings().remove(Caller.author(request), "", IntentPath.parse(branch))) {
      throw absent(branch);
    }
    return Response.noContent().build();
  }

  private static ObjectNode json(Ceiling ceiling) {
    ObjectNode json = Json.object().put("branch", ceiling.branch().toString());
    ceiling.rate().ifPresent(most -> json.put("rateKbps", Json.kbps(most)));
    ceiling.sharePercent().ifPresent(most -> json.put("sharePercent", most));
    ceiling.duration().ifPresent(most -> json.put("durationSeconds", most.toSeconds()));
    ceiling.priority().ifPresent(most -> json.put("priority", most));
    return json;
  }

  private static Absent absent(String branch) {
    return new Absent(
        "There is no ceiling of (" + branch + "). Maybe the list names the one that you mean.");
  }
}
