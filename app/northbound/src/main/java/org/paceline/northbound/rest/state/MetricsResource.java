package org.paceline.northbound.rest.state;

import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.StateService;
import org.paceline.control.audit.Role;
import org.paceline.northbound.metrics.Metrics;
import org.paceline.northbound.rest.request.Operation;

/** For a monitoring system that asks now and then. */
@Path("v1/metrics")
public final class MetricsResource {
  private final Supplier<StateService> state;
  private final Supplier<NetworkService> network;

  public MetricsResource(Supplier<StateService> state, Supplier<NetworkService> network) {
    this.state = state;
    this.network = network;
  }

  @GET
  @Produces(Metrics.MEDIA_TYPE)
  @Operation(
      needs = Role.VIEWER,
      does = "The plan and the links in a few numbers, in Prometheus's text format.",
      answer = "Metrics")
  public String getMetrics() {
    StateService use = state.get();
    return Metrics.text(use.now(), use.alarms(), network.get().links(), use.experiences());
  }
}
