package org.paceline.northbound.rest.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import javax.ws.rs.ext.ExceptionMapper;
import javax.ws.rs.ext.Provider;
import org.jspecify.annotations.Nullable;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Refused;
import org.paceline.control.port.StoreUnavailable;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.intents.document.Quoted;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.ReservationJson;
import org.paceline.northbound.service.NotStarted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every refusal as a problem document (RFC 9457): what is wrong, and a way out. */
@Provider
public final class Problems implements ExceptionMapper<Throwable> {
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final Logger log = LoggerFactory.getLogger(Problems.class);
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int NOT_ACCEPTABLE = 406;
  private static final int CONFLICT = 409;
  private static final int TOO_LARGE = 413;
  private static final int UNSUPPORTED = 415;
  private static final int UNPROCESSABLE = 422;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  /** A refusal with its status. */
  abstract static class Problem extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    Problem(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  /** There is no room for what is wished, but maybe for something else. */
  public static final class NotAdmitted extends Problem {
    private static final long serialVersionUID = 1;
    private final transient AdmissionDecision answer;

    public NotAdmitted(AdmissionDecision answer) {
      super(CONFLICT, answer.refusal().orElse("It is not admitted."));
      this.answer = answer;
    }
  }

  /** The same is being done already. */
  static final class Busy extends Problem {
    private static final long serialVersionUID = 1;

    Busy(String message) {
      super(CONFLICT, message);
    }
  }

  /** More than anybody needs to send. */
  static final class TooLarge extends Problem {
    private static final long serialVersionUID = 1;

    TooLarge(String message) {
      super(TOO_LARGE, message);
    }
  }

  /** It was used for something else. */
  static final class Unprocessable extends Problem {
    private static final long serialVersionUID = 1;

    Unprocessable(String message) {
      super(UNPROCESSABLE, message);
    }
  }

  /** One more than a client may send; later it may. */
  public static final class TooMany extends Problem {
    private static final long serialVersionUID = 1;
    private final Duration wait;

    /**
     * @param message who sends too much of what, as a sentence
     */
    public TooMany(String message, Duration wait) {
      super(TOO_MANY, message + " Maybe send it again in " + wait.toSeconds() + " s.");
      this.wait = wait;
    }
  }

  /** Nobody is there to answer. */
  public static final class Unavailable extends Problem {
    private static final long serialVersionUID = 1;

    public Unavailable(String message) {
      super(UNAVAILABLE, message);
    }

    public Unavailable(String message, Throwable cause) {
      this(message);
      initCause(cause);
    }
  }

  @Override
  public Response toResponse(Throwable thrown) {
    if (thrown instanceof NotStarted || thrown instanceof StoreUnavailable) {
      return toResponse(new Unavailable(String.valueOf(thrown.getMessage())));
    }
    if (thrown instanceof Problem) {
      Response.ResponseBuilder problem =
          problem(((Problem) thrown).status, String.valueOf(thrown.getMessage()));
      if (thrown instanceof Busy || thrown instanceof Unavailable) {
        problem.header(HttpHeaders.RETRY_AFTER, 1);
      }
      if (thrown instanceof TooMany) {
        problem.header(HttpHeaders.RETRY_AFTER, ((TooMany) thrown).wait.toSeconds());
      }
      if (thrown instanceof NotAdmitted) {
        problem.entity(withOffer((NotAdmitted) thrown));
      }
      return problem.build();
    }
    if (thrown instanceof WebApplicationException) {
      return ofFramework(((WebApplicationException) thrown).getResponse());
    }
    if (thrown instanceof Refused) {
      return problem(CONFLICT, String.valueOf(thrown.getMessage())).build();
    }
    if (thrown instanceof Absent) {
      return problem(NOT_FOUND, String.valueOf(thrown.getMessage())).build();
    }
    if (thrown instanceof Denied) {
      return problem(FORBIDDEN, String.valueOf(thrown.getMessage())).build();
    }
    if (thrown instanceof IllegalArgumentException) {
      return problem(BAD_REQUEST, String.valueOf(thrown.getMessage())).build();
    }
    if (thrown instanceof IOException) {
      return problem(BAD_REQUEST, "The body breaks off. Maybe the line did: send it again.")
          .build();
    }
    log.error("A request failed", thrown);
    return problem(
            SERVER_ERROR, "The request failed in a way nobody foresaw. Maybe look into the log.")
        .build();
  }

  private static Response ofFramework(Response original) {
    int status = original.getStatus();
    Response.ResponseBuilder problem = problem(status, wayOut(status));
    String allow = original.getHeaderString(HttpHeaders.ALLOW);
    return allow == null ? problem.build() : problem.header(HttpHeaders.ALLOW, allow).build();
  }

  private static String wayOut(int status) {
    String document = " Maybe v1/openapi.json lists what you mean.";
    switch (status) {
      case NOT_FOUND:
        return "There is nothing at this address." + document;
      case METHOD_NOT_ALLOWED:
        return "The method is not one that this address takes." + document;
      case NOT_ACCEPTABLE:
        return "The answer cannot be had in a form that Accept allows. Maybe leave Accept out.";
      case UNSUPPORTED:
        return "The Content-Type is not one that this address takes." + document;
      default:
        return "The request cannot be read." + document;
    }
  }

  private static Response.ResponseBuilder problem(int status, String detail) {
    return Response.status(status).type(MEDIA_TYPE).entity(text(status, detail));
  }

  private static String withOffer(NotAdmitted refusal) {
    ObjectNode problem = json(CONFLICT, String.valueOf(refusal.getMessage()));
    refusal
        .answer
        .counterOffer()
        .ifPresent(offer -> problem.set("counterOffer", ReservationJson.when(offer)));
    return problem.toString();
  }

  public static String text(int status, String detail) {
    return json(status, detail).toString();
  }

  private static ObjectNode json(int status, String detail) {
    return Json.object()
        .put("type", "about:blank")
        .put("title", title(status, Response.Status.fromStatusCode(status)))
        .put("status", status)
        .put("detail", Quoted.clipped(detail));
  }

  private static String title(int status, Response.@Nullable Status known) {
    if (known != null) {
      return known.getReasonPhrase();
    }
    return status == UNPROCESSABLE ? "Unprocessable Content" : "Refused";
  }
}
