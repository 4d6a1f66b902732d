package org.paceline.northbound.rest.enrolment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Supplier;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.enrolment.IssuedCertificate;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** By what hosts' agents are let in, and how that is ended. */
@Path("v1/agent-certificates")
@Produces(MediaType.APPLICATION_JSON)
public final class AgentCertificatesResource {
  private final Supplier<HostCertificates> certificates;
  private final Clock clock;

  public AgentCertificatesResource(Supplier<HostCertificates> certificates, Clock clock) {
    this.certificates = certificates;
    this.clock = clock;
  }

  @GET
  @Operation(
      needs = Role.ADMIN,
      does = "The certificates that were signed for hosts, those that are over or revoked too.",
      answer = "AgentCertificates",
      refuses = 409)
  public String listAgentCertificates() {
    Instant now = clock.instant();
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("certificates");
    certificates.get().all().forEach(one -> list.add(json(one, now)));
    return answer.toString();
  }

  @DELETE
  @Path("{host}")
  @Operation(
      needs = Role.ADMIN,
      does =
          "Revokes all certificates of a host, and withdraws its tokens: its agent is cut off at"
              + " once, and comes back by a new token only.",
      success = 204,
      refuses = {404, 409})
  public Response revokeAgentCertificates(
      @PathParam("host") String host, @Context ContainerRequestContext request) {
    certificates.get().revoke(Caller.author(request), "", host);
    return Response.noContent().build();
  }

  private static ObjectNode json(IssuedCertificate one, Instant now) {
    ObjectNode json =
        Json.object()
            .put("serial", one.serial())
            .put("host", one.host())
            .put("until", one.end().toString())
            .put("inForce", one.isInForce(now));
    one.revoked().ifPresent(at -> json.put("revokedAt", at.toString()));
    return json;
  }
}
