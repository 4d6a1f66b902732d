package org.paceline.northbound.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import org.paceline.control.api.RequestService;
import org.paceline.control.audit.Request;
import org.paceline.control.port.Records;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.northbound.rest.view.Json;

/**
 * Makes a write with an Idempotency-Key safe to send again: it is carried out once, and every
 * repetition gets the first answer. Those that come while it runs wait for it, but for questions,
 * which may run for minutes: each that waits holds a thread of the web server's. What a crash cut
 * off is asked for again when it is sent again, under the name that it had: what bears that name
 * already is the answer.
 */
public final class IdempotencyFilter {
  public static final String KEY = "Idempotency-Key";
  public static final String REPLAYED = "Idempotency-Replayed";

  /** How long a repeated write waits for the first. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final int NO_CONTENT = 204;
  private static final int SERVER_ERRORS = 500;
  private static final Pattern VALID = Pattern.compile("[!-~]{1,255}");
  private static final String RUNNING = IdempotencyFilter.class.getName();

  private final Supplier<RequestService> requests;
  private final Map<String, CountDownLatch> running = new ConcurrentHashMap<>();
  private final KeptAnswers kept = new KeptAnswers();

  IdempotencyFilter(Supplier<RequestService> requests) {
    this.requests = requests;
  }

  /**
   * Answers by itself where the answer is known; waits where the same is being done.
   *
   * @param patience how long it waits
   */
  void look(ContainerRequestContext request, Duration patience) throws IOException {
    if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
      return;
    }
    // The ticket is looked at before anything is done.
    Caller.author(request);
    int most = DocumentLimits.REQUEST.bytes();
    byte[] body = request.getEntityStream().readNBytes(most + 1);
    if (body.length > most) {
      throw new Problems.TooLarge(
          "The body is longer than " + most + " bytes. Maybe it is not the one you meant.");
    }
    request.setEntityStream(new ByteArrayInputStream(body));
    String key = request.getHeaderString(KEY);
    if (key != null) {
      once(request, key, fingerprint(request, body), patience);
    }
  }

  private void once(
      ContainerRequestContext request, String key, String fingerprint, Duration patience) {
    if (!VALID.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "The " + KEY + " must be 1 to 255 visible characters. Maybe a UUID.");
    }
    // Two callers never mean the same by a key.
    String name = hash((Caller.name(request) + "\n" + key).getBytes(StandardCharsets.UTF_8));
    CountDownLatch mine = new CountDownLatch(1);
    long until = System.nanoTime() + patience.toNanos();
    CountDownLatch other = running.putIfAbsent(name, mine);
    while (other != null) {
      await(other, until);
      other = running.putIfAbsent(name, mine);
    }
    Optional<Run> started = Optional.empty();
    try {
      started = begin(request, name, fingerprint, mine);
    } finally {
      if (started.isEmpty()) {
        end(name, mine);
      }
    }
    started.ifPresent(run -> request.setProperty(RUNNING, run));
  }

  /** The request's own name, which what it makes keeps: a key is anybody's again in a day. */
  public static Optional<Request> name(ContainerRequestContext request) {
    Object property = request.getProperty(RUNNING);
    return property instanceof Run ? Optional.of(((Run) property).request) : Optional.empty();
  }

  /** Empty where the answer is known already. */
  private Optional<Run> begin(
      ContainerRequestContext request, String name, String fingerprint, CountDownLatch done) {
    Records<String> answers = requests.get().answers();
    Optional<JsonNode> known = answers.find(name).map(Json::parse);
    if (known.isPresent()) {
      if (!known.get().path("request").asText().equals(fingerprint)) {
        throw new Problems.Unprocessable(
            "This " + KEY + " came before with another request. Maybe use a new one.");
      }
      if (known.get().has("status")) {
        request.abortWith(replay(known.get()));
        return Optional.empty();
      }
    }
    Request named =
        known
            .map(cut -> Request.of(cut.path("id").asText(), Instant.parse(cut.path("at").asText())))
            .orElseGet(() -> Request.of(UUID.randomUUID().toString(), Instant.now()));
    Run run = new Run(named, Caller.name(request), name, fingerprint, done);
    kept.add(answers, run.caller, name, named.firstAt());
    if (known.isPresent() && isRemoved(request, named)) {
      JsonNode record = run.record().put("status", NO_CONTENT);
      answers.replace(name, record.toString());
      request.abortWith(replay(record));
      return Optional.empty();
    }
    answers.replace(name, run.record().toString());
    return Optional.of(run);
  }

  /** What is gone by this request cannot be found any more; of all else the answer can be. */
  private boolean isRemoved(ContainerRequestContext request, Request cutOff) {
    return request.getMethod().equals("DELETE") && requests.get().wasMade(cutOff);
  }

  /** The answer is the one that every repetition gets. */
  void remember(ContainerRequestContext request, ContainerResponseContext answer) {
    Object property = request.getProperty(RUNNING);
    if (!(property instanceof Run)) {
      return;
    }
    Run run = (Run) property;
    try {
      Records<String> answers = requests.get().answers();
      if (answer.getStatus() >= SERVER_ERRORS) {
        // It may go better when it is sent again.
        kept.remove(answers, run.caller, run.name);
      } else {
        ObjectNode record = run.record().put("status", answer.getStatus());
        if (answer.hasEntity()) {
          record
              .put("type", String.valueOf(answer.getMediaType()))
              .put("body", String.valueOf(answer.getEntity()));
        }
        String location = answer.getHeaderString(HttpHeaders.LOCATION);
        if (location != null) {
          record.put("location", location);
        }
        kept.answer(answers, run.caller, run.name, record.toString());
      }
    } finally {
      end(run.name, run.done);
    }
  }

  private void end(String name, CountDownLatch done) {
    running.remove(name, done);
    done.countDown();
  }

  private static void await(CountDownLatch other, long until) {
    try {
      if (!other.await(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        throw new Problems.Busy(
            "The first request with this " + KEY + " is still at work. Maybe send it again soon.");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Problems.Unavailable("Paceline stops.", stopped);
    }
  }

  private static Response replay(JsonNode record) {
    Response.ResponseBuilder again =
        Response.status(record.path("status").asInt()).header(REPLAYED, "true");
    if (record.has("location")) {
      again.header(HttpHeaders.LOCATION, record.path("location").asText());
    }
    if (record.has("body")) {
      again.type(record.path("type").asText()).entity(record.path("body").asText());
    }
    return again.build();
  }

  private static String fingerprint(ContainerRequestContext request, byte[] body) {
    String head =
        request.getMethod().toUpperCase(Locale.ROOT)
            + "\n"
            + address(request.getUriInfo().getRequestUri())
            + "\n"
            + request.getMediaType()
            + "\n"
            + hash(body);
    return hash(head.getBytes(StandardCharsets.UTF_8));
  }

  /** With the query, which may say what is to be done. */
  private static String address(URI asked) {
    String query = asked.getRawQuery();
    return asked.getRawPath() + (query == null ? "" : "?" + query);
  }

  private static String hash(byte[] bytes) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** A write under way. */
  private static final class Run {
    private final Request request;
    private final String caller;
    private final String name;
    private final String fingerprint;
    private final CountDownLatch done;

    Run(Request request, String caller, String name, String fingerprint, CountDownLatch done) {
      this.request = request;
      this.caller = caller;
      this.name = name;
      this.fingerprint = fingerprint;
      this.done = done;
    }

    ObjectNode record() {
      return Json.object()
          .put("id", request.id())
          .put("by", caller)
          .put("request", fingerprint)
          .put("at", request.firstAt().toString());
    }
  }
}
