package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.audit.Change;

/** On a link of 2 Mbit/s. */
final class CeilingsRestTest {
  private static final Set<String> DELEGATED = Set.of("viewer", "operator:web-browsing");
  private static final String REQUEST =
      "{\"intent\":\"web-browsing\",\"from\":\"10.0.0.1\",\"to\":\"10.0.0.2\",\"rateKbps\":%d,"
          + "\"start\":\"2031-12-01T20:00:00Z\",\"durationSeconds\":3600}";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  private RestClient.Answer delegated(String method, String path, String body) {
    return rest.send(method, path, body, DELEGATED, Map.of());
  }

  @Test
  void whatIsUsualBindsADelegatedBranchUntilAnAdminSaysOtherwise() {
    RestClient.Answer refused = delegated("POST", "reservations", String.format(REQUEST, 1_500));
    assertThat(refused.status).as(refused.text).isEqualTo(409);
    assertThat(refused.text).contains("The ceiling of (web-browsing) is 50 % of each link");
    assertThat(refused.json().path("counterOffer").path("rateKbps").asInt()).isEqualTo(1_000);
    RestClient.Answer asked = delegated("POST", "reservations/ask", String.format(REQUEST, 1_500));
    assertThat(asked.json().path("admitted").asBoolean(true)).isFalse();
    String all = "{\"sharePercent\":100,\"rateKbps\":1600}";
    RestClient.Answer set = rest.send("PUT", "ceilings/web-browsing", all);
    assertThat(set.status).as(set.text).isEqualTo(200);
    assertThat(rest.get("ceilings/web-browsing").json()).isEqualTo(set.json());
    assertThat(delegated("POST", "reservations", String.format(REQUEST, 1_500)).status)
        .isEqualTo(201);
    RestClient.Answer second = delegated("POST", "reservations", String.format(REQUEST, 200));
    assertThat(second.text).contains("The ceiling of (web-browsing) is 1600 kbit/s");
    assertThat(second.json().path("counterOffer").path("rateKbps").asInt()).isEqualTo(100);
    assertThat(paceline.log())
        .extracting(Change::operation)
        .contains("The ceiling of (web-browsing) is set.");
  }

  @Test
  void whatAnOperatorHoldsAboveTheCeilingADelegatedOneDoesNotCommit() {
    JsonNode held = rest.send("POST", "reservations", String.format(REQUEST, 500)).json();
    String one = "reservations/" + held.path("id").asText();
    assertThat(rest.send("PUT", "ceilings/web-browsing", "{\"rateKbps\":300}").status)
        .isEqualTo(200);
    RestClient.Answer refused = delegated("POST", one + "/commit", "{}");
    assertThat(refused.status).as(refused.text).isEqualTo(409);
    assertThat(refused.text).contains("The ceiling of (web-browsing) is 300 kbit/s");
    assertThat(rest.get(one).json().path("aboveCeiling").asText()).contains("(web-browsing)");
    assertThat(rest.send("POST", one + "/commit", "{}").status).isEqualTo(200);
    assertThat(rest.send("PUT", "ceilings/web-browsing", "{\"sharePercent\":20}").status)
        .isEqualTo(200);
    assertThat(rest.get(one).json().path("aboveCeiling").asText()).contains("20 % of each link");
    assertThat(rest.send("DELETE", "ceilings/web-browsing", "").status).isEqualTo(204);
    assertThat(rest.get(one).json().has("aboveCeiling")).isFalse();
  }

  @Test
  void aPriorityAboveTheCeilingIsRefusedWhereverTheTreeIsChanged() {
    for (String[] request :
        new String[][] {
          {"PUT", "intents/web-browsing", "{\"priority\":11}"},
          {"PATCH", "intents/web-browsing", "{\"priority\":11}"},
          {"PUT", "intents", rest.tree("web-browsing", 11)},
          {"PUT", "policy/drafts/x", rest.tree("web-browsing", 11)},
        }) {
      RestClient.Answer refused = delegated(request[0], request[1], request[2]);
      assertThat(refused.status).as(request[1] + refused.text).isEqualTo(403);
      assertThat(refused.text).contains("is above the ceiling of (web-browsing), which is 10");
    }
    assertThat(paceline.log()).isEmpty();
  }

  /** What is fixed comes before all others of a link, whose operators were not asked. */
  @Test
  void whoMayChangeABranchOnlyFixesNoRate() {
    String fixed = "{\"scheme\":\"fixed-rate\",\"maximumRateKbps\":%d}";
    RestClient.Answer refused =
        delegated("PUT", "intents/web-browsing", String.format(fixed, 5_000));
    assertThat(refused.status).as(refused.text).isEqualTo(403);
    assertThat(refused.text).contains("fixed-rate gives conversations of (web-browsing) 5000");
    assertThat(rest.send("PUT", "intents/web-browsing", String.format(fixed, 5_000)).status)
        .isEqualTo(200);
    assertThat(delegated("PATCH", "intents/web-browsing", "{\"maximumRateKbps\":6000}").status)
        .isEqualTo(403);
    assertThat(delegated("PATCH", "intents/web-browsing", "{\"maximumRateKbps\":4000}").status)
        .isEqualTo(200);
    assertThat(delegated("PATCH", "intents/web-browsing", "{\"scheme\":null}").status)
        .isEqualTo(200);
  }

  /** What one class has more, the others have less, whose operators were not asked. */
  @Test
  void whoMayChangeABranchOnlyGivesItsClassNoMoreWeight() {
    RestClient.Answer refused =
        delegated("PUT", "intents/web-browsing", "{\"scheme\":\"service-classes\"}");
    assertThat(refused.status).as(refused.text).isEqualTo(403);
    assertThat(refused.text)
        .contains("service-classes gives conversations of (web-browsing) the weight 1");
    refused = delegated("PUT", "intents/web-browsing", "{\"scheme\":\"adaptive-reservations\"}");
    assertThat(refused.status).isEqualTo(403);
    assertThat(refused.text)
        .contains(
            "adaptive-reservations reserves 0 kbit/s for each conversation of (web-browsing)");
    refused = delegated("PUT", "intents/web-browsing", "{\"scheme\":\"elephant-isolation\"}");
    assertThat(refused.status).isEqualTo(403);
    assertThat(refused.text)
        .contains("elephant-isolation holds conversations of (web-browsing) to no rate");
    String gold = "{\"scheme\":\"service-classes\",\"classWeight\":3}";
    assertThat(rest.send("PUT", "intents/web-browsing", gold).status).isEqualTo(200);
    assertThat(delegated("PATCH", "intents/web-browsing", "{\"classWeight\":4}").status)
        .isEqualTo(403);
    assertThat(delegated("PATCH", "intents/web-browsing", "{\"classWeight\":2}").status)
        .isEqualTo(200);
    assertThat(delegated("PATCH", "intents/web-browsing", "{\"scheme\":null}").status)
        .isEqualTo(200);
  }

  @Test
  void whoeverMayNotPutADraftInForceForItsPriorityMayTakeItAway() {
    String tree = rest.tree("web-browsing", 11);
    assertThat(rest.send("PUT", "policy/drafts/x", tree).status).isEqualTo(200);
    assertThat(delegated("POST", "policy/drafts/x/commit", "{}").status).isEqualTo(403);
    assertThat(delegated("DELETE", "policy/drafts/x", "").status).isEqualTo(204);
  }

  @Test
  void theCeilingOfTheRootIsAboveAllBranches() {
    assertThat(
            rest.send("PUT", "ceilings/%2F", "{\"rateKbps\":300}").json().path("branch").asText())
        .isEqualTo("/");
    assertThat(delegated("POST", "reservations", String.format(REQUEST, 500)).text)
        .contains("The ceiling of (/) is 300 kbit/s");
  }

  @Test
  void whatIsNoCeilingIsRefused() {
    for (String bad :
        new String[] {
          "{}",
          "{\"sharePercent\":0}",
          "{\"sharePercent\":101}",
          "{\"rateKbps\":0}",
          "{\"durationSeconds\":0}",
          "{\"priority\":\"high\"}",
          "{\"priority\":1000001}",
          "{\"x\":1}",
          "",
        }) {
      assertThat(rest.send("PUT", "ceilings/voip", bad).status).as(bad).isEqualTo(400);
    }
    assertThat(rest.send("PUT", "ceilings/nowhere", "{\"priority\":1}").text)
        .contains("There is no intent (nowhere) whose ceiling could be set.");
    assertThat(rest.get("ceilings").json().path("ceilings")).isEmpty();
    assertThat(rest.get("ceilings").json().path("usual").path("sharePercent").asInt())
        .isEqualTo(50);
    assertThat(rest.get("ceilings/voip").status).isEqualTo(404);
    assertThat(rest.send("DELETE", "ceilings/voip", "").status).isEqualTo(404);
    assertThat(delegated("PUT", "ceilings/web-browsing", "{\"priority\":1}").status).isEqualTo(403);
  }
}
