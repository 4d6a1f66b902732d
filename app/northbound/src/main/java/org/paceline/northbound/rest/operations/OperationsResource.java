package org.paceline.northbound.rest.operations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Role;
import org.paceline.control.operations.Operations;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.OperationJson;

/** What was begun for clients that did not wait for it; each sees its own, an admin all. */
@Path("v1/operations")
@Produces(MediaType.APPLICATION_JSON)
public final class OperationsResource {
  private final Supplier<Operations> operations;

  public OperationsResource(Supplier<Operations> operations) {
    this.operations = operations;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "One's own operations, the newest first, without what came of them.",
      answer = "LongOperations")
  public String listOperations(@Context ContainerRequestContext request) {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("operations");
    operations.get().all().stream()
        .filter(one -> isFor(request, one))
        .forEach(one -> list.add(OperationJson.of(one)));
    return answer.toString();
  }

  @GET
  @Path("{operation}")
  @Operation(
      needs = Role.VIEWER,
      does = "An operation, with its result or the problem where it has ended.",
      answer = "LongOperation",
      refuses = 404)
  public Response getOperation(
      @PathParam("operation") String id, @Context ContainerRequestContext request) {
    org.paceline.control.operations.Operation found =
        operations
            .get()
            .find(id)
            .filter(one -> isFor(request, one))
            .orElseThrow(
                () ->
                    new Absent(
                        "There is no operation ("
                            + id
                            + ") of yours. Maybe it ended more than an hour ago, or another"
                            + " controller was asked for it."));
    Response.ResponseBuilder answer = Response.ok(OperationJson.whole(found).toString());
    return found.isRunning() ? answer.header(HttpHeaders.RETRY_AFTER, 1).build() : answer.build();
  }

  private static boolean isFor(
      ContainerRequestContext request, org.paceline.control.operations.Operation operation) {
    return Caller.user(request).maySeeWhatWasBegunBy(operation.actor());
  }
}
