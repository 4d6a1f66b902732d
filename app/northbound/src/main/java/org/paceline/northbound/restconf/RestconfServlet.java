package org.paceline.northbound.restconf;

import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.paceline.control.api.UseCases;
import org.paceline.control.port.StoreUnavailable;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.northbound.restconf.data.ClassData;
import org.paceline.northbound.restconf.data.ConversationData;
import org.paceline.northbound.restconf.data.ElephantData;
import org.paceline.northbound.restconf.data.LedgerData;
import org.paceline.northbound.restconf.data.PlanData;
import org.paceline.northbound.restconf.data.TopologyData;
import org.paceline.northbound.service.NotStarted;
import org.paceline.northbound.service.WebServices;
import org.paceline.yang.PacelineModel;
import org.paceline.yang.restconf.EventStreams;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.Restconf;
import org.paceline.yang.restconf.message.EventStream;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP for {@link Restconf}. The model is read with the first request, for it takes some seconds of
 * a processor that ONOS needs while it starts, and many never ask.
 */
// The container calls init before anything else.
@SuppressWarnings("NullAway.Init")
public final class RestconfServlet extends HttpServlet {
  /** Below the bundle's web context. */
  public static final String PATH = "/restconf";

  public static final String ROOT = "/onos/paceline" + PATH;

  private static final Logger log = LoggerFactory.getLogger(RestconfServlet.class);
  private static final int TOO_LARGE = 413;
  private static final int TOO_MANY = 429;
  private static final long serialVersionUID = 1;

  private transient volatile Optional<Restconf<Requester>> opened = Optional.empty();
  private transient WebServices services;

  @Override
  public void init() {
    services = WebServices.of(getServletContext());
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!Requester.mayLook(request)) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "access-denied",
          "The role viewer is lacking. Maybe ask whoever keeps the users of ONOS.");
      return;
    }
    Reply reply;
    try {
      Optional<Duration> wait = useCases().requests().limit().refuse(Requester.name(request));
      if (wait.isPresent()) {
        response.setHeader("Retry-After", Long.toString(wait.get().toSeconds()));
        refuse(
            response,
            TOO_MANY,
            "resource-denied",
            "These are more requests than requestsPerSecond allows. Maybe send it again later.");
        return;
      }
      int most = DocumentLimits.REQUEST.bytes();
      byte[] body = request.getInputStream().readNBytes(most + 1);
      if (body.length > most) {
        refuse(response, TOO_LARGE, "too-big", "The body has more than " + most + " bytes.");
        return;
      }
      reply =
          restconf()
              .answer(
                  new Requester(request, body),
                  request.getMethod(),
                  path(request),
                  Optional.ofNullable(request.getQueryString()).orElse(""),
                  headers(request),
                  body);
    } catch (NotStarted | StoreUnavailable unavailable) {
      refuse(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "operation-failed",
          String.valueOf(unavailable.getMessage()));
      return;
    } catch (RuntimeException e) {
      log.error("A RESTCONF request failed", e);
      refuse(
          response,
          HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
          "operation-failed",
          "The request failed in a way nobody foresaw. Maybe look into the log.");
      return;
    }
    response.setStatus(reply.status());
    if (reply.events().isPresent()) {
      try (EventStream.Listener events = reply.events().get()) {
        EventWriter.send(events, response);
      }
      return;
    }
    reply.headers().forEach(response::setHeader);
    if (reply.body().isPresent()) {
      // Of the type that is in the headers.
      write(response, reply.body().get().toString());
    }
  }

  private Restconf<Requester> restconf() {
    Optional<Restconf<Requester>> ready = opened;
    if (ready.isPresent()) {
      return ready.get();
    }
    synchronized (this) {
      if (opened.isEmpty()) {
        opened = Optional.of(open());
      }
      return opened.get();
    }
  }

  private Restconf<Requester> open() {
    long begin = System.nanoTime();
    ReservationOperations reservations = new ReservationOperations(() -> useCases().reservations());
    Map<String, Operation<Requester>> operations = new TreeMap<>(reservations.all());
    PolicyOperations policy =
        new PolicyOperations(() -> useCases().policy(), () -> useCases().operations());
    operations.putAll(policy.all());
    SettingOperations settings = new SettingOperations(() -> useCases().settings());
    operations.putAll(settings.all());
    CeilingOperations ceilings = new CeilingOperations(() -> useCases().policy());
    operations.putAll(ceilings.all());
    EnrolmentOperations enrolment =
        new EnrolmentOperations(() -> useCases().enrolment(), () -> useCases().certificates());
    operations.putAll(enrolment.all());
    operations.put(
        "paceline-explain:explain",
        new InTurn(
            new ExplainOperation(() -> useCases().conversations()), () -> useCases().operations()));
    Restconf<Requester> restconf =
        new Restconf<>(
            ROOT,
            PacelineModel.load(),
            new PolicyConfiguration(() -> useCases().policy()),
            Map.ofEntries(
                Map.entry(
                    "paceline-conversations:conversations",
                    () -> ConversationData.of(useCases().conversations())),
                Map.entry("paceline-plan:plan", () -> PlanData.of(useCases().state())),
                Map.entry("paceline-policy:policy", policy::data),
                Map.entry("paceline-reservations:reservations", reservations::data),
                Map.entry("paceline-settings:settings", settings::data),
                Map.entry("paceline-ceilings:ceilings", ceilings::data),
                Map.entry("paceline-enrolment:enrolment-tokens", enrolment.tokens()),
                Map.entry("paceline-enrolment:agent-certificates", enrolment.certificates()),
                Map.entry(
                    "paceline-classes:classes", () -> ClassData.of(useCases().conversations())),
                Map.entry(
                    "paceline-ledger:ledger", () -> LedgerData.of(useCases().conversations())),
                Map.entry(
                    "paceline-elephants:elephants",
                    () -> ElephantData.of(useCases().elephants(), useCases().reservations())),
                Map.entry(
                    "ietf-network-state:networks", () -> TopologyData.of(useCases().network()))),
            operations,
            () -> services.find(EventStreams.class).orElseThrow(NotStarted::new));
    log.info("RESTCONF: the YANG model was read in {} ms", (System.nanoTime() - begin) / 1_000_000);
    return restconf;
  }

  private UseCases useCases() {
    return services.find(UseCases.class).orElseThrow(NotStarted::new);
  }

  /** As it came over the wire: a key may hold an encoded slash. */
  private static String path(HttpServletRequest request) {
    String uri = request.getRequestURI();
    return uri.substring(uri.indexOf(PATH) + PATH.length());
  }

  private static Map<String, String> headers(HttpServletRequest request) {
    Map<String, String> headers = new TreeMap<>();
    Collections.list(request.getHeaderNames())
        .forEach(
            name ->
                headers.put(name, String.join(",", Collections.list(request.getHeaders(name)))));
    return headers;
  }

  public static void refuse(HttpServletResponse response, int status, String tag, String message)
      throws IOException {
    response.setStatus(status);
    response.setContentType(Request.MEDIA_TYPE);
    write(
        response,
        "{\"ietf-restconf:errors\":{\"error\":[{\"error-type\":\"application\",\"error-tag\":\""
            + tag
            + "\",\"error-message\":"
            + new JsonPrimitive(message)
            + "}]}}");
  }

  private static void write(HttpServletResponse response, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
