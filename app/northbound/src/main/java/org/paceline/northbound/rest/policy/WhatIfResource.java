package org.paceline.northbound.rest.policy;

import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Role;
import org.paceline.control.operations.Operations;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.PolicyJson;

/** Who would win and who would lose by an intent tree. */
@Path("v1/whatif")
@Produces(MediaType.APPLICATION_JSON)
public final class WhatIfResource {
  private final Supplier<PolicyService> policy;
  private final Supplier<Operations> operations;

  public WhatIfResource(Supplier<PolicyService> policy, Supplier<Operations> operations) {
    this.policy = policy;
    this.operations = operations;
  }

  @POST
  @Consumes({MediaType.APPLICATION_JSON, IntentsYaml.MEDIA_TYPE})
  @Operation(
      needs = Role.VIEWER,
      does = "Who would win and who would lose by an intent tree. Nothing changes or is kept.",
      takes = "Intents",
      answer = "Difference",
      mayTakeLong = true)
  public Response compareIntents(byte[] body, @Context ContainerRequestContext request) {
    PolicyService use = policy.get();
    MediaType type = request.getMediaType();
    return Asynchronous.answerInTurn(
        operations.get(),
        request,
        "What if another policy were in force.",
        () -> PolicyJson.of(use.whatIf(IntentsYaml.read(body, type))));
  }
}
