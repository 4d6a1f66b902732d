package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is lent of reservations, as programs see it. */
final class LedgerRestTest {
  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void withoutABranchThatReservesNothingIsLent() throws InterruptedException {
    paceline.talk("call", "voip");
    paceline.settle();
    assertThat(rest.get("ledger").json().path("loans")).isEmpty();
  }

  @Test
  void aReservationIsGrantedAndNothingIsLentWhileNobodyIsSeenToLeaveIt()
      throws InterruptedException {
    assertThat(rest.send("PUT", "intents/calls", "{\"scheme\":\"adaptive-reservations\"}").status)
        .isEqualTo(201);
    assertThat(rest.send("PUT", "intents/calls/board", "{\"minimumRateKbps\":800}").status)
        .isEqualTo(201);
    paceline.talk("a", "calls/board");
    paceline.talk("b", "calls");
    paceline.settle();
    JsonNode conversations = rest.get("conversations").json().path("conversations");
    assertThat(conversations).hasSize(2);
    conversations.forEach(
        one -> assertThat(one.path("scheme").asText()).isEqualTo("adaptive-reservations"));
    assertThat(rest.get("ledger").json().path("loans")).isEmpty();
    // Above 931 kbit/s, half of what is divided of the link, nothing would be reserved.
    assertThat(rest.get("conversations/h1/a").json().path("grant").path("rateKbps").asDouble())
        .isEqualTo(800);
    JsonNode reserved = rest.get("conversations/h1/a").json().path("reservation");
    assertThat(reserved.path("rateKbps").asDouble()).isEqualTo(800);
    assertThat(reserved.path("wantedKbps").asDouble()).isEqualTo(800);
    assertThat(reserved.path("asking").asBoolean()).isTrue();
    assertThat(rest.get("conversations/h1/b").json().has("reservation")).isFalse();
  }
}
