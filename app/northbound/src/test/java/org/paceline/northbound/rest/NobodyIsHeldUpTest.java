package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SolverMethod;

/** Whoever sends much, or asks for much, holds no lock while it is read and solved. */
final class NobodyIsHeldUpTest {
  private static final String WISH =
      "{\"intent\":\"voip\",\"from\":\"10.0.0.1\",\"to\":\"10.0.0.2\",\"rateKbps\":100,"
          + "\"durationSeconds\":60}";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);
  private final List<String> answered = new ArrayList<>();

  @Test
  void whileAWhatIfIsSolvedOthersReadAndWrite() throws InterruptedException {
    paceline.configure(PlannerSettings.DEFAULT.toBuilder().solver(SolverMethod.NETWORK).build());
    paceline.talk("call", "voip");
    paceline.settle();
    paceline.whileSolving(this::othersReadAndWrite);
    RestClient.Answer answer = rest.send("POST", "whatif", rest.tree("voip", 7));
    assertThat(answer.status).as(answer.text).isEqualTo(200);
    assertAllWereAnswered();
  }

  @Test
  void whileADraftIsComparedOthersReadAndWrite() throws InterruptedException {
    paceline.configure(PlannerSettings.DEFAULT.toBuilder().solver(SolverMethod.NETWORK).build());
    paceline.talk("call", "voip");
    paceline.settle();
    assertThat(rest.send("PUT", "policy/drafts/slow", rest.tree("voip", 7)).status).isEqualTo(200);
    paceline.whileSolving(this::othersReadAndWrite);
    assertThat(rest.get("policy/drafts/slow/difference").status).isEqualTo(200);
    assertAllWereAnswered();
  }

  @Test
  void whileAPatchIsReadOthersReadAndWrite() {
    paceline.whileReading(this::othersReadAndWrite);
    assertThat(rest.send("PATCH", "intents/voip", "{\"minimumRateKbps\":64}").status)
        .isEqualTo(200);
    assertAllWereAnswered();
    // What the others wrote meanwhile is kept.
    assertThat(rest.get("intents/voip").text).contains("\"minimumRateKbps\":64", "\"priority\":3");
  }

  @Test
  void whileABodyArrivesOthersReadAndWrite() {
    for (String path : List.of("intents", "intents/web-browsing", "policy/drafts/slow", "whatif")) {
      String body = path.contains("/web") ? "{\"priority\":9}" : rest.tree("voip", 7);
      String method = path.equals("whatif") ? "POST" : "PUT";
      answered.clear();
      RestClient.Answer answer =
          rest.send(method, path, body, Set.of("admin"), Map.of(), this::othersReadAndWrite);
      assertThat(answer.status).as(path + answer).isBetween(200, 201);
      assertAllWereAnswered();
    }
  }

  /** Each would hold a thread of the web server's, and any viewer may ask. */
  @Test
  void whoeverRepeatsAQuestionUnderItsKeyIsNotKeptWaitingForTheFirst() throws InterruptedException {
    paceline.configure(PlannerSettings.DEFAULT.toBuilder().solver(SolverMethod.NETWORK).build());
    paceline.talk("call", "voip");
    paceline.settle();
    String tree = rest.tree("voip", 7);
    Instant begun = Instant.now();
    paceline.whileSolving(
        () -> {
          RestClient.Answer again = CompletableFuture.supplyAsync(() -> ask(tree)).join();
          assertThat(again.status).as(again.text).isEqualTo(409);
          assertThat(again.response.getHeaderString("Retry-After")).isEqualTo("1");
          answered.add(again.toString());
        });
    assertThat(ask(tree).status).isEqualTo(200);
    assertThat(answered).hasSize(1);
    // Writes are waited for, at most 20 s.
    assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(20));
  }

  private RestClient.Answer ask(String tree) {
    return rest.send("POST", "whatif", tree, Set.of("viewer"), Map.of("Idempotency-Key", "k1"));
  }

  /** On another thread, which a lock that the first holds would stop for good. */
  private void othersReadAndWrite() {
    CompletableFuture.runAsync(
            () -> {
              answers(rest.get("policy"));
              answers(rest.get("intents"));
              answers(rest.send("PUT", "intents/voip", "{\"priority\":3}"));
              answers(rest.send("PUT", "policy/drafts/quick", rest.tree("voip", 8)));
              answers(rest.send("DELETE", "policy/drafts/quick", ""));
              answers(rest.of("bert").send("POST", "reservations/ask", WISH));
              answers(rest.send("PUT", "ceilings/voip", "{\"rateKbps\":500}"));
            })
        .orTimeout(2, TimeUnit.MINUTES)
        .join();
  }

  private void answers(RestClient.Answer answer) {
    assertThat(answer.status).as(answer.text).isLessThan(300);
    answered.add(answer.toString());
  }

  private void assertAllWereAnswered() {
    assertThat(answered).hasSize(7);
  }
}
