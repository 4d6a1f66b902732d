package org.paceline.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.paceline.cli.Talkers;
import org.paceline.control.audit.Author;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

final class PolicyTablesTest {
  @Test
  void anIntentSaysWhichNodeSetItsFunction() {
    assertThat(IntentsCommand.table(Talkers.TREE).asText())
        .contains("a/b     web               /")
        .endsWith("3 intents; whatever is unidentified is served by /.");
  }

  @Test
  void anIntentWithAFunctionOfUploadsShowsBothAndWhichNodesSetThem() {
    UtilityFunction web = Talkers.TREE.resolve("").utilityFunction().value();
    IntentTree tree =
        Talkers.TREE.with(
            IntentPath.parse("a/b"), Policy.builder().uploadFunction(web.named("up")).build());
    assertThat(IntentsCommand.table(tree).asText())
        .containsPattern("a/b +web, uploads up +/, uploads a/b ")
        .containsPattern("a +web +/ ");
  }

  @Test
  void aCeilingShowsWhatItLimitsAndWhatIsUsualWhereNoneIsSet() {
    Ceiling ceiling =
        Ceiling.of(IntentPath.parse("a/b"))
            .rate(Optional.of(DataRate.ofKilobitsPerSecond(250)))
            .duration(Optional.of(Duration.ofHours(1)))
            .build();
    assertThat(CeilingsCommand.table(List.of(ceiling)).asText())
        .containsPattern("a/b +250 kbit/s +- +60 min +-")
        .containsPattern("usual +- +50 % +10080 min +10")
        .contains("1 are set");
  }

  @Test
  void goingBackSaysToWhichVersionAndWhatChanged() {
    PolicyVersion back =
        PolicyVersion.of(
            4,
            Instant.EPOCH,
            Author.of("anna", Optional.empty()),
            "Back to version 1.",
            Optional.empty(),
            Talkers.TREE);
    assertThat(
            PolicyRollBackCommand.table(back, new TreeSet<>(Talkers.TREE.policies().keySet()))
                .asText())
        .endsWith("Back to version 1. Version 4 is in force; what changed: /, a, a/b.");
  }

  @Test
  void aVersionOnTrialSaysUntilWhen() {
    PolicyVersion version =
        PolicyVersion.of(
            3,
            Instant.EPOCH,
            Author.PACELINE,
            "A trial.",
            Optional.of(Instant.EPOCH.plusSeconds(60)),
            Talkers.TREE);
    assertThat(PolicyCommand.table(List.of(version)).asText())
        .endsWith(
            "Version 3 is in force, and goes back unless it is confirmed until"
                + " 1970-01-01T00:01:00Z.");
  }

  @Test
  void draftsSayOfWhichVersionTheyAre() {
    PolicyDraft draft = PolicyDraft.of("CHG1", Instant.EPOCH, Author.PACELINE, 3, Talkers.TREE);
    assertThat(DraftsCommand.table(List.of(draft), 3).asText())
        .containsPattern("CHG1 +1970-01-01T00:00:00Z +paceline +- +3")
        .endsWith(
            "1 drafts; those of version 3, or of one with the same intents, can be committed.");
    assertThat(DraftsCommand.table(List.of(), 3).asText()).endsWith("Nothing is prepared.");
  }
}
