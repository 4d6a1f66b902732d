package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Certificates of hosts are listed, and those of a host are revoked together. */
final class AgentCertificatesRestTest {
  private static final String CERTIFICATES = "agent-certificates";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void theyAreListedAndRevokedByHost() {
    paceline.authority().issue("0a", "srv1", Instant.now().plus(Duration.ofDays(90)));
    paceline.authority().issue("0b", "srv2", Instant.now().minus(Duration.ofDays(1)));
    JsonNode listed = rest.get(CERTIFICATES).json().path("certificates");
    assertThat(listed).hasSize(2);
    assertThat(listed.get(0).path("host").asText()).isEqualTo("srv1");
    assertThat(listed.get(0).path("serial").asText()).isEqualTo("0a");
    assertThat(listed.get(0).path("inForce").asBoolean()).isTrue();
    assertThat(listed.get(0).has("revokedAt")).isFalse();
    assertThat(listed.get(1).path("inForce").asBoolean()).as("over").isFalse();

    assertThat(rest.send("DELETE", CERTIFICATES + "/srv1", "").status).isEqualTo(204);
    JsonNode revoked = rest.get(CERTIFICATES).json().path("certificates").get(0);
    assertThat(revoked.path("inForce").asBoolean()).isFalse();
    assertThat(revoked.has("revokedAt")).isTrue();
    RestClient.Answer again = rest.send("DELETE", CERTIFICATES + "/srv1", "");
    assertThat(again.status).isEqualTo(404);
    assertThat(again.text).contains("(srv1)", "Maybe");
    assertThat(rest.get("changes").text)
        .contains("The certificates of the host (srv1) are revoked.");
  }

  @Test
  void whereNobodySignsTheRefusalSaysWhereTo() {
    paceline.authority().issue("0a", "srv1", Instant.now().plus(Duration.ofDays(90)));
    paceline.authority().loseKey();
    RestClient.Answer refused = rest.send("DELETE", CERTIFICATES + "/srv1", "");
    assertThat(refused.status).isEqualTo(409);
    assertThat(refused.text).contains("ca.key", "Maybe");
  }
}
