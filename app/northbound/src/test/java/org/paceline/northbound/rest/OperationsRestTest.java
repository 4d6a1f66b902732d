package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.operations.Turns;
import org.paceline.northbound.rest.request.IdempotencyFilter;

final class OperationsRestTest {
  private static final Set<String> ADMIN = Set.of("admin");
  private static final Map<String, String> ASYNC = Map.of("Prefer", "respond-async, wait=10");

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void aWhatIfThatNobodyWaitsForHasTheSameResult() throws InterruptedException {
    paceline.talk("a", "web-browsing");
    paceline.settle();
    String tree = rest.tree("voip", 9);
    RestClient.Answer begun = rest.send("POST", "whatif", tree, ADMIN, ASYNC);
    assertThat(begun.status).isEqualTo(202);
    assertThat(begun.json().path("state").asText()).isEqualTo("running");
    assertThat(begun.response.getHeaderString("Location"))
        .endsWith("/onos/paceline/v1/operations/" + begun.json().path("id").asText());
    assertThat(begun.response.getHeaderString("Preference-Applied")).isEqualTo("respond-async");
    JsonNode ended = ended(begun);
    assertThat(ended.path("state").asText()).isEqualTo("done");
    assertThat(ended.path("actor").asText()).isEqualTo("anna");
    assertThat(ended.path("result")).isEqualTo(rest.send("POST", "whatif", tree).json());
    assertThat(rest.get("operations").json().path("operations")).hasSize(1);
  }

  @Test
  void whoAsksTooManyAtATimeIsToldToComeAgainAndOthersAreServed() throws Exception {
    paceline.talk("a", "web-browsing");
    paceline.settle();
    CountDownLatch end = new CountDownLatch(1);
    Turns turns = paceline.operations().turns();
    Supplier<Boolean> work =
        () -> {
          try {
            return end.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    // One has a turn, and as many wait as may.
    List<CompletableFuture<Boolean>> asked = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      asked.add(
          CompletableFuture.supplyAsync(
                  () -> turns.now("anna", work, refusal -> new IllegalStateException(refusal.why)),
                  run -> new Thread(run).start())
              .exceptionally(refused -> false));
    }
    while (asked.stream().noneMatch(CompletableFuture::isDone)) {
      Thread.sleep(1);
    }
    RestClient.Answer refused = rest.send("POST", "whatif", rest.tree("voip", 9));
    assertThat(refused.status).isEqualTo(429);
    assertThat(refused.response.getHeaderString("Retry-After")).isEqualTo("1");
    // Nor is it read what they ask: it may be thousands of applications.
    for (String question : List.of("whatif", "solve", "reservations/ask")) {
      RestClient.Answer answer = rest.send("POST", question, "{");
      assertThat(answer.status).as(question).isEqualTo(429);
      assertThat(answer.response.getHeaderString("Retry-After")).as(question).isEqualTo("1");
    }
    assertThat(turns.now("bert", () -> true, refusal -> new IllegalStateException(refusal.why)))
        .isTrue();
    assertThat(rest.get("policy").status).isEqualTo(200);
    end.countDown();
    for (CompletableFuture<Boolean> one : asked) {
      one.get();
    }
    assertThat(rest.send("POST", "whatif", rest.tree("voip", 9)).status).isEqualTo(200);
  }

  @Test
  void aDraftIsComparedAndPutInForceBesideItsClient() throws InterruptedException {
    rest.send("PUT", "policy/drafts/d", rest.tree("voip", 7));
    JsonNode difference =
        ended(rest.send("GET", "policy/drafts/d/difference", "", ADMIN, ASYNC)).path("result");
    assertThat(difference.path("nodes").toString()).contains("voip");
    JsonNode committed =
        ended(rest.send("POST", "policy/drafts/d/commit", "{}", ADMIN, ASYNC)).path("result");
    assertThat(committed.path("version").asInt()).isEqualTo(2);
    assertThat(committed.path("actor").asText()).isEqualTo("anna");
    assertThat(rest.get("policy").json().path("version").asInt()).isEqualTo(2);
  }

  @Test
  void whatIsRefusedInTheEndIsAProblem() throws InterruptedException {
    rest.send("PUT", "policy/drafts/d", rest.tree("voip", 7));
    rest.send("PUT", "intents/voip", "{\"priority\":3}");
    JsonNode ended = ended(rest.send("POST", "policy/drafts/d/commit", "{}", ADMIN, ASYNC));
    assertThat(ended.path("state").asText()).isEqualTo("failed");
    assertThat(ended.path("problem").path("status").asInt()).isEqualTo(409);
    assertThat(ended.has("result")).isFalse();
  }

  @Test
  void whatIsAskedOfTheSolverIsReadInItsTurn() throws InterruptedException {
    for (String question : List.of("whatif", "solve")) {
      JsonNode ended = ended(rest.send("POST", question, "{\"x\":1}", ADMIN, ASYNC));
      assertThat(ended.path("state").asText()).as(question).isEqualTo("failed");
      assertThat(ended.path("problem").path("status").asInt()).as(question).isEqualTo(400);
    }
  }

  @Test
  void whatBreaksIsAProblemAndOthersGetTheirTurn() throws InterruptedException {
    paceline.failWith(new StackOverflowError("a test"));
    String tree = rest.tree("voip", 9);
    // One more than may wait at a time.
    for (int i = 0; i < 11; i++) {
      JsonNode ended = ended(rest.send("POST", "whatif", tree, ADMIN, ASYNC));
      assertThat(ended.path("state").asText()).isEqualTo("failed");
      assertThat(ended.path("problem").path("status").asInt()).isEqualTo(500);
    }
  }

  @Test
  void whatIsRefusedAtOnceIsNoOperation() {
    assertThat(rest.send("GET", "policy/drafts/x/difference", "", ADMIN, ASYNC).status)
        .isEqualTo(404);
    assertThat(rest.get("operations").json().path("operations")).isEmpty();
  }

  @Test
  void theSameKeyIsTheSameOperation() {
    Map<String, String> keyed = Map.of("Prefer", "respond-async", "Idempotency-Key", "k1");
    String tree = rest.tree("voip", 9);
    RestClient.Answer first = rest.send("POST", "whatif", tree, ADMIN, keyed);
    RestClient.Answer again = rest.send("POST", "whatif", tree, ADMIN, keyed);
    assertThat(again.status).isEqualTo(202);
    assertThat(again.json().path("id")).isEqualTo(first.json().path("id"));
    assertThat(again.response.getHeaderString("Location"))
        .isEqualTo(first.response.getHeaderString("Location"));
    assertThat(again.response.getHeaderString(IdempotencyFilter.REPLAYED)).isEqualTo("true");
  }

  @Test
  void othersSeeNothingOfIt() {
    paceline.operations().start("bert", "What bert asks.", () -> "{}", String::valueOf);
    String id = rest.get("operations").json().path("operations").path(0).path("id").asText();
    assertThat(rest.get("operations/" + id).status).isEqualTo(200);
    Set<String> viewer = Set.of("viewer");
    assertThat(rest.send("GET", "operations/" + id, "", viewer, Map.of()).status).isEqualTo(404);
    assertThat(rest.send("GET", "operations", "", viewer, Map.of()).json().path("operations"))
        .isEmpty();
  }

  private JsonNode ended(RestClient.Answer begun) throws InterruptedException {
    assertThat(begun.status).isEqualTo(202);
    String id = begun.json().path("id").asText();
    for (int i = 0; i < 12_000; i++) {
      JsonNode now = rest.get("operations/" + id).json();
      if (!now.path("state").asText().equals("running")) {
        return now;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("The operation (" + id + ") does not end.");
  }
}
