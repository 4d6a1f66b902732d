package org.paceline.northbound.rest.policy;

import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.NamingService;
import org.paceline.control.audit.Role;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** By which rules flows of hosts without an agent are named. */
@Path("v1/naming-rules")
@Produces(MediaType.APPLICATION_JSON)
public final class NamingRulesResource {
  private static final String CSV = "text/csv";

  private final Supplier<NamingService> naming;

  public NamingRulesResource(Supplier<NamingService> naming) {
    this.naming = naming;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The naming rules in force, in their order: the first that matches decides.",
      answer = "NamingRules")
  public String getNamingRules() {
    return NamingRulesText.json(naming.get().store().inForce());
  }

  @PUT
  @Consumes({MediaType.APPLICATION_JSON, IntentsYaml.MEDIA_TYPE})
  @Operation(
      needs = Role.OPERATOR,
      does =
          "Puts these naming rules in the place of all before. Refused with 409 where they say a"
              + " version and another is in force.",
      takes = "NamingRules",
      answer = "NamingRules")
  public String replaceNamingRules(byte[] body, @Context ContainerRequestContext request) {
    NamingRulesText text =
        NamingRulesText.read(
            body,
            Optional.ofNullable(request.getMediaType()).orElse(MediaType.APPLICATION_JSON_TYPE));
    return NamingRulesText.json(
        naming
            .get()
            .store()
            .set(Caller.author(request), Json.text(body), text.rules, text.version));
  }

  @GET
  @Path("file")
  @Produces(IntentsYaml.MEDIA_TYPE)
  @Operation(
      needs = Role.VIEWER,
      does = "The naming rules in force as one YAML file.",
      answer = "NamingRules")
  public String exportNamingRules() {
    return naming.get().file().write(naming.get().store().inForce().rules());
  }

  @PUT
  @Path("macs/{list}")
  @Consumes(CSV)
  @Operation(
      needs = Role.OPERATOR,
      does =
          "Puts a list of MAC addresses, such as an export of all phones, in the place of the one of"
              + " this name: one a line, with a name behind a comma.",
      takes = "MacList",
      answer = "NamingRules")
  public String importMacs(
      @PathParam("list") String list, byte[] body, @Context ContainerRequestContext request) {
    return NamingRulesText.json(
        naming.get().importMacs(Caller.author(request), list, Json.text(body)));
  }
}
