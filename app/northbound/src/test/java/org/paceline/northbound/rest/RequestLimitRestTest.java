package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.northbound.rest.request.IdempotencyFilter;

final class RequestLimitRestTest {
  @Test
  void whoSendsTooMuchIsToldWhenToComeAgainAndNothingIsDone() {
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient rest = new RestClient(paceline);
      paceline.requests().limit().set(1);
      RestClient.Answer answer = rest.get("state");
      for (int i = 0; i < 1_000 && answer.status == 200; i++) {
        answer = rest.get("state");
      }
      assertThat(answer.status).isEqualTo(429);
      assertThat(answer.response.getHeaderString("Retry-After")).isEqualTo("1");
      assertThat(answer.json().path("title").asText()).isEqualTo("Too Many Requests");
      assertThat(answer.text).contains("(anna) sends more requests");
      // A key is not used up by a request that was one too many.
      Map<String, String> key = Map.of("Idempotency-Key", "k1");
      paceline.requests().limit().set(0);
      RestClient.Answer later =
          rest.send("PUT", "intents/voip", "{\"priority\":1}", Set.of("admin"), key);
      assertThat(later.status).isEqualTo(200);
      assertThat(later.response.getHeaderString(IdempotencyFilter.REPLAYED)).isNull();
    }
  }
}
