package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A token is shown once, listed without what the host is given, and withdrawn. */
final class EnrolmentTokensRestTest {
  private static final String TOKENS = "enrolment-tokens";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  private JsonNode make(String body) {
    RestClient.Answer answer = rest.send("POST", TOKENS, body);
    assertThat(answer.status).as(answer.text).isEqualTo(201);
    return answer.json();
  }

  @Test
  void aTokenIsMadeShownOnceListedAndWithdrawn() {
    JsonNode made = make("{\"host\":\"srv1\",\"addresses\":[\"2001:DB8::1\",\"10.0.0.1\"]}");
    assertThat(made.path("addresses").toString()).isEqualTo("[\"10.0.0.1\",\"2001:db8::1\"]");
    assertThat(Instant.parse(made.path("until").asText()))
        .isBetween(
            Instant.now().plus(Duration.ofMinutes(50)), Instant.now().plus(Duration.ofMinutes(70)));
    String token = made.path("token").asText();
    RestClient.Answer listed = rest.get(TOKENS);
    assertThat(listed.json().path("tokens")).hasSize(1);
    assertThat(listed.json().path("tokens").get(0).path("host").asText()).isEqualTo("srv1");
    assertThat(listed.text).doesNotContain(token);
    RestClient.Answer log = rest.get("changes");
    assertThat(log.text).contains("A token for (srv1) to enrol is made.").doesNotContain(token);
    String one = TOKENS + "/" + made.path("id").asText();
    assertThat(rest.send("DELETE", one, "").status).isEqualTo(204);
    assertThat(rest.send("DELETE", one, "").status).isEqualTo(404);
    assertThat(rest.get(TOKENS).json().path("tokens")).isEmpty();
    assertThat(paceline.enrolment().redeem(Base64.getDecoder().decode(token))).isEmpty();
  }

  @Test
  void whatIsNoneIsRefusedAndAnswersAreNotKept() {
    for (String bad :
        List.of(
            "{}",
            "{\"host\":\"a/b\"}",
            "{\"host\":\"srv1\",\"addresses\":\"10.0.0.1\"}",
            "{\"host\":\"srv1\",\"addresses\":[7]}",
            "{\"host\":\"srv1\",\"validSeconds\":0}",
            "{\"host\":\"srv1\",\"validSeconds\":2592001}",
            "{\"host\":\"srv1\",\"name\":\"x\"}")) {
      assertThat(rest.send("POST", TOKENS, bad).status).as(bad).isEqualTo(400);
    }
    RestClient.Answer kept =
        rest.send(
            "POST",
            TOKENS,
            "{\"host\":\"srv1\"}",
            Set.of("admin"),
            Map.of("Idempotency-Key", "once"));
    assertThat(kept.status).isEqualTo(400);
    assertThat(kept.text).contains("holds a secret", "Maybe");
    assertThat(rest.get(TOKENS).json().path("tokens")).isEmpty();
  }
}
