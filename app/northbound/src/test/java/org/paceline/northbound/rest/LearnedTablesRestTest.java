package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.audit.Absent;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

final class LearnedTablesRestTest {
  private static final UtilityFunction WEB = Catalogue.function("web");

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void withoutReportsThereIsNothing() {
    assertThat(rest.get("learned-tables").json().path("tables")).isEmpty();
  }

  @Test
  void whatWasLearnedStandsBesideThePromiseAndCanBePutIntoADraftAsItIs() {
    paceline.learned(
        LearnedTable.of(
            WEB,
            Instant.EPOCH,
            List.of(LearnedCell.of(0, 0, 3, 1.5, 0.1), LearnedCell.of(20, 1, 40, 1.5, 4.0))));
    JsonNode table = rest.get("learned-tables").json().path("tables").get(0);
    assertThat(table.path("name").asText()).isEqualTo("web");
    assertThat(table.path("cells").get(0).path("reports").asLong()).isEqualTo(3);
    assertThat(table.path("cells").get(0).has("plusMinus")).isFalse();
    JsonNode away = table.path("cells").get(1);
    assertThat(away.path("rateKbps").decimalValue())
        .isEqualByComparingTo(WEB.throughput(20).kilobitsPerSecond());
    assertThat(away.path("promised").decimalValue())
        .isEqualByComparingTo(WEB.utility(20, 1).value());
    assertThat(away.path("isAway").asBoolean()).isTrue();

    String name = table.path("refinedName").asText();
    assertThat(name).isEqualTo("web-learned");
    String draft =
        "{\"utilityFunctions\":{\""
            + name
            + "\":"
            + table.path("refined")
            + "},\"intents\":[{\"utilityFunction\":\""
            + name
            + "\"}]}";
    RestClient.Answer kept = rest.send("PUT", "policy/drafts/learned", draft);
    assertThat(kept.status).as(kept.text).isIn(200, 201);
  }

  @Test
  void whatWasLearnedOfUploadsIsRefinedWhereUploadsHaveIt() {
    rest.send("PATCH", "intents/voip", "{\"uploadUtilityFunction\":\"ssh\"}");
    paceline.learned(
        LearnedTable.of(
            Catalogue.function("ssh"), Instant.EPOCH, List.of(LearnedCell.of(1, 1, 40, 1.5, 4))));
    IntentTree refined = paceline.learning().refined("ssh", "CHG1");
    Policy voip = Objects.requireNonNull(refined.policies().get(IntentPath.parse("voip")));
    assertThat(voip.uploadFunction().orElseThrow().name()).isEqualTo("ssh-learned");
    assertThat(voip.utilityFunction()).isEmpty();
  }

  @Test
  void aDraftOfWhatWasLearnedHasTheNameInItsAddressAndIsTheSameWhenItIsPutAgain() {
    paceline.learned(
        LearnedTable.of(WEB, Instant.EPOCH, List.of(LearnedCell.of(20, 1, 40, 1.5, 4.0))));
    rest.send("PUT", "policy/drafts/CHG1", rest.tree("voip", 9));
    String inForce = rest.get("policy").text;
    RestClient.Answer kept = rest.send("PUT", "learned-tables/web/drafts/CHG1", "");
    assertThat(kept.status).as(kept.text).isEqualTo(200);
    assertThat(kept.json().path("name").asText()).isEqualTo("CHG1");
    JsonNode intents = rest.get("policy/drafts/CHG1").json().path("intents");
    assertThat(intents.path("utilityFunctions").has("web-learned")).isTrue();
    assertThat(intents.toString()).as("of the tree in force").doesNotContain("\"priority\":9");
    assertThat(rest.send("PUT", "learned-tables/web/drafts/CHG1", "{}").status).isEqualTo(200);
    assertThat(rest.get("policy/drafts/CHG1").json().path("intents")).isEqualTo(intents);
    assertThat(rest.get("policy").text).isEqualTo(inForce);
  }

  @Test
  void aDraftThatCannotBeMadeIsRefusedWithAWayOut() {
    RestClient.Answer unknown = rest.send("PUT", "learned-tables/games/drafts/CHG1", "");
    assertThat(unknown.status).isEqualTo(404);
    assertThat(unknown.text).contains("(games)", "Maybe no intent");
    paceline.learned(
        LearnedTable.of(
            WEB.named("old"), Instant.EPOCH, List.of(LearnedCell.of(20, 1, 40, 1.5, 4.0))));
    RestClient.Answer replaced = rest.send("PUT", "learned-tables/old/drafts/CHG1", "");
    assertThat(replaced.status).isEqualTo(404);
    assertThat(replaced.text).contains("No intent names", "(old)");
    paceline.learned(
        LearnedTable.of(WEB, Instant.EPOCH, List.of(LearnedCell.of(20, 1, 40, 1.5, 4.0))));
    assertThat(rest.send("PUT", "learned-tables/web/drafts/CHG1", "{\"at\":1}").status)
        .isEqualTo(400);
    assertThat(rest.get("policy/drafts").json().path("drafts")).isEmpty();
  }

  /** As the shell's draft is made. */
  @Test
  void inADraftEveryIntentThatNamesTheFunctionHasTheRefinedOneAndNoOtherChanges() {
    paceline.learned(
        LearnedTable.of(WEB, Instant.EPOCH, List.of(LearnedCell.of(20, 1, 40, 1.5, 4.0))));
    IntentTree before = Catalogue.defaultTree();
    IntentTree refined = paceline.learning().refined("web", "CHG1");
    assertThat(before.differences(refined)).isNotEmpty();
    before
        .policies()
        .forEach(
            (path, policy) -> {
              boolean isWeb = policy.utilityFunction().equals(Optional.of(WEB));
              assertThat(before.differences(refined).contains(path)).isEqualTo(isWeb);
              if (isWeb) {
                assertThat(refined.resolve(path).utilityFunction().value().name())
                    .isEqualTo("web-learned");
              }
            });
    assertThatThrownBy(() -> paceline.learning().refined("voip", "CHG1"))
        .isInstanceOf(Absent.class)
        .hasMessageContaining("(voip)");
  }
}
