package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.control.ManualWorker;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Retention;
import org.paceline.control.audit.Subject;
import org.paceline.intents.unit.DataRate;
import org.paceline.northbound.files.RecordFiles;
import org.paceline.northbound.rest.operations.ChangesResource;
import org.paceline.northbound.rest.request.IdempotencyFilter;
import org.paceline.northbound.rest.view.Json;

final class RestTest {
  private static final String CALL =
      "{\"id\":\"call\",\"intent\":\"voip\",\"localAddress\":\"10.0.0.1\","
          + "\"remoteAddress\":\"10.0.0.2\"}";
  private static final String SLOW_WEB = "{\"maximumRateKbps\":300,\"utilityFunction\":\"web\"}";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void whatTheFrameworkRefusesIsAProblemDocumentToo() {
    assertThat(rest.get("nothing").status).isEqualTo(404);
    RestClient.Answer wrongMethod = rest.send("DELETE", "state", "");
    assertThat(wrongMethod.status).isEqualTo(405);
    assertThat(wrongMethod.response.getHeaderString("Allow")).contains("GET");
    assertThat(send("POST", "conversations", CALL, "Content-Type", "text/plain").status)
        .isEqualTo(415);
    assertThat(send("GET", "state", "", "Accept", "image/png").status).isEqualTo(406);
    assertThat(rest.send("POST", "conversations", "{").status).isEqualTo(400);
    assertThat(rest.send("POST", "conversations", "[]").status).isEqualTo(400);
    assertThat(rest.send("PUT", "intents", "").status).isEqualTo(400);
  }

  @Test
  void anAgentsConversationIsNotEndedByHandThoughItsHostCannotPace() throws InterruptedException {
    paceline.talk("call", "voip");
    paceline.settle();
    RestClient.Answer refused = rest.send("DELETE", "conversations/h1/call", "");
    assertThat(refused.status).isEqualTo(409);
    assertThat(refused.text).contains("(h1/call) belongs to an agent");
    assertThat(rest.get("conversations/h1/call").status).isEqualTo(200);
    assertThat(paceline.log()).isEmpty();
  }

  @Test
  void aChangeThatIsNotKeptAnyMoreIsInTheFileThatTheRefusalNames(@TempDir Path directory)
      throws IOException {
    for (int n = 1; n <= 210; n++) {
      paceline
          .changes()
          .carryOut(
              Author.of("anna", Optional.of("CHG-" + n)),
              Subject.of(Subject.Kind.CONVERSATION, "call"),
              "It is changed.",
              "{\"n\": " + n + "}\n",
              "früher",
              "",
              at -> true);
    }
    List<String> shown = new ArrayList<>();
    for (int n = 1; n <= 100; n++) {
      shown.add(rest.get("changes/" + n).text);
    }
    ManualWorker time = new ManualWorker();
    new Retention(
            List.of(
                paceline
                    .changes()
                    .retention(
                        () -> 100,
                        new RecordFiles<>(directory, "changes", "n1", ChangesResource::json))),
            time,
            time)
        .start();
    time.pass(Duration.ZERO);
    Path file = directory.resolve("changes-000000001-000000100.jsonl");
    assertThat(Files.readAllLines(file)).isEqualTo(shown);
    RestClient.Answer gone = rest.get("changes/100");
    assertThat(gone.status).isEqualTo(404);
    assertThat(gone.text).contains("(100) is not kept here any more. It was exported to (" + file);
    assertThat(rest.get("changes/211").text).contains("There is no change (211).");
    assertThat(rest.get("changes/101").status).isEqualTo(200);
    assertThat(rest.get("changes?limit=1000").json().path("changes")).hasSize(110);
    assertThat(rest.get("changes?before=103").json().path("changes")).hasSize(2);
    assertThat(rest.get("changes?before=50").json().path("changes")).isEmpty();
  }

  @Test
  void linksHaveWhatTheirSwitchCounts() {
    RestClient.Answer links = rest.get("links");
    JsonNode up = link(links.json(), "h1");
    // The address: nobody told the controller a name.
    assertThat(up.path("fromName").asText()).isEqualTo("10.0.0.1");
    assertThat(up.path("toName").asText()).isEqualTo("s1");
    assertThat(up.path("measuredKbps").asInt()).isEqualTo(1_234);
    assertThat(up.path("smoothedKbps").asInt()).isEqualTo(1_234);
    assertThat(up.path("utilisation").asDouble())
        .isEqualTo(Math.round(1e3 * 1_234 / up.path("capacityKbps").asDouble()) / 1e3);
    assertThat(up.path("measuredAtMs").isIntegralNumber()).isTrue();
    assertThat(up.path("measuredOverMs").asInt()).isEqualTo(1_000);
    assertThat(up.path("droppedPackets").asInt()).isEqualTo(5);
    assertThat(up.path("droppedPacketsEver").asInt()).isEqualTo(5);
    assertThat(link(links.json(), "h2").has("measuredKbps")).isFalse();
    assertThat(link(links.json(), "h2").has("utilisation")).isFalse();
  }

  private static JsonNode link(JsonNode links, String from) {
    for (JsonNode link : links.path("links")) {
      if (link.path("from").asText().equals(from)) {
        return link;
      }
    }
    throw new AssertionError("no link from " + from);
  }

  @Test
  void numbersAreWrittenWithoutExponents() {
    DataRate fast = DataRate.ofKilobitsPerSecond(100_000_000);
    Instant time = Instant.parse("2026-11-23T08:00:00.000001Z");
    assertThat(
            Json.object()
                .put("rate", Json.kbps(fast))
                .put("least", Json.kbps(DataRate.ofMillibitsPerSecond(1)))
                .put("time", Json.millis(time))
                .toString())
        .isEqualTo("{\"rate\":100000000,\"least\":0.000001,\"time\":1795420800000.001}");
  }

  @Test
  void aConversationIsAnnouncedOnceEndedAndLogged() throws InterruptedException {
    assertThat(rest.send("POST", "conversations", CALL).status).isEqualTo(201);
    assertThat(rest.get("conversations/announced/call").status).isEqualTo(200);
    assertThat(rest.send("POST", "conversations", CALL).status).isEqualTo(409);
    paceline.settle();
    assertThat(rest.get("explain/announced/call").status).isEqualTo(200);
    assertThat(rest.send("DELETE", "conversations/announced/call", "").status).isEqualTo(204);
    assertThat(rest.send("DELETE", "conversations/announced/call", "").status).isEqualTo(404);
    assertThat(paceline.log()).hasSize(2);
    assertThat(rest.get("changes/1").json().path("body").asText()).isEqualTo(CALL);
    assertThat(rest.get("changes/2").json().path("before").asText()).contains("announced/call");
  }

  @Test
  void conversationsComeInPagesAndByWhatIsAskedFor() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      paceline.talk("web" + i, "web/page");
      paceline.talk("call" + i, "voip");
    }
    paceline.settle();
    List<String> seen = new ArrayList<>();
    String next = "conversations?limit=3";
    while (!next.isEmpty()) {
      JsonNode page = rest.get(next).json();
      assertThat(page.path("total").asInt()).isEqualTo(10);
      page.path("conversations").forEach(each -> seen.add(each.path("id").asText()));
      next = page.has("next") ? "conversations?limit=3&after=" + page.path("next").asText() : "";
    }
    assertThat(seen).hasSize(10).isSorted().doesNotHaveDuplicates();
    assertThat(rest.get("conversations?intent=web").json().path("total").asInt()).isEqualTo(5);
    assertThat(rest.get("conversations?host=h2").json().path("total").asInt()).isZero();
    assertThat(rest.get("conversations?limit=0").status).isEqualTo(400);
    assertThat(rest.get("conversations?after=x").status).isEqualTo(400);
  }

  @Test
  void aPolicyIsDraftedComparedCommittedAndRolledBack() throws InterruptedException {
    paceline.talk("web", "web-browsing/science_lab");
    paceline.settle();
    String now = rest.get("intents").text;
    String draft = rest.get("policy/file").text;
    String slow =
        draft.replace("{class: web-browsing}", "{class: web-browsing, maximumRateKbps: 300}");
    assertThat(slow).isNotEqualTo(draft);
    RestClient.Answer kept =
        send("PUT", "policy/drafts/CHG1", slow, "Content-Type", "application/yaml");
    assertThat(kept.status).as(kept.text).isEqualTo(200);
    assertThat(rest.get("intents").text).isEqualTo(now);
    JsonNode difference = rest.get("policy/drafts/CHG1/difference").json();
    assertThat(difference.path("losers").asInt()).isEqualTo(1);
    assertThat(difference.path("nodes").path(0).asText()).isEqualTo("web-browsing");
    assertThat(
            rest.send("POST", "policy/drafts/CHG1/commit", "{\"confirmWithinSeconds\":60}").status)
        .isEqualTo(200);
    assertThat(rest.get("policy").json().has("confirmUntil")).isTrue();
    assertThat(rest.send("PUT", "intents", now).status).isEqualTo(409);
    assertThat(rest.send("POST", "policy/confirm", "{}").status).isEqualTo(200);
    assertThat(rest.get("intents").text).isNotEqualTo(now);
    // Version 3 only confirms version 2: going back means behind both.
    RestClient.Answer nothing = rest.send("POST", "policy/rollback", "{\"to\":2}");
    assertThat(nothing.status).isEqualTo(409);
    assertThat(nothing.json().path("detail").asText()).contains("nothing would change");
    JsonNode back = rest.send("POST", "policy/rollback", "{}").json();
    assertThat(back.path("reason").asText()).isEqualTo("Back to version 1.");
    assertThat(back.path("changed").toString()).isEqualTo("[\"web-browsing\"]");
    assertThat(rest.get("intents").text).isEqualTo(now);
    assertThat(rest.get("policy/versions").json().path("versions")).hasSize(4);
    assertThat(rest.get("policy/versions/2").json().path("intents").toString()).contains("300");
  }

  @Test
  void theYamlFileComesBackAsItWent() {
    String file = rest.get("policy/file").text;
    assertThat(send("PUT", "policy/file", file, "Content-Type", "application/yaml").status)
        .isEqualTo(200);
    assertThat(rest.get("policy/file").text).isEqualTo(file);
    assertThat(paceline.log()).isEmpty();
    RestClient.Answer bomb =
        send("PUT", "policy/file", "a: &a [*a]", "Content-Type", "application/yaml");
    assertThat(bomb.status).isEqualTo(400);
  }

  @Test
  void aWriteThatIsSentAgainGetsTheFirstAnswer() {
    Map<String, String> key = Map.of("Idempotency-Key", "k1", "Change-Ticket", "CHG0030001");
    RestClient.Answer first = put("intents/web", SLOW_WEB, key);
    RestClient.Answer again = put("intents/web", SLOW_WEB, key);
    assertThat(first.status).as(first.text).isEqualTo(201);
    assertThat(again.text).isEqualTo(first.text);
    assertThat(again.response.getHeaderString(IdempotencyFilter.REPLAYED)).isEqualTo("true");
    assertThat(put("intents/web", "{}", key).status).isEqualTo(422);
    assertThat(paceline.log()).hasSize(1);
    assertThat(rest.get("changes?ticket=CHG0030001").json().path("changes")).hasSize(1);
    assertThat(rest.get("changes?ticket=CHG2").json().path("changes")).isEmpty();
  }

  @Test
  void aHundredAtOnceWithOneKeyMakeOneObject() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(100);
    try {
      List<Future<RestClient.Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        answers.add(
            clients.submit(() -> send("POST", "conversations", CALL, "Idempotency-Key", "k1")));
      }
      Set<String> texts = new HashSet<>();
      for (Future<RestClient.Answer> answer : answers) {
        assertThat(answer.get().status).isEqualTo(201);
        texts.add(answer.get().text);
      }
      assertThat(texts).hasSize(1);
      assertThat(paceline.log()).hasSize(1);
      paceline.settle();
      assertThat(rest.get("conversations").json().path("total").asInt()).isEqualTo(1);
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void aTicketThatALogCannotShowIsRefusedBeforeAnythingIsDone() {
    assertThat(put("intents/web", SLOW_WEB, Map.of("Change-Ticket", "CHG 1")).status)
        .isEqualTo(400);
    assertThat(paceline.log()).isEmpty();
  }

  private RestClient.Answer put(String path, String body, Map<String, String> headers) {
    return rest.send("PUT", path, body, Set.of("admin"), headers);
  }

  private RestClient.Answer send(
      String method, String path, String body, String header, String value) {
    return rest.send(method, path, body, Set.of("admin"), Map.of(header, value));
  }
}
