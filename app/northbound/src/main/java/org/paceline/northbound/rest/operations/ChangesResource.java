package org.paceline.northbound.rest.operations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Role;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.request.Query;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.PolicyJson;

/** The log of changes: who changed what, when, and for which ticket. */
@Path("v1/changes")
@Produces(MediaType.APPLICATION_JSON)
public final class ChangesResource {
  private final Supplier<ChangeLog> changes;

  public ChangesResource(Supplier<ChangeLog> changes) {
    this.changes = changes;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The changes, the newest first.",
      answer = "Changes",
      refuses = 400)
  public String listChanges(
      @QueryParam("actor") @Nullable String actor,
      @QueryParam("ticket") @Nullable String ticket,
      @QueryParam("before") @Nullable String before,
      @QueryParam("limit") @Nullable String limit) {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("changes");
    changes
        .get()
        .newest(
            Query.limit(limit),
            Query.before(before),
            change ->
                (actor == null || change.author().actor().equals(actor))
                    && (ticket == null || change.author().ticket().orElse("").equals(ticket)))
        .forEach(change -> list.add(PolicyJson.of(change)));
    return answer.toString();
  }

  @GET
  @Path("{number}")
  @Operation(
      needs = Role.VIEWER,
      does = "A change in full: what was sent, what it concerns before and after.",
      answer = "Change",
      refuses = {400, 404})
  public String getChange(@PathParam("number") String text) {
    long number = Query.number("number", text, 1, Long.MAX_VALUE, 1);
    return json(changes.get().mustFind(number, "Maybe the list names it."));
  }

  /** The whole, in one line. */
  public static String json(Change change) {
    return PolicyJson.whole(change).toString();
  }
}
