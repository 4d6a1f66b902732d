package org.paceline.northbound.rest.reservations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;
import org.paceline.control.api.ReservationService;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.User;
import org.paceline.control.model.ConversationId;
import org.paceline.control.operations.Operations;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Period;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.tree.IntentPath;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.request.Problems;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.ReservationJson;

/**
 * Rates that are asked for ahead, and transfers with deadlines: admitted and held, or refused with
 * what could be had.
 */
@Path("v1/reservations")
@Produces(MediaType.APPLICATION_JSON)
public final class ReservationsResource {
  private static final int CREATED = 201;

  private final Supplier<ReservationService> reservations;
  private final Supplier<Operations> operations;

  public ReservationsResource(
      Supplier<ReservationService> reservations, Supplier<Operations> operations) {
    this.reservations = reservations;
    this.operations = operations;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does =
          "What is held or committed and not over, in the order of its making, with the transfers"
              + " that were met or missed within a day.",
      answer = "Reservations")
  public String listReservations(@QueryParam("intent") @Nullable String intent) {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("reservations");
    reservations.get().all().stream()
        .filter(
            one ->
                intent == null
                    || node(one.reservation().requested()).isWithin(IntentPath.parse(intent)))
        .forEach(reservation -> list.add(ReservationJson.of(reservation)));
    return answer.toString();
  }

  @GET
  @Path("calendar")
  @Operation(
      needs = Role.VIEWER,
      does = "The times in which reservations have their rates, in order.",
      answer = "Calendar")
  public String getCalendar() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("periods");
    Period.of(reservations.get().reservations().all())
        .forEach(period -> list.add(ReservationJson.of(period)));
    return answer.toString();
  }

  @GET
  @Path("{reservation}")
  @Operation(
      needs = Role.VIEWER,
      does = "One that is not over.",
      answer = "Reservation",
      refuses = 404)
  public String getReservation(@PathParam("reservation") String id) {
    return ReservationJson.of(reservations.get().view(find(id))).toString();
  }

  @POST
  @Path("ask")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.VIEWER,
      does = "Whether a request would be admitted now, or what instead. Nothing is held or kept.",
      takes = "ReservationRequest",
      answer = "Admission")
  public String askReservation(byte[] body, @Context ContainerRequestContext request) {
    User user = Caller.user(request);
    return Asynchronous.inTurn(operations.get(), request, () -> ask(user, body)).toString();
  }

  private ObjectNode ask(User user, byte[] body) {
    ReservationRequest requested =
        known(ReservationJson.requested(Json.read(body, ReservationJson.REQUEST)));
    return ReservationJson.of(reservations.get().reservations().ask(user, requested));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does =
          "Holds a rate for a while, or so many bytes by a deadline, for a minute, or commits it at"
              + " once. Refused with 409 and a counterOffer.",
      takes = "WishToHold",
      success = CREATED,
      answer = "Reservation")
  public Response holdReservation(byte[] body, @Context ContainerRequestContext request) {
    Set<String> members = new TreeSet<>(ReservationJson.REQUEST);
    members.add("commit");
    JsonNode json = Json.read(body, members);
    return hold(request, body, ReservationJson.requested(json), Json.flag(json, "commit"));
  }

  @POST
  @Path("boost")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does =
          "Reserves, from now on and for a while, a rate for a conversation and those of the same"
              + " intent between its hosts. It ends by itself. Refused with 409 and a"
              + " counterOffer.",
      takes = "Boost",
      success = CREATED,
      answer = "Reservation",
      refuses = 404)
  public Response boostConversation(byte[] body, @Context ContainerRequestContext request) {
    JsonNode json = Json.read(body, Set.of("conversation", "rateKbps", "durationSeconds"));
    ConversationId id = conversation(Json.text(json, "conversation").orElse(""));
    ReservationRequest requested =
        reservations
            .get()
            .boost(id, ReservationJson.rate(json), ReservationJson.duration(json))
            .orElseThrow(
                () -> new Absent("There is no conversation (" + id + "). Maybe it has ended."));
    return hold(request, body, requested, true);
  }

  @POST
  @Path("{reservation}/commit")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Makes a held reservation firm.",
      takes = "Nothing",
      mayBeBodiless = true,
      answer = "Reservation",
      refuses = 404)
  public String commitReservation(
      @PathParam("reservation") String id, byte[] body, @Context ContainerRequestContext request) {
    Json.read(body, Set.of());
    Caller.user(request).mustBeAllowed(Set.of(node(find(id).requested())));
    return reservations
        .get()
        .desk()
        .commit(Caller.user(request), Caller.author(request), Json.text(body), id)
        .map(reservation -> ReservationJson.of(reservation).toString())
        .orElseThrow(() -> absent(id));
  }

  @DELETE
  @Path("{reservation}")
  @Operation(
      needs = Role.BRANCH,
      does = "Gives a held or committed reservation back.",
      success = 204,
      refuses = 404)
  public Response cancelReservation(
      @PathParam("reservation") String id, @Context ContainerRequestContext request) {
    Caller.user(request).mustBeAllowed(Set.of(node(find(id).requested())));
    if (!reservations.get().desk().cancel(Caller.author(request), "", id)) {
      throw absent(id);
    }
    return Response.noContent().build();
  }

  private Response hold(
      ContainerRequestContext request, byte[] body, ReservationRequest requested, boolean firm) {
    known(requested);
    Caller.user(request).mustBeAllowed(Set.of(node(requested)));
    AdmissionDecision answer =
        reservations
            .get()
            .desk()
            .reserve(
                Caller.user(request), Caller.author(request), Json.text(body), requested, firm);
    return answer
        .held()
        .map(held -> Response.status(CREATED).entity(ReservationJson.of(held).toString()).build())
        .orElseThrow(() -> new Problems.NotAdmitted(answer));
  }

  private ReservationRequest known(ReservationRequest requested) {
    return reservations.get().mustBeOfKnownIntent(requested);
  }

  private static ConversationId conversation(String name) {
    return ConversationId.tryParse(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The conversation ("
                        + name
                        + ") must be HOST/ID, as the list of conversations has it."));
  }

  private Reservation find(String id) {
    return reservations.get().reservations().find(id).orElseThrow(() -> absent(id));
  }

  private static Absent absent(String id) {
    return new Absent(
        "There is no reservation (" + id + "). Maybe its time is over: then ask again.");
  }

  private static IntentPath node(ReservationRequest requested) {
    return IntentPath.parse(requested.intent());
  }
}
