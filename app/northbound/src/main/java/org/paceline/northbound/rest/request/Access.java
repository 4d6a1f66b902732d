package org.paceline.northbound.rest.request;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Supplier;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import javax.ws.rs.ext.Provider;
import org.paceline.control.api.RequestService;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Role;

/**
 * Lets a request through that is not one too many, and whose caller has the role that its operation
 * needs: by default none. Only then is it looked at whether it came before.
 */
@Provider
public final class Access implements ContainerRequestFilter, ContainerResponseFilter {
  private final IdempotencyFilter idempotency;
  private final Supplier<RequestService> requests;

  // Jersey sets it to a proxy of the current request's.
  @SuppressWarnings("NullAway.Init")
  @Context
  private ResourceInfo resource;

  public Access(Supplier<RequestService> requests) {
    this.idempotency = new IdempotencyFilter(requests);
    this.requests = requests;
  }

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    mustNotBeTooMany(Caller.name(request));
    Method method = resource.getResourceMethod();
    Operation operation = method == null ? null : method.getAnnotation(Operation.class);
    if (operation == null) {
      throw new Denied("Nobody may do this.");
    }
    Caller.user(request).mustHold(operation.needs());
    idempotency.look(request, patience(operation));
  }

  /** What a viewer may ask changes nothing, and may be reckoned for minutes. */
  private static Duration patience(Operation operation) {
    return operation.needs() == Role.VIEWER ? Duration.ZERO : IdempotencyFilter.PATIENCE;
  }

  private void mustNotBeTooMany(String client) {
    requests
        .get()
        .limit()
        .refuse(client)
        .ifPresent(
            wait -> {
              throw new Problems.TooMany(
                  "(" + client + ") sends more requests than requestsPerSecond allows.", wait);
            });
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext answer) {
    idempotency.remember(request, answer);
  }
}
