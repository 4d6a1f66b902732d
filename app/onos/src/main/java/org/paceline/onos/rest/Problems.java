package org.paceline.onos.rest;

import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Response;
import javax.ws.rs.ext.ExceptionMapper;
import javax.ws.rs.ext.Provider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every refusal as a problem document (RFC 9457): what is wrong, and a way out. */
@Provider
public final class Problems implements ExceptionMapper<Exception> {
  private static final Logger log = LoggerFactory.getLogger(Problems.class);
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  /** There is nothing of this name. */
  static final class Missing extends RuntimeException {
    Missing(String message) {
      super(message);
    }
  }

  /** It is there already. */
  static final class Conflict extends RuntimeException {
    Conflict(String message) {
      super(message);
    }
  }

  /** Nobody is there to answer. */
  static final class Unavailable extends RuntimeException {
    Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  @Override
  public Response toResponse(Exception thrown) {
    if (thrown instanceof WebApplicationException) {
      int status = ((WebApplicationException) thrown).getResponse().getStatus();
      return problem(status, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof IllegalArgumentException) {
      return problem(BAD_REQUEST, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof Missing) {
      return problem(NOT_FOUND, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof Conflict) {
      return problem(CONFLICT, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof Unavailable) {
      return problem(UNAVAILABLE, String.valueOf(thrown.getMessage()));
    }
    log.error("A request failed", thrown);
    return problem(
        SERVER_ERROR, "The request failed in a way nobody foresaw. Maybe look into the log.");
  }

  private static Response problem(int status, String detail) {
    Response.Status known = Response.Status.fromStatusCode(status);
    return Response.status(status)
        .type("application/problem+json")
        .entity(
            Json.object()
                .put("title", known == null ? "Refused" : known.getReasonPhrase())
                .put("status", status)
                .put("detail", detail)
                .toString())
        .build();
  }
}
