package org.paceline.northbound.rest;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.ws.rs.core.Application;
import javax.ws.rs.core.Context;
import org.paceline.control.api.UseCases;
import org.paceline.northbound.rest.conversations.ClassesResource;
import org.paceline.northbound.rest.conversations.ConversationsResource;
import org.paceline.northbound.rest.conversations.ExplainResource;
import org.paceline.northbound.rest.conversations.LedgerResource;
import org.paceline.northbound.rest.document.DocumentResource;
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
import org.paceline.northbound.rest.request.Access;
import org.paceline.northbound.rest.request.Bodiless;
import org.paceline.northbound.rest.request.Problems;
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
import org.paceline.northbound.service.NotStarted;
import org.paceline.northbound.service.WebServices;

/** The web application. */
public final class PacelineRest extends Application {
  private final Supplier<UseCases> paceline;

  /** As the servlet makes it: asks for Paceline at each request, as it comes and goes. */
  public PacelineRest(@Context ServletContext web) {
    this(WebServices.of(web));
  }

  private PacelineRest(WebServices services) {
    this(() -> services.find(UseCases.class).orElseThrow(NotStarted::new));
  }

  PacelineRest(Supplier<UseCases> paceline) {
    this.paceline = paceline;
  }

  @Override
  public Set<Object> getSingletons() {
    return Set.of(
        new StateResource(its(UseCases::state)),
        new AlarmsResource(its(UseCases::state)),
        new MetricsResource(its(UseCases::state), its(UseCases::network)),
        new ConversationsResource(its(UseCases::conversations)),
        new ExplainResource(its(UseCases::conversations), its(UseCases::operations)),
        new ClassesResource(its(UseCases::conversations)),
        new LedgerResource(its(UseCases::conversations)),
        new IntentsResource(its(UseCases::policy)),
        new PolicyResource(its(UseCases::policy)),
        new DraftsResource(its(UseCases::policy), its(UseCases::operations)),
        new WhatIfResource(its(UseCases::policy), its(UseCases::operations)),
        new SolveResource(its(UseCases::solver), its(UseCases::operations)),
        new OperationsResource(its(UseCases::operations)),
        new ReservationsResource(its(UseCases::reservations), its(UseCases::operations)),
        new CeilingsResource(its(UseCases::policy)),
        new LearnedTablesResource(its(UseCases::learning)),
        new NamingRulesResource(its(UseCases::naming)),
        new WebhooksResource(its(UseCases::webhooks)),
        new EnrolmentTokensResource(its(UseCases::enrolment)),
        new AgentCertificatesResource(its(UseCases::certificates), Clock.systemUTC()),
        new SettingsResource(its(UseCases::settings)),
        new ChangesResource(its(UseCases::changes)),
        new PlanResource(its(UseCases::state)),
        new NetworkResource(its(UseCases::network)),
        new SwitchesResource(its(UseCases::network)),
        new ElephantsResource(its(UseCases::elephants), its(UseCases::reservations)),
        new DocumentResource(),
        new Bodiless(),
        new Access(its(UseCases::requests)),
        new Problems());
  }

  /** One of the services, at each request. */
  private <S> Supplier<S> its(Function<UseCases, S> service) {
    return () -> service.apply(paceline.get());
  }

  @Override
  public Map<String, Object> getProperties() {
    // Jersey's own description of the resources: ours is the OpenAPI document.
    return Map.of("jersey.config.server.wadl.disableWadl", true);
  }
}
