package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.cli.policy.IntentRemoveCommand;
import org.paceline.cli.policy.IntentSetCommand;
import org.paceline.cli.policy.WhatIfCommand;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.northbound.rest.view.Json;

/** One node of the tree, as REST and the shell change it. */
final class IntentsRestTest {
  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);
  private final Shell shell = new Shell(paceline);

  @Test
  void aPatchChangesWhatItNamesAndNullIsInheritedAgain() {
    rest.send("PUT", "intents/voip", "{\"minimumRateKbps\":64,\"priority\":3}");
    RestClient.Answer patched =
        patch(
            "intents/voip",
            "{\"minimumRateKbps\":null,\"maximumRateKbps\":256,\"utilityFunction\":\"web\"}");
    assertThat(patched.status).as(patched.text).isEqualTo(200);
    assertThat(patched.json())
        .isEqualTo(
            Json.parse("{\"utilityFunction\":\"web\",\"maximumRateKbps\":256,\"priority\":3}"));
    assertThat(rest.get("intents/voip").json()).isEqualTo(patched.json());
    assertThat(voip().minimumRate()).isEmpty();
    assertThat(voip().maximumRate()).isEqualTo(Optional.of(DataRate.ofKilobitsPerSecond(256)));
    assertThat(rest.send("PATCH", "intents/voip", "{}").status).isEqualTo(200);
    assertThat(paceline.log()).hasSize(2);
    // A whole policy replaces: what it leaves out is inherited.
    assertThat(rest.send("PUT", "intents/voip", "{\"priority\":4}").json())
        .isEqualTo(Json.parse("{\"priority\":4}"));
  }

  @Test
  void aPatchThatNoPolicyCanHoldIsRefused() {
    for (String bad :
        List.of(
            "[]",
            "{\"minimumRateKbps\":-5}",
            "{\"maximumRateKbps\":0}",
            "{\"weight\":2}",
            "{\"priority\":1.5}",
            "{\"utilityFunction\":\"nothing\"}",
            "{\"uploadUtilityFunction\":\"nothing\"}",
            "{\"minimumRateKbps\":300,\"maximumRateKbps\":200}",
            "{\"nonsense\":null}",
            "{\"class\":null}")) {
      assertThat(patch("intents/voip", bad).status).as(bad).isEqualTo(400);
    }
    assertThat(send("PATCH", "intents/voip", "{}", "Content-Type", "text/plain").status)
        .isEqualTo(415);
    assertThat(paceline.log()).isEmpty();
  }

  @Test
  void aBoundIsHeldAgainstTheTableThatTheNodeInherits() {
    assertThat(patch("intents/web-browsing", "{\"maximumRateKbps\":150}").status).isEqualTo(200);
    RestClient.Answer refused =
        patch("intents/video-streaming/bbb_live", "{\"maximumRateKbps\":150}");
    assertThat(refused.status).isEqualTo(400);
    assertThat(refused.text).contains("The intent (video-streaming/bbb_live)", "of (live) lies");
  }

  @Test
  void theAnswerToAWholeTreeLeavesTheCataloguesTablesOut() {
    String tree = rest.tree("voip", 7);
    RestClient.Answer answer = rest.send("PUT", "intents", tree);
    assertThat(answer.status).as(answer.text).isEqualTo(200);
    assertThat(answer.json().path("intents")).isEqualTo(Json.parse(tree).path("intents"));
    assertThat(tree).contains("delayMs").hasSizeGreaterThan(40_000);
    assertThat(answer.text).doesNotContain("delayMs").hasSizeLessThan(4_000);
    // What was answered may be sent again: nothing differs.
    assertThat(rest.send("PUT", "intents", answer.text).status).isEqualTo(200);
    assertThat(paceline.log()).hasSize(1);
  }

  @Test
  void aNewNodeIsCreatedUnderOneThatIsThere() {
    RestClient.Answer created =
        send("PUT", "intents/voip/desk", "{\"priority\":3}", "Idempotency-Key", "k1");
    assertThat(created.status).isEqualTo(201);
    assertThat(created.text).isEqualTo("{\"priority\":3}");
    String location = created.response.getHeaderString("Location");
    assertThat(location).endsWith("/v1/intents/voip/desk");
    assertThat(rest.get(location.substring(location.indexOf("v1/") + 3)).text)
        .isEqualTo(created.text);
    assertThat(send("PUT", "intents/voip/desk", "{\"priority\":3}", "Idempotency-Key", "k1").status)
        .isEqualTo(201);
    assertThat(rest.send("PUT", "intents/voip/desk", "{\"priority\":3}").status).isEqualTo(200);
    assertThat(patch("intents/voip/phone", "{\"priority\":4}").status).isEqualTo(201);
    assertThat(rest.get("intents/voip/nobody").status).isEqualTo(404);
  }

  @Test
  void aNodeWhoseParentsAreMissingIsRefusedUnlessTheyAreToBeMade() {
    for (String method : List.of("PUT", "PATCH")) {
      RestClient.Answer refused = rest.send(method, "intents/vioip/" + method, "{\"priority\":3}");
      assertThat(refused.status).isEqualTo(404);
      assertThat(refused.text).contains("(vioip)", "Maybe you meant voip", "parents");
      assertThat(rest.send(method, "intents/a/b?parents=yes", "{}").status).isEqualTo(400);
    }
    assertThat(paceline.log()).isEmpty();
    for (String method : List.of("PUT", "PATCH")) {
      String path = "intents/new/" + method + "/deep";
      assertThat(rest.send(method, path + "?parents=true", "{\"priority\":3}").status)
          .isEqualTo(201);
      assertThat(rest.get(path).text).isEqualTo("{\"priority\":3}");
    }
  }

  @Test
  void takingAwayWhatIsNamedSaysByWhomAndWhatTheyAreServedAs() throws Exception {
    for (String host : List.of("h1", "h2", "h3", "h4")) {
      paceline.attach(host, "voip/desk/loud", "web-browsing");
    }
    paceline.talk("c1", "voip/desk/loud");
    paceline.talk(ConversationId.of(ConversationId.ANNOUNCED, "c2"), "voip/desk");
    paceline.settle();
    rest.send("PUT", "intents/voip/desk/loud?parents=true", "{}");
    RestClient.Answer removed = rest.send("DELETE", "intents/voip/desk", "");
    assertThat(removed.status).as(removed.text).isEqualTo(200);
    assertThat(removed.json())
        .isEqualTo(
            Json.parse(
                "{\"stillNamed\":[{\"intent\":\"voip/desk\",\"servedAs\":\"voip\","
                    + "\"conversations\":1,\"hosts\":[],\"moreHosts\":0},"
                    + "{\"intent\":\"voip/desk/loud\",\"servedAs\":\"voip\","
                    + "\"conversations\":1,\"hosts\":[\"h1\",\"h2\",\"h3\"],\"moreHosts\":1}],"
                    + "\"moreIntents\":0}"));
    assertThat(rest.get("intents/voip/desk").status).isEqualTo(404);
    // What nobody names goes without a word.
    rest.send("PUT", "intents/voip/phone", "{}");
    assertThat(rest.send("DELETE", "intents/voip/phone", "").status).isEqualTo(204);
  }

  /** Those only that would go: the tree does not have the other one now. */
  @Test
  void whatIfADraftTakesAwayWhatIsNamedSaysByWhomBeforeItIsDone() throws Exception {
    String without = rest.get("intents").text;
    rest.send("PUT", "intents/voip/desk", "{}");
    paceline.attach("h1", "voip/desk", "voip/nowhere");
    paceline.talk("c1", "voip/desk");
    paceline.settle();
    JsonNode named =
        Json.parse(
            "[{\"intent\":\"voip/desk\",\"servedAs\":\"voip\",\"conversations\":1,"
                + "\"hosts\":[\"h1\"],\"moreHosts\":0}]");
    rest.send("PUT", "policy/drafts/less", without);
    for (RestClient.Answer answer :
        List.of(rest.send("POST", "whatif", without), rest.get("policy/drafts/less/difference"))) {
      assertThat(answer.status).as(answer.text).isEqualTo(200);
      assertThat(answer.json().path("stillNamed")).isEqualTo(named);
      assertThat(answer.json().path("moreIntents").asInt(-1)).isZero();
    }
    assertThat(shell.run(new WhatIfCommand(), "--draft less"))
        .contains(
            "The intent (voip/desk) is still named by host h1; its 1 open conversations are served"
                + " as (voip) then.");
    assertThat(rest.send("POST", "whatif", rest.get("intents").text).json().path("stillNamed"))
        .isEmpty();
  }

  @Test
  void ofManyIntentsThatAreNamedTheFirstAreSaid() throws Exception {
    String[] many = IntStream.range(0, 30).mapToObj(i -> "voip/" + i).toArray(String[]::new);
    paceline.attach("h1", many);
    paceline.settle();
    JsonNode removed = rest.send("DELETE", "intents/voip", "").json();
    assertThat(removed.path("stillNamed")).hasSize(20);
    assertThat(removed.path("moreIntents").asInt()).isEqualTo(10);
  }

  @Test
  void theShellSaysWhoNamesWhatIsTakenAway() throws Exception {
    paceline.attach("h1", "voip/g729.1");
    paceline.talk("c1", "voip/g729.1");
    paceline.settle();
    assertThat(shell.run(new IntentRemoveCommand(), "voip"))
        .contains(
            "(voip) is taken away",
            "The intent (voip/g729.1) is still named by host h1; its 1 open conversations are"
                + " served as (/) from now on.");
    assertThatThrownBy(() -> shell.run(new IntentRemoveCommand(), "voip"))
        .hasMessageContaining("There is no intent (voip)");
  }

  @Test
  void oneKeyForTwoAddressesIsRefused() {
    Map<String, String> key = Map.of("Idempotency-Key", "k1");
    assertThat(rest.send("PUT", "intents/a/b", "{}", Set.of("admin"), key).status).isEqualTo(404);
    assertThat(rest.send("PUT", "intents/a/b?parents=true", "{}", Set.of("admin"), key).status)
        .isEqualTo(422);
  }

  @Test
  void theShellSetsEveryFieldAndLeavesTheRest() throws Exception {
    rest.send("PUT", "intents/voip", "{\"priority\":3,\"minimumRateKbps\":64}");
    shell.run(
        new IntentSetCommand(), "voip --greatest 300 --function web --least inherit --ticket CHG1");
    assertThat(voip())
        .isEqualTo(
            Policy.builder()
                .utilityFunction(voip().utilityFunction().orElseThrow())
                .maximumRate(DataRate.ofKilobitsPerSecond(300))
                .priority(3)
                .build());
    assertThat(voip().utilityFunction().orElseThrow().name()).isEqualTo("web");
    assertThat(paceline.policy().versions().inForce().author().ticket())
        .isEqualTo(Optional.of("CHG1"));
    assertThat(shell.run(new IntentSetCommand(), "voip/desk --priority 3"))
        .contains("The intent (voip/desk) is new in version 4.");
    assertThat(shell.run(new IntentSetCommand(), "a/b/c --parents --priority 3"))
        .contains("is new");
  }

  @Test
  void aBranchIsHandedToAnotherSchemeAndItsConversationsSayWhichRulesThem() throws Exception {
    paceline.talk("call", "voip");
    paceline.settle();
    assertThat(rest.get("conversations").json().findValuesAsText("scheme"))
        .containsOnly("utility-fair");
    assertThat(rest.send("PUT", "intents/voip", "{\"scheme\":\"fixed-rate\"}").text)
        .contains("Maybe set the greatest rate");
    assertThat(rest.send("PUT", "intents/voip", "{\"scheme\":\"fair\"}").text)
        .contains("utility-fair, fixed-rate, service-classes");
    assertThat(shell.run(new WhatIfCommand(), "voip --scheme fixed-rate --greatest 777"))
        .contains("777");
    shell.run(new IntentSetCommand(), "voip --scheme fixed-rate --greatest 777");
    paceline.settle();
    JsonNode one = rest.get("conversations").json().path("conversations").path(0);
    assertThat(one.path("scheme").asText()).isEqualTo("fixed-rate");
    assertThat(one.path("grant").path("rateKbps").asInt()).isEqualTo(777);
    assertThat(rest.get("intents/voip").json().path("scheme").asText()).isEqualTo("fixed-rate");
    assertThat(rest.send("PATCH", "intents/voip", "{\"classWeight\":0}").text)
        .contains("classWeight");
    shell.run(
        new IntentSetCommand(),
        "voip --scheme service-classes --class-weight 3 --greatest inherit");
    paceline.settle();
    one = rest.get("conversations").json().path("conversations").path(0);
    assertThat(one.path("scheme").asText()).isEqualTo("service-classes");
    assertThat(one.path("grant").path("rateKbps").asInt()).isGreaterThan(777);
    assertThat(rest.get("intents/voip").json().path("classWeight").asInt()).isEqualTo(3);
    shell.run(new IntentSetCommand(), "voip --scheme inherit --class-weight inherit");
    assertThat(voip().scheme()).isEmpty();
    assertThat(voip().classWeight()).isEmpty();
  }

  @Test
  void anIntentNamesTheModelOfItsKpis() throws Exception {
    assertThat(rest.get("intents/voip/g729.1").json().path("kpiModel").asText()).isEqualTo("voice");
    assertThat(rest.send("PATCH", "intents/voip", "{\"kpiModel\":\"calls\"}").text)
        .contains(
            "(calls)", "is no KPI model. Maybe one of web, download, video, ssh, voice, g711,");
    shell.run(new IntentSetCommand(), "voip --kpi-model voice");
    assertThat(voip().kpiModel()).contains(KpiModel.VOICE);
    assertThat(rest.send("PATCH", "intents/voip", "{\"kpiModel\":null}").status).isEqualTo(200);
    assertThat(voip().kpiModel()).isEmpty();
  }

  @Test
  void anIntentHasAFunctionForWhatClientsSend() throws Exception {
    paceline.talk("call", "voip");
    paceline.settle();
    shell.run(new IntentSetCommand(), "voip --function web --upload-function ssh");
    paceline.settle();
    assertThat(rest.get("intents/voip").text)
        .isEqualTo("{\"utilityFunction\":\"web\",\"uploadUtilityFunction\":\"ssh\"}");
    JsonNode one = rest.get("conversations").json().path("conversations").path(0);
    assertThat(one.path("direction").asText()).isEqualTo("unknown");
    assertThat(one.path("utilityFunction").asText()).isEqualTo("web");
    shell.run(new IntentSetCommand(), "voip --upload-function inherit");
    assertThat(voip().uploadFunction()).isEmpty();
    assertThat(rest.send("PATCH", "intents/voip", "{\"uploadUtilityFunction\":\"ssh\"}").status)
        .isEqualTo(200);
    assertThat(rest.send("PATCH", "intents/voip", "{\"uploadUtilityFunction\":null}").text)
        .isEqualTo("{\"utilityFunction\":\"web\"}");
  }

  @Test
  void theShellRefusesWhatRestRefuses() {
    for (String line :
        List.of(
            "voip --least -5",
            "voip --greatest 0",
            "voip --priority 1.5",
            "voip --function nothing",
            "voip --upload-function nothing",
            "voip --scheme fixed-rate",
            "voip --scheme fair",
            "voip --class-weight 0",
            "voip --class-weight gold",
            "voip --least 300 --greatest 200",
            "a/b --priority 3")) {
      refused(new IntentSetCommand(), line);
      refused(new WhatIfCommand(), line);
    }
    refused(new IntentSetCommand(), "voip");
    refused(new WhatIfCommand(), "voip");
    assertThat(paceline.log()).isEmpty();
  }

  @Test
  void whatIfTriesEveryFieldAndChangesNothing() throws Exception {
    String node = "web-browsing/science_lab";
    paceline.talk("call", node);
    paceline.settle();
    for (String option :
        List.of("--greatest 300", "--function ssh", "--priority 3", "--least 150")) {
      assertThat(shell.run(new WhatIfCommand(), node + " " + option))
          .contains("of utility together");
    }
    assertThat(shell.run(new WhatIfCommand(), node + " --greatest 300")).contains("1 lose");
    assertThat(paceline.log()).isEmpty();
  }

  private void refused(org.apache.karaf.shell.api.action.Action command, String line) {
    assertThatThrownBy(() -> shell.run(command, line))
        .as(line)
        .isInstanceOf(CommandException.class)
        .hasMessageNotContaining("foresaw");
  }

  private Policy voip() {
    return Optional.ofNullable(
            paceline.policy().policies().tree().policies().get(IntentPath.parse("voip")))
        .orElseThrow();
  }

  private RestClient.Answer patch(String path, String body) {
    return send("PATCH", path, body, "Content-Type", "application/merge-patch+json");
  }

  private RestClient.Answer send(
      String method, String path, String body, String header, String value) {
    return rest.send(method, path, body, Set.of("admin"), Map.of(header, value));
  }
}
