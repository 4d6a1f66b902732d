package org.paceline.northbound.rest.document;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.audit.Role;
import org.paceline.northbound.rest.conversations.ClassesResource;
import org.paceline.northbound.rest.conversations.ConversationsResource;
import org.paceline.northbound.rest.conversations.ExplainResource;
import org.paceline.northbound.rest.conversations.LedgerResource;
import org.paceline.northbound.rest.enrolment.AgentCertificatesResource;
import org.paceline.northbound.rest.enrolment.EnrolmentTokensResource;
import org.paceline.northbound.rest.operations.ChangesResource;
import org.paceline.northbound.rest.operations.OperationsResource;
import org.paceline.northbound.rest.policy.CeilingsResource;
import org.paceline.northbound.rest.policy.DraftsResource;
import org.paceline.northbound.rest.policy.IntentsResource;
import org.paceline.northbound.rest.policy.LearnedTablesResource;
import org.paceline.northbound.rest.policy.NamingRulesResource;
import org.paceline.northbound.rest.policy.PolicyResource;
import org.paceline.northbound.rest.policy.WhatIfResource;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.reservations.ReservationsResource;
import org.paceline.northbound.rest.settings.SettingsResource;
import org.paceline.northbound.rest.solve.SolveResource;
import org.paceline.northbound.rest.state.AlarmsResource;
import org.paceline.northbound.rest.state.ElephantsResource;
import org.paceline.northbound.rest.state.MetricsResource;
import org.paceline.northbound.rest.state.NetworkResource;
import org.paceline.northbound.rest.state.PlanResource;
import org.paceline.northbound.rest.state.StateResource;
import org.paceline.northbound.rest.state.SwitchesResource;
import org.paceline.northbound.rest.webhooks.WebhooksResource;

/** What all this is: the OpenAPI document, and a page to read it. */
@Path("v1")
public final class DocumentResource {
  public static final List<Class<?>> RESOURCES =
      List.of(
          StateResource.class,
          ConversationsResource.class,
          ExplainResource.class,
          ClassesResource.class,
          LedgerResource.class,
          IntentsResource.class,
          PolicyResource.class,
          DraftsResource.class,
          WhatIfResource.class,
          SolveResource.class,
          OperationsResource.class,
          ReservationsResource.class,
          CeilingsResource.class,
          LearnedTablesResource.class,
          NamingRulesResource.class,
          WebhooksResource.class,
          EnrolmentTokensResource.class,
          AgentCertificatesResource.class,
          SettingsResource.class,
          ChangesResource.class,
          PlanResource.class,
          NetworkResource.class,
          SwitchesResource.class,
          ElephantsResource.class,
          AlarmsResource.class,
          MetricsResource.class,
          DocumentResource.class);

  public static final String PAGE = "reference.html";
  private static final String REFERENCE = "reference";

  /** Of the page, below the root. */
  public static final String PATH = "v1/" + REFERENCE;

  private final String document = OpenApi.of(RESOURCES).toString();

  @GET
  @Path("openapi.json")
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.VIEWER,
      does = "This document: every operation, with what it takes and answers.",
      answer = "Any")
  public String getOpenApi() {
    return document;
  }

  @GET
  @Path(REFERENCE)
  @Produces(MediaType.TEXT_HTML)
  @Operation(needs = Role.VIEWER, does = "A page to read this document.", answer = "Page")
  public String getReference() {
    return resource(PAGE);
  }

  public static String resource(String name) {
    try (InputStream bytes = DocumentResource.class.getResourceAsStream(name)) {
      if (bytes == null) {
        throw new AssertionError(name + " is not in the bundle");
      }
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the bundle cannot be read", e);
    }
  }
}
