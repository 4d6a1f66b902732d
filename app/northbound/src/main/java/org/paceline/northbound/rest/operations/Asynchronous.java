package org.paceline.northbound.rest.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Operations;
import org.paceline.control.operations.Outcome;
import org.paceline.control.operations.Turns;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Problems;
import org.paceline.northbound.rest.view.OperationJson;

/**
 * Answers a request whose work may take long: with the result, or, where the client would rather
 * not wait ({@code Prefer: respond-async}, RFC 7240), at once with an operation to ask for later.
 */
public final class Asynchronous {
  private static final int ACCEPTED = 202;
  private static final int UNAVAILABLE = 503;

  /** What came of work that the controller did not live to end. */
  public static final Outcome CUT_OFF =
      Outcome.failed(
          Problems.text(
              UNAVAILABLE,
              "The controller was started anew while this was under way. Maybe look whether it was"
                  + " done, and send the request again with a new key."));

  public static final String PREFER = "Prefer";

  private static final String WISH = "respond-async";

  private Asynchronous() {}

  /**
   * @param does for a person
   * @param work must not look at the request: it may be over by then
   */
  public static Response answer(
      Operations operations,
      ContainerRequestContext request,
      String does,
      Supplier<ObjectNode> work) {
    return isWished(request)
        ? accepted(
            request,
            operations.start(
                Caller.name(request), does, () -> work.get().toString(), Asynchronous::problem))
        : answered(work.get());
  }

  /**
   * The same, for what is reckoned and changes nothing: in turn with all that others ask so. A
   * question that takes long to read is best read by the work, too.
   */
  public static Response answerInTurn(
      Operations operations,
      ContainerRequestContext request,
      String does,
      Supplier<ObjectNode> work) {
    if (!isWished(request)) {
      return answered(inTurn(operations, request, work));
    }
    String caller = Caller.name(request);
    Optional<Turns.NotNow> debt = operations.turns().debt(caller);
    if (debt.isPresent()) {
      throw tooMany(debt.get());
    }
    return accepted(
        request, operations.ask(caller, does, () -> work.get().toString(), Asynchronous::problem));
  }

  private static Response answered(ObjectNode answer) {
    return Response.ok(answer.toString(), MediaType.APPLICATION_JSON_TYPE).build();
  }

  /** What is reckoned, for whom it never takes so long that they would rather not wait. */
  public static <T> T inTurn(
      Operations operations, ContainerRequestContext request, Supplier<T> work) {
    return operations.turns().now(Caller.name(request), work, Asynchronous::tooMany);
  }

  private static Problems.TooMany tooMany(Turns.NotNow refusal) {
    return new Problems.TooMany(refusal.why, refusal.comeAgain);
  }

  private static Response accepted(ContainerRequestContext request, Optional<Operation> begun) {
    Operation operation =
        begun.orElseThrow(
            () ->
                new Problems.Unavailable(
                    "Too many operations are under way. Maybe wait for one of yours."));
    return Response.status(ACCEPTED)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header(
            HttpHeaders.LOCATION,
            request.getUriInfo().getBaseUri().getPath() + "v1/operations/" + operation.id())
        .header("Preference-Applied", WISH)
        .header(HttpHeaders.RETRY_AFTER, 1)
        .entity(OperationJson.of(operation).toString())
        .build();
  }

  private static boolean isWished(ContainerRequestContext request) {
    String preferences = request.getHeaderString(PREFER);
    return preferences != null
        && Stream.of(preferences.split(","))
            .map(each -> each.split(";", 2)[0].trim().toLowerCase(Locale.ROOT))
            .anyMatch(WISH::equals);
  }

  private static String problem(Throwable refused) {
    return String.valueOf(new Problems().toResponse(refused).getEntity());
  }
}
