package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.model.AgentInfo;
import org.paceline.northbound.restconf.data.PlanData;

/** Agents that are attached, as programs see them by REST and by RESTCONF. */
final class AgentsRestTest {
  private static final Instant ALONE_SINCE = Instant.parse("2024-05-01T10:00:00Z");
  private static final Instant ATTACHED = Instant.parse("2024-05-01T10:30:00Z");

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  private static AgentInfo agent(String host) {
    return AgentInfo.of(host, List.of("10.0.0.1"), "htb", "1.0", "10.0.0.1:40000", ATTACHED);
  }

  private void attach(AgentInfo agent) throws InterruptedException {
    paceline.attach(agent);
    paceline.settle();
  }

  private JsonNode byRest(String host) {
    return StreamSupport.stream(rest.get("agents").json().path("agents").spliterator(), false)
        .filter(one -> one.path("host").asText().equals(host))
        .findFirst()
        .orElseThrow();
  }

  private JsonObject byRestconf(String host) {
    JsonArray agents = PlanData.of(paceline.state()).getAsJsonArray("agent");
    return StreamSupport.stream(agents.spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .filter(one -> one.get("name").getAsString().equals(host))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whoDecidedWithPeersBeforeIsShownWithSinceWhenAndHowManyTheyWere() throws Exception {
    attach(agent("h1").comingFrom(AgentInfo.PeerAgreement.of(ALONE_SINCE, 2)));

    JsonNode before = byRest("h1").path("peerAgreement");
    assertThat(before.path("sinceMs").asLong()).isEqualTo(ALONE_SINCE.toEpochMilli());
    assertThat(before.path("peers").isInt()).isTrue();
    assertThat(before.path("peers").asInt()).isEqualTo(2);
    assertThat(byRest("h1").path("attachedMs").asLong()).isEqualTo(ATTACHED.toEpochMilli());

    JsonObject same = byRestconf("h1").getAsJsonObject("peer-agreement");
    assertThat(same.get("since").getAsString()).isEqualTo("2024-05-01T10:00:00Z");
    assertThat(same.get("peers").getAsInt()).isEqualTo(2);
    assertThat(byRestconf("h1").get("since").getAsString()).isEqualTo("2024-05-01T10:30:00Z");
  }

  /** An agent that heard nobody decided without a controller all the same. */
  @Test
  void whoHeardNoPeerIsShownWithNone() throws Exception {
    attach(agent("h1").comingFrom(AgentInfo.PeerAgreement.of(ALONE_SINCE, 0)));

    assertThat(byRest("h1").path("peerAgreement").path("peers").asInt(-1)).isZero();
    assertThat(byRestconf("h1").getAsJsonObject("peer-agreement").get("peers").getAsInt()).isZero();
  }

  @Test
  void ofOthersNothingIsSaid() throws Exception {
    attach(agent("h1").comingFrom(AgentInfo.PeerAgreement.of(ALONE_SINCE, 2)));
    attach(agent("h2"));

    assertThat(byRest("h2").has("peerAgreement")).isFalse();
    assertThat(byRestconf("h2").has("peer-agreement")).isFalse();
    // Nor of the same host, once a controller has decided until it attached.
    attach(agent("h1"));
    assertThat(byRest("h1").has("peerAgreement")).isFalse();
    assertThat(byRestconf("h1").has("peer-agreement")).isFalse();
  }
}
