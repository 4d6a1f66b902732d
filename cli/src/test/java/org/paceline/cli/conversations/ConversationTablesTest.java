package org.paceline.cli.conversations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.cli.Talkers;
import org.paceline.cli.table.Table;
import org.paceline.control.explain.LinkShare;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Proof;
import org.paceline.control.model.ReservedDemand;
import org.paceline.control.model.TcpReading;
import org.paceline.control.view.ClassView;
import org.paceline.control.view.ConversationView;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

final class ConversationTablesTest {
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
            List.of(Proof.of(conversation, Talkers.TREE.resolve(""), Instant.EPOCH)));
    assertThat(table.asText())
        .contains("250 kbit/s")
        .contains("10.0.0.2 www.example")
        .endsWith("0 of 1 conversations are granted.");
    assertThat(table.asJson()).contains("\"conversation\":\"h1/x\\\"y\"");
  }

  @Test
  void aFullLinkIsNamedWithTheSchemeThatFillsItOrItsPart() {
    assertThat(ExplainCommand.why(link(10_000, 0, 0))).isEqualTo("full: service-classes");
    assertThat(ExplainCommand.why(link(5_000, 0, 0)))
        .isEqualTo("its part is full: service-classes");
    assertThat(ExplainCommand.why(link(5_000, 5_000, 0)))
        .startsWith("full: service-classes; those without a grant have ")
        .contains("5000 kbit/s");
    assertThat(ExplainCommand.why(link(10_000, 0, 0.05)))
        .startsWith("full: service-classes; binding: one more Mbit/s is worth ");
    assertThat(ExplainCommand.why(link(1_000, 100, 0.05)))
        .startsWith("binding: ")
        .contains("; those without a grant have ");
    assertThat(ExplainCommand.why(link(1_000, 100, 0))).isEqualTo("not binding");
  }

  /** Of 10 Mbit/s, with so much granted to service classes, whose part is the half of it. */
  private static LinkShare link(long granted, long heldTo, double price) {
    return LinkShare.of(
        LinkId.of("s1", "s2"),
        DataRate.ofKilobitsPerSecond(10_000),
        price,
        Map.of(SchemeName.SERVICE_CLASSES, DataRate.ofKilobitsPerSecond(granted)),
        DataRate.ofKilobitsPerSecond(heldTo),
        granted >= 5_000 ? Set.of(SchemeName.SERVICE_CLASSES) : Set.of());
  }

  @Test
  void aProofShowsEachPlaceAndWhatIsNotAsWanted() {
    Proof proof =
        proof().toBuilder()
            .elements(
                List.of(
                    InstalledElement.of(
                        InstalledElement.Kind.METER,
                        "of:1",
                        "7",
                        InstalledElement.Standing.WRONG,
                        "4000 kbit/s",
                        "9000 kbit/s")))
            .experience(
                KpiModel.WEB.experience(Map.of("page_load_s", KpiReading.of(10, Instant.EPOCH))))
            .tcp(
                Optional.of(
                    TcpReading.of(17, Optional.of(Latency.ofMillis(21)), OptionalInt.empty())))
            .build();
    assertThat(ProofCommand.table(proof, Talkers.NO_NAMES).asText())
        .containsPattern("installed +of:1 meter 7 +4000 kbit/s +9000 kbit/s +wrong")
        .containsPattern("TCP +h1 +- +round trip 21.0 ms +17 segments sent again")
        .containsPattern("experienced +KPI model web +utility - +utility 2.69 +page_load_s 10")
        .endsWith("1 of 1 elements are not as wanted.");
  }

  @Test
  void aProofShowsWhatItsSchemeMadeOfIt() {
    Proof proof =
        proof().toBuilder()
            .subClass(Optional.of("HL"))
            .reservation(
                Optional.of(
                    ReservedDemand.of(
                        DataRate.ofKilobitsPerSecond(2_000),
                        DataRate.ofKilobitsPerSecond(2_000),
                        true)))
            .build();
    assertThat(ProofCommand.table(proof, Talkers.NO_NAMES).asText())
        .containsPattern("service class +/ +weight 1 +sub-class HL")
        .containsPattern("reservation +/ +2000 kbit/s +is taken to want 2000 kbit/s +asks");
  }

  @Test
  void aClassThatIsSplitShowsItsParts() {
    EffectivePolicy classed =
        Talkers.TREE
            .with(
                IntentPath.parse("guests"),
                Policy.builder().scheme(SchemeName.SERVICE_CLASSES).classWeight(3).build())
            .resolve("guests");
    List<Proof> proofs =
        List.of(
            Talkers.sending("slow", 10).toBuilder()
                .requested(classed)
                .subClass(Optional.of("L"))
                .build(),
            Talkers.sending("quick", 500).toBuilder()
                .requested(classed)
                .subClass(Optional.of("H"))
                .build());
    assertThat(ClassesCommand.table(ClassView.of(proofs)).asText())
        .containsPattern(
            "guests +3 +all +2 .*510 kbit/s\\s+guests +3 +L +1 .* 10 kbit/s\\s+guests +3 +H"
                + " +1 .*500 kbit/s");
  }

  @Test
  void withoutServiceClassesItSaysWhy() {
    assertThat(ClassesCommand.table(List.of()).asText()).contains("says service-classes.");
  }

  @Test
  void whereNothingIsLentOfReservationsItSaysWhy() {
    assertThat(LedgerCommand.table(List.of(), Talkers.NO_NAMES).asText())
        .contains("no branch with adaptive-reservations");
  }

  @Test
  void whoSendsMostComesFirst() {
    List<Proof> proofs =
        List.of(
            Talkers.sending("slow", 10), Talkers.sending("quick", 500), Talkers.sending("idle", 0));
    assertThat(TopCommand.table(ConversationView.of(proofs), Talkers.state(3).build(), 2).asText())
        .containsSubsequence("h1/quick", "h1/slow", "3 conversations send 510 kbit/s")
        .doesNotContain("h1/idle");
  }

  @Test
  void whoSendsBesideTheRulesIsNamed() {
    ProofBook book = Talkers.withOneBesideTheRules();
    assertThat(
            TopCommand.table(
                    ConversationView.of(book.all()),
                    Talkers.state(2).beside(Talkers.besideTheRules(book)).build(),
                    2)
                .asText())
        .containsPattern("h1/quick +/ +iperf3 +55000 kbit/s")
        .contains("beside the rules 0 kbit/s managed, 55010 kbit/s held by nobody")
        .endsWith(Talkers.NOTE);
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
        Talkers.sending("lent", 111).toBuilder()
            .computed(Optional.of(grant))
            .lent(DataRate.ofKilobitsPerSecond(50))
            .build();
    assertThat(
            TopCommand.table(ConversationView.of(List.of(proof)), Talkers.state(1).build(), 2)
                .asText())
        .containsPattern("111 kbit/s +100 kbit/s +50 kbit/s +74 %");
  }

  @Test
  void whoeverIsNotHeldToARateIsSaidNotToBePaced() {
    Proof proof =
        Talkers.sending("free", 7).toBuilder()
            .installed(DataRate.ofKilobitsPerSecond(100_000_000))
            .build();
    assertThat(ConversationsCommand.table(List.of(proof)).asText())
        .contains("not paced")
        .doesNotContain("100000000");
    assertThat(ProofCommand.table(proof, Talkers.NO_NAMES).asText())
        .containsPattern("measured +h1 +not paced +7 kbit/s");
  }

  private static Proof proof() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", "x"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    return Proof.of(conversation, Talkers.TREE.resolve(""), Instant.EPOCH);
  }
}
