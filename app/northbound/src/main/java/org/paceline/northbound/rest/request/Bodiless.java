package org.paceline.northbound.rest.request;

import java.util.Set;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.PreMatching;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.ext.Provider;

/**
 * Some clients name a Content-Type in every request. Where there is no body to be of that type the
 * framework must not look for an operation that reads it.
 */
@Provider
@PreMatching
public final class Bodiless implements ContainerRequestFilter {
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "DELETE");

  @Override
  public void filter(ContainerRequestContext request) {
    if (METHODS.contains(request.getMethod())) {
      request.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
    }
    if (request.getMethod().equals("DELETE")) {
      // It answers nothing, or a refusal: generated clients accept but the type of that.
      request.getHeaders().remove(HttpHeaders.ACCEPT);
    }
  }
}
