package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.paceline.control.Nobody;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.ceiling.Ceiling;
import org.paceline.control.change.Author;
import org.paceline.control.change.Change;
import org.paceline.control.conversations.AgentInfo;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.TcpReading;
import org.paceline.control.plan.Mode;
import org.paceline.control.plan.Plan;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.port.LinkPorts;
import org.paceline.control.port.NetworkState;
import org.paceline.control.port.NodeNames;
import org.paceline.control.port.SwitchReport;
import org.paceline.control.proof.InstalledElement;
import org.paceline.control.proof.Proof;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class TablesTest {
  private static final NodeNames NO_NAMES =
      NodeNames.of(
          NetworkState.of(Network.of(Set.of(), List.of()), Map.of(), List.of()), List.of());

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
            tree);
    assertThat(PolicyRollBackCommand.table(back, new TreeSet<>(tree.policies().keySet())).asText())
        .endsWith("Back to version 1. Version 4 is in force; what changed: /, a, a/b.");
  }

  @Test
  void aConversationShowsItsRatesWithUnits() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", "x\"y"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .remoteName("www.example")
            .rateInForce(DataRate.ofKilobitsPerSecond(250))
            .build();
    Table table =
        ConversationsCommand.table(
            List.of(Proof.of(conversation, tree.resolve(""), Instant.EPOCH)));
    assertThat(table.asText())
        .contains("250 kbit/s")
        .contains("10.0.0.2 www.example")
        .endsWith("0 of 1 conversations are granted.");
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
            .tcp(Optional.of(TcpReading.of(17, Optional.of(Latency.ofMillis(21)))))
            .build();
    assertThat(ProofCommand.table(proof, NO_NAMES).asText())
        .containsPattern("installed +of:1 meter 7 +4000 kbit/s +9000 kbit/s +wrong")
        .containsPattern("TCP +h1 +- +round trip 21.0 ms +17 segments sent again")
        .endsWith("1 of 1 elements are not as wanted.");
  }

  @Test
  void withoutAlarmsThatIsSaid() {
    assertThat(AlarmsCommand.table(List.of()).asText())
        .endsWith("The network holds what is planned.");
  }

  @Test
  void anEmptyPlanIsSaidToBeOne() {
    assertThat(PlanCommand.table(Plan.EMPTY, Mode.ENFORCE, NO_NAMES).asText())
        .contains("Plan 0: least utility -");
  }

  @Test
  void aPlanThatNobodyIsHeldToIsSaidToBeOne() {
    assertThat(PlanCommand.table(Plan.EMPTY, Mode.SHADOW, NO_NAMES).asText())
        .endsWith("Shadow: it is only recommended, nothing is enforced.");
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

  @Test
  void theHistoryNamesWhoChangedWhatForWhichTicket() {
    Change change =
        Change.of(
            7,
            Instant.EPOCH,
            Author.of("anna", Optional.of("CHG1")),
            "The intents are replaced.",
            "the body",
            "before",
            "after");
    assertThat(HistoryCommand.table(List.of(change)).asText())
        .contains("7       1970-01-01T00:00:00Z  anna  CHG1    The intents are replaced.")
        .endsWith("1 changes; \"paceline:history NUMBER\" shows one in full.");
    assertThat(HistoryCommand.table(change).asJson()).contains("the body", "before", "after");
    assertThat(HistoryCommand.table(List.of()).asText()).endsWith("Nothing was changed.");
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
            tree);
    assertThat(PolicyCommand.table(List.of(version)).asText())
        .endsWith(
            "Version 3 is in force, and goes back unless it is confirmed until"
                + " 1970-01-01T00:01:00Z.");
  }

  @Test
  void draftsSayOfWhichVersionTheyAre() {
    PolicyDraft draft = PolicyDraft.of("CHG1", Instant.EPOCH, Author.PACELINE, 3, tree);
    assertThat(DraftsCommand.table(List.of(draft), 3).asText())
        .containsPattern("CHG1 +1970-01-01T00:00:00Z +paceline +- +3")
        .endsWith(
            "1 drafts; those of version 3, or of one with the same intents, can be committed.");
    assertThat(DraftsCommand.table(List.of(), 3).asText()).endsWith("Nothing is prepared.");
  }

  @Test
  void switchesAndLinksAreCounted() {
    SwitchReport report =
        SwitchReport.builder()
            .id("of:1")
            .isConnected(false)
            .description("any")
            .meters(Optional.empty())
            .metersAllowed(9)
            .metersUsed(1)
            .tableSize(Optional.empty())
            .rulesAllowed(99)
            .rulesUsed(12)
            .separation("none")
            .build();
    assertThat(SwitchesCommand.table(List.of(report)).asText())
        .containsPattern("of:1 +away +1 +9 +12 +99 +- +none")
        .endsWith("1 switches, 1 of them away.");
    Network network =
        Network.of(
            Set.of("h1", "h2"),
            List.of(
                Link.of(
                    "h1",
                    "h2",
                    DataRate.ofKilobitsPerSecond(100),
                    LinkDelay.constant(Latency.ofMillis(1)))));
    assertThat(links(NetworkState.of(network, Map.of(), List.of())))
        .containsPattern("h1 +- +h2 +- +100 kbit/s +0 kbit/s +-")
        .endsWith("1 links.");
  }

  @Test
  void linksNameTheirHostsPortsAndLoad() {
    LinkId up = LinkId.of("00:00:00:00:00:03/None", "of:1");
    Network network =
        Network.of(
            Set.of(up.from(), up.to()),
            List.of(
                Link.of(
                    up.from(),
                    up.to(),
                    DataRate.ofKilobitsPerSecond(100),
                    LinkDelay.constant(Latency.ZERO))));
    NetworkState state =
        NetworkState.of(
            network,
            Map.of("10.0.0.3", up.from()),
            Map.of("of:1", "core"),
            Map.of(up, LinkPorts.of(Optional.empty(), Optional.of(7L))),
            List.of());
    assertThat(
            LinksCommand.table(
                    state,
                    NodeNames.of(state, List.of()),
                    Map.of(up, DataRate.ofKilobitsPerSecond(42)),
                    Plan.EMPTY)
                .asText())
        .containsPattern("10\\.0\\.0\\.3 +- +core +7 +100 kbit/s +0 kbit/s +42 kbit/s");
  }

  private static String links(NetworkState state) {
    return LinksCommand.table(state, NodeNames.of(state, List.of()), Map.of(), Plan.EMPTY).asText();
  }

  @Test
  void whoSendsMostComesFirst() {
    List<Proof> proofs = List.of(sending("slow", 10), sending("quick", 500), sending("idle", 0));
    assertThat(TopCommand.table(proofs, Plan.EMPTY, Mode.ENFORCE, List.of(), 2).asText())
        .containsSubsequence("h1/quick", "h1/slow", "3 conversations send 510 kbit/s")
        .doesNotContain("h1/idle");
  }

  @Test
  void whoSendsBesideTheRulesIsNamedByStateAndTop() {
    ProofBook book = new ProofBook();
    Proof quick = sending("quick", 55_000);
    Conversation whose = quick.conversation().toBuilder().process("iperf3").user("root").build();
    book.put(quick.toBuilder().conversation(whose).build());
    book.put(sending("slow", 10));
    List<BesideRules.Sender> beside = new BesideRules(book, new Nobody.NoJournal()).senders();
    String note =
        "Host h1 sends beside its agent's rules: 55010 kbit/s that nobody holds; most by iperf3"
            + " (root) to 10.0.0.2. Maybe name it by a rule there, or set its (unmatched: manage).";

    assertThat(TopCommand.table(book.all(), Plan.EMPTY, Mode.ENFORCE, beside, 2).asText())
        .containsPattern("h1/quick +/ +iperf3 +55000 kbit/s")
        .contains("beside the rules 0 kbit/s managed, 55010 kbit/s held by nobody")
        .endsWith(note);
    assertThat(
            StateCommand.table(Plan.EMPTY, Mode.ENFORCE, 1, 2, 0, DataRate.ZERO, beside, "door")
                .asText())
        .containsPattern("beside the rules +0 kbit/s managed, 55010 kbit/s held by nobody")
        .contains(note);
  }

  @Test
  void aLoanStandsBesideTheGrantAndCountsInWhatIsUsed() {
    Grant grant =
        Grant.of(
            "h1/lent",
            1,
            DataRate.ofKilobitsPerSecond(100),
            Latency.ofMillis(5),
            Utility.MAX,
            Path.of(List.of("h1", "h2")));
    Proof proof =
        sending("lent", 111).toBuilder()
            .computed(Optional.of(grant))
            .lent(DataRate.ofKilobitsPerSecond(50))
            .build();
    assertThat(TopCommand.table(List.of(proof), Plan.EMPTY, Mode.ENFORCE, List.of(), 2).asText())
        .containsPattern("111 kbit/s +100 kbit/s +50 kbit/s +74 %");
  }

  @Test
  void whoeverIsNotHeldToARateIsSaidNotToBePaced() {
    Proof proof =
        sending("free", 7).toBuilder().installed(DataRate.ofKilobitsPerSecond(100_000_000)).build();
    assertThat(ConversationsCommand.table(List.of(proof)).asText())
        .contains("not paced")
        .doesNotContain("100000000");
    assertThat(ProofCommand.table(proof, NO_NAMES).asText())
        .containsPattern("measured +h1 +not paced +7 kbit/s");
  }

  private Proof sending(String id, long kbps) {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", id))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    return Proof.of(conversation, tree.resolve(""), Instant.EPOCH).toBuilder()
        .measured(DataRate.ofKilobitsPerSecond(kbps))
        .build();
  }
}
