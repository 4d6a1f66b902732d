package org.paceline.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.SecurityContext;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.jspecify.annotations.Nullable;
import org.paceline.control.audit.User;
import org.paceline.northbound.rest.document.DocumentResource;
import org.paceline.northbound.rest.document.OpenApi;
import org.paceline.northbound.rest.request.Problems;
import org.paceline.northbound.rest.view.Json;

/**
 * Sends requests to the web application as ONOS's servlet does, and refuses an answer that the
 * OpenAPI document does not know.
 */
final class RestClient {
  private static final URI BASE = URI.create("http://onos/onos/paceline/");
  private static final int FIRST_REFUSAL = 400;

  private static final JsonNode DOCUMENT = OpenApi.of(DocumentResource.RESOURCES);

  /** Whose request was sent last. The web application asks at each request. */
  private static final AtomicReference<@Nullable SmallPaceline> ASKED = new AtomicReference<>();

  /** One for all, as in ONOS. To make another takes as long as a hundred requests. */
  private static final ApplicationHandler APPLICATION =
      new ApplicationHandler(new PacelineRest(() -> Objects.requireNonNull(ASKED.get())));

  private final SmallPaceline paceline;
  private final String user;

  RestClient(SmallPaceline paceline) {
    this(paceline, "anna");
  }

  private RestClient(SmallPaceline paceline, String user) {
    this.paceline = paceline;
    this.user = user;
  }

  /** The same for somebody else, whose questions wait for none of anna's. */
  RestClient of(String somebodyElse) {
    return new RestClient(paceline, somebodyElse);
  }

  /** What came back. */
  static final class Answer {
    final int status;
    final String type;
    final String text;
    final ContainerResponse response;

    Answer(ContainerResponse response) {
      this.response = response;
      this.status = response.getStatus();
      this.type = String.valueOf(response.getMediaType());
      this.text = response.hasEntity() ? String.valueOf(response.getEntity()) : "";
    }

    JsonNode json() {
      return Json.parse(text);
    }

    @Override
    public String toString() {
      return status + " " + type + " " + text;
    }
  }

  Answer get(String path) {
    return send("GET", path, "", Set.of("admin"), Map.of());
  }

  Answer send(String method, String path, String body) {
    return send(method, path, body, Set.of("admin"), Map.of());
  }

  Answer send(
      String method, String path, String body, Set<String> roles, Map<String, String> headers) {
    return send(method, path, body, roles, headers, () -> {});
  }

  /**
   * @param halfway when the server reads the body
   */
  Answer send(
      String method,
      String path,
      String body,
      Set<String> roles,
      Map<String, String> headers,
      Runnable halfway) {
    URI address = BASE.resolve("v1/" + path);
    ContainerRequest request =
        new ContainerRequest(
            BASE, address, method, new Login(user, roles), new MapPropertiesDelegate());
    if (!body.isEmpty()) {
      request.header("Content-Type", MediaType.APPLICATION_JSON);
    }
    headers.forEach(
        (name, value) -> {
          request.getHeaders().remove(name);
          request.header(name, value);
        });
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    InputStream first = new ByteArrayInputStream(bytes, 0, bytes.length / 2);
    InputStream rest =
        new ByteArrayInputStream(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
    Deque<Runnable> waiting = new ArrayDeque<>(List.of(halfway));
    request.setEntityStream(
        new SequenceInputStream(
            first,
            new FilterInputStream(rest) {
              @Override
              public int read(byte[] into, int at, int length) throws IOException {
                Optional.ofNullable(waiting.poll()).ifPresent(Runnable::run);
                return super.read(into, at, length);
              }
            }));
    ASKED.set(paceline);
    try {
      Answer answer = new Answer(APPLICATION.apply(request).get());
      check(request, answer);
      return answer;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(method + " " + path + " has no answer", e);
    }
  }

  /** The tree in force with another priority at one node. */
  String tree(String node, int priority) {
    JsonNode tree = get("intents").json();
    for (JsonNode each : tree.path("intents")) {
      if (each.path("class").asText().equals(node) && !each.has("intent")) {
        ((ObjectNode) each).put("priority", priority);
      }
    }
    return tree.toString();
  }

  private void check(ContainerRequest request, Answer answer) {
    if (answer.status >= FIRST_REFUSAL) {
      JsonNode problem = answer.json();
      if (!answer.type.equals(Problems.MEDIA_TYPE)
          || problem.path("status").asInt() != answer.status
          || problem.path("detail").asText().isEmpty()
          || answer.status >= 500) {
        throw new AssertionError("no good problem document: " + answer);
      }
    }
    Method method = matched(request);
    if (method != null) {
      JsonNode documented =
          DOCUMENT
              .path("paths")
              .path("/" + OpenApi.address(method))
              .path(request.getMethod().toLowerCase(Locale.ROOT))
              .path("responses");
      if (!documented.has(Integer.toString(answer.status))) {
        throw new AssertionError("not in the OpenAPI document: " + method + " " + answer);
      }
    }
  }

  private static @Nullable Method matched(ContainerRequest request) {
    var matched = request.getUriInfo().getMatchedResourceMethod();
    return matched == null ? null : matched.getInvocable().getDefinitionMethod();
  }

  /** Whoever has these roles. */
  private static final class Login implements SecurityContext {
    private final String user;
    private final Set<String> roles;

    Login(String user, Set<String> roles) {
      this.user = user;
      this.roles = roles;
    }

    @Override
    public Principal getUserPrincipal() {
      return User.of(user, roles);
    }

    @Override
    public boolean isUserInRole(String role) {
      return roles.contains(role);
    }

    @Override
    public boolean isSecure() {
      return true;
    }

    @Override
    public String getAuthenticationScheme() {
      return BASIC_AUTH;
    }
  }
}
