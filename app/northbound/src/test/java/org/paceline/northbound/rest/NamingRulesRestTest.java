package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class NamingRulesRestTest {
  private static final String RULES =
      "{\"rules\":[{\"name\":\"calls\",\"intent\":\"voip\",\"match\":{\"protocol\":\"udp\"}}]}";

  @RegisterExtension private final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void whatIsPutIsGotWithItsVersionAndInTheLogOfChanges() {
    assertThat(rest.get("naming-rules").json().path("version").asInt()).isEqualTo(0);
    RestClient.Answer put = rest.send("PUT", "naming-rules", RULES);
    assertThat(put.status).as(put.text).isEqualTo(200);
    assertThat(put.json().path("version").asInt()).isEqualTo(1);
    assertThat(rest.get("naming-rules").json()).isEqualTo(put.json());
    assertThat(rest.send("PUT", "naming-rules", put.text).json()).isEqualTo(put.json());
    assertThat(paceline.log().toString()).contains("The naming rules are replaced.");
  }

  @Test
  void theFileOfOneIsTheNextOfAnother() {
    rest.send("PUT", "naming-rules", RULES);
    String file = rest.get("naming-rules/file").text;
    assertThat(file).contains("name: calls");
    rest.send("PUT", "naming-rules", "{\"rules\":[]}");
    RestClient.Answer back =
        rest.send(
            "PUT",
            "naming-rules",
            file,
            Set.of("operator"),
            Map.of("Content-Type", "application/yaml"));
    assertThat(back.status).as(back.text).isEqualTo(200);
    assertThat(back.json().path("rules").get(0).path("intent").asText()).isEqualTo("voip");
  }

  @Test
  void whoHasSeenAnotherVersionIsRefused() {
    rest.send("PUT", "naming-rules", RULES);
    RestClient.Answer late = rest.send("PUT", "naming-rules", "{\"version\":0,\"rules\":[]}");
    assertThat(late.status).isEqualTo(409);
    assertThat(late.text).contains("of version 1");
    assertThat(rest.get("naming-rules").json().path("rules")).hasSize(1);
  }

  @Test
  void aListWithFaultsIsRefusedWholeWithEachOfThem() {
    RestClient.Answer refused =
        rest.send(
            "PUT",
            "naming-rules",
            "{\"rules\":[{\"name\":\"a\",\"intent\":\"voip\",\"match\":{\"localPort\":0,\"vlan\":9999}},"
                + "{\"name\":\"a\"}]}");
    assertThat(refused.status).isEqualTo(400);
    assertThat(refused.text).contains("(0)", "(9999)", "rule 2");
    refused = rest.send("PUT", "naming-rules", RULES.replace("voip", "no/such"));
    assertThat(refused.status).isEqualTo(400);
    assertThat(refused.text).contains("There is no intent (no/such)");
    assertThat(rest.get("naming-rules").json().path("version").asInt()).isEqualTo(0);
  }

  @Test
  void phonesComeFromAnExportAndStayWithTheRules() {
    rest.send("PUT", "naming-rules", RULES);
    RestClient.Answer put =
        rest.send(
            "PUT",
            "naming-rules/macs/phones",
            "mac,name\n00:1B:54:00:00:01,desk 12\n",
            Set.of("operator"),
            Map.of("Content-Type", "text/csv"));
    assertThat(put.status).as(put.text).isEqualTo(200);
    assertThat(put.json().path("macs").path("phones").get(0).path("name").asText())
        .isEqualTo("desk 12");
    assertThat(put.json().path("rules")).hasSize(1);
  }

  @Test
  void anIntentThatIsTakenAwayIsANote() {
    rest.send("PUT", "naming-rules", RULES);
    assertThat(rest.send("DELETE", "intents/voip", "").status).isEqualTo(204);
    assertThat(rest.get("state").json().path("notes").toString())
        .contains("The rule (calls) names the intent (voip), which is no longer in the tree");
  }
}
