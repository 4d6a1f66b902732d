package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.conversations.AgentInfo;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.plan.Plan;
import org.paceline.control.proof.InstalledElement;
import org.paceline.control.proof.Proof;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class TablesTest {
  private final IntentTree tree =
      IntentTree.withDefault(
              UtilityFunction.of(
                  "web",
                  List.of(DataRate.ofKilobitsPerSecond(100)),
                  List.of(Latency.ofMillis(10)),
                  List.of(List.of(Utility.MAX))))
          .with(IntentPath.parse("a/b"), Policy.builder().priority(3).build());

  @Test
  void anIntentSaysWhichNodeSetItsFunction() {
    assertThat(IntentsCommand.table(tree).asText())
        .contains("a/b     web               /")
        .endsWith("3 intents; whatever is unidentified is served by /.");
  }

  @Test
  void aConversationShowsItsRatesWithUnits() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", "x\"y"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .rateInForce(DataRate.ofKilobitsPerSecond(250))
            .build();
    Table table =
        ConversationsCommand.table(
            List.of(Proof.of(conversation, tree.resolve(""), Instant.EPOCH)));
    assertThat(table.asText()).contains("250 kbit/s").endsWith("0 of 1 conversations are granted.");
    assertThat(table.asJson()).contains("\"conversation\":\"h1/x\\\"y\"");
  }

  @Test
  void aProofShowsEachPlaceAndWhatIsNotAsWanted() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", "x"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    Proof proof =
        Proof.of(conversation, tree.resolve(""), Instant.EPOCH).toBuilder()
            .elements(
                List.of(
                    InstalledElement.compared(
                        InstalledElement.Kind.METER, "of:1", "7", "4000 kbit/s", "9000 kbit/s")))
            .build();
    assertThat(ProofCommand.table(proof).asText())
        .containsPattern("installed +of:1 meter 7 +4000 kbit/s +9000 kbit/s +wrong")
        .endsWith("1 of 1 elements are not as wanted.");
  }

  @Test
  void withoutAlarmsThatIsSaid() {
    assertThat(AlarmsCommand.table(List.of()).asText())
        .endsWith("The network holds what is planned.");
  }

  @Test
  void anEmptyPlanIsSaidToBeOne() {
    assertThat(PlanCommand.table(Plan.EMPTY).asText()).contains("Plan 0: least utility -");
  }

  @Test
  void agentsAreListedWithWhereTheyCallFrom() {
    assertThat(
            AgentsCommand.table(
                    List.of(
                        AgentInfo.of(
                            "h1", List.of("10.0.0.1"), "htb", "1", "192.0.2.1:5", Instant.EPOCH)))
                .asText())
        .contains("192.0.2.1:5")
        .endsWith("1 agents are attached.");
  }
}
