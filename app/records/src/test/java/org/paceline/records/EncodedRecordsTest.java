package org.paceline.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.Refused;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.control.ingress.IngressDay;
import org.paceline.control.ingress.IngressList;
import org.paceline.control.ingress.IngressPair;
import org.paceline.control.model.ConversationId;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Outcome;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Transfer;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.catalogue.Catalogue;

final class EncodedRecordsTest {
  private static final Author ANNA = Author.of("anna", Optional.of("CHG0030001"));
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00.123456Z");

  private final RememberedRecords<byte[]> bytes = new RememberedRecords<>();

  @Test
  void everyKindComesBackAsItWent() {
    Change change = Change.of(1, AT, ANNA, "It is done.", "{\"a\":\"ü\n\"}", "", "x");
    assertThat(kept(RecordCodecs.CHANGE, change)).contains(change);
    assertThat(kept(RecordCodecs.CHANGE, change.refuting(7))).contains(change.refuting(7));
    PolicyVersion version =
        PolicyVersion.of(2, AT, ANNA, "A trial.", Optional.of(AT), Catalogue.defaultTree());
    assertThat(kept(RecordCodecs.VERSION, version)).contains(version);
    PolicyVersion ofDraft = version.ofDraft(Optional.of("CHG1"));
    assertThat(kept(RecordCodecs.VERSION, ofDraft)).contains(ofDraft);
    PolicyVersion readsSo =
        PolicyVersion.of(
            2, AT, ANNA, "Draft CHG1 is put in force.", Optional.empty(), Catalogue.defaultTree());
    assertThat(kept(RecordCodecs.VERSION, readsSo)).contains(readsSo);
    PolicyDraft draft = PolicyDraft.of("CHG1", AT, Author.PACELINE, 2, Catalogue.defaultTree());
    assertThat(kept(RecordCodecs.DRAFT, draft)).contains(draft);
    ReservationRequest requested =
        ReservationRequest.of(
            "voip",
            "10.0.0.1",
            "2001:db8::2",
            DataRate.ofMillibitsPerSecond(100_000_001),
            AT,
            Duration.ofDays(400).plusNanos(1),
            AT.plus(Duration.ofDays(800)));
    Reservation held = Reservation.held("r000001", requested, AT);
    assertThat(kept(new ReservationCodec(), held)).contains(held);
    Reservation firm = held.committed().of(Optional.of("request-1"));
    assertThat(kept(new ReservationCodec(), firm)).contains(firm);
    Reservation circuit = firm.promisedBy(SchemeName.ELEPHANT_ISOLATION);
    assertThat(kept(new ReservationCodec(), circuit)).contains(circuit);
    assertThat(bytes.find("a").orElseThrow()[0]).isEqualTo((byte) 2);
    Reservation ofPrefixes =
        Reservation.committed(
                "r000003",
                ReservationRequest.of(
                    "backup",
                    "2001:db8:1::/48",
                    "2001:db8:2::1",
                    DataRate.ofKilobitsPerSecond(4_000),
                    AT,
                    Duration.ofHours(1),
                    AT.plusSeconds(3_600)))
            .promisedBy(SchemeName.ELEPHANT_ISOLATION);
    assertThat(kept(new ReservationCodec(), ofPrefixes)).contains(ofPrefixes);
    assertThat(bytes.find("a").orElseThrow()[0])
        .as("an earlier Paceline would take the prefix for a host")
        .isEqualTo((byte) 3);
    WebhookEvent event = WebhookEvent.of("evt_1", Webhook.Kind.ALARM, "{ \"a\":\"ü\" }");
    Undelivered waiting = Undelivered.of("w1", event);
    assertThat(kept(new UndeliveredCodec(), waiting)).contains(waiting);
    EnrolmentToken token =
        EnrolmentToken.of("0a".repeat(32), "srv1", Set.of("10.0.0.1", "2001:db8::1"), "anna", AT);
    assertThat(kept(RecordCodecs.ENROLMENT_TOKEN, token)).contains(token);
    IngressList list =
        IngressList.of(
            IpAddress.parse("2001:db8::1"),
            LocalDate.of(2026, 11, 22),
            List.of(
                IngressPair.of(
                    AddressPrefix.parse("10.0.0.0/24"),
                    AddressPrefix.parse("10.0.1.0/24"),
                    5_000_000_000L,
                    LocalDate.of(2026, 11, 21))),
            List.of(IngressDay.of(LocalDate.of(2026, 11, 21), 3, 2, 5_000_000_000L, 7)));
    assertThat(kept(new IngressListCodec(), list)).contains(list);
    LearnedTable learned =
        LearnedTable.of(
            Catalogue.function("web"), AT, List.of(LearnedCell.of(3, 2, 17, 3.25, 1.5)));
    assertThat(kept(new LearnedTableCodec(), learned)).contains(learned);
    for (Optional<Outcome> outcome :
        List.of(Optional.<Outcome>empty(), Optional.of(Outcome.done("{}")))) {
      Operation operation =
          Operation.of("o1", "anna", "What if.", AT, outcome.map(ended -> AT), outcome);
      assertThat(kept(new OperationCodec(), operation)).contains(operation);
    }
  }

  /** An earlier Paceline must neither misread such a tree nor be kept from any other. */
  @Test
  void aTreeHasTheSchemaVersionOfWhatIsInIt() {
    IntentTree tree = Catalogue.defaultTree();
    IntentTree uploads =
        tree.with(
            IntentPath.parse("backup"),
            Policy.builder().uploadFunction(Catalogue.function("web")).build());
    PolicyDraft draft = PolicyDraft.of("CHG1", AT, ANNA, 2, uploads);
    assertThat(kept(RecordCodecs.DRAFT, draft)).contains(draft);
    assertThat(bytes.find("a").orElseThrow()[0]).isEqualTo((byte) 2);
    PolicyVersion version = PolicyVersion.of(2, AT, ANNA, "It is.", Optional.empty(), uploads);
    assertThat(kept(RecordCodecs.VERSION, version)).contains(version);
    assertThat(bytes.find("a").orElseThrow()[0]).isEqualTo((byte) 2);
    PolicyVersion plain = PolicyVersion.of(3, AT, ANNA, "It is.", Optional.empty(), tree);
    assertThat(kept(RecordCodecs.VERSION, plain)).contains(plain);
    assertThat(bytes.find("a").orElseThrow()[0]).isEqualTo((byte) 1);
  }

  @Test
  void aTransferComesBackWithAllThatWasCountedAndTheRateThatWasDue() {
    ReservationRequest requested =
        ReservationRequest.transfer(
                "backup", "10.0.0.1", "10.0.0.2", 3_000_000_000L, AT, AT.plusSeconds(3_600))
            .sharedBy(2)
            .adaptive(true)
            .with(DataRate.ofMillibitsPerSecond(5_000_000_001L));
    Reservation going =
        Reservation.held("r000002", requested, AT)
            .with(
                Transfer.of(
                    3_000_000_000L,
                    1_500_000_001L,
                    Map.of(ConversationId.of("h1", "k-1"), 1_600_000_000L),
                    Optional.empty()));
    assertThat(kept(new ReservationCodec(), going)).contains(going);
    Reservation met =
        going
            .committed()
            .with(Transfer.of(3_000_000_000L, 3_000_000_000L, Map.of(), Optional.of(AT)));
    assertThat(kept(new ReservationCodec(), met)).contains(met);
  }

  @Test
  void aReservationThatWasStoredBeforeThereWereTransfersIsOneOfARate() throws IOException {
    records(RecordCodecs.PLAIN).replace("r000001", stored("reservation-of-a-rate.json"));
    Reservation reservation = records(new ReservationCodec()).find("r000001").orElseThrow();
    assertThat(reservation.transfer()).isEmpty();
    assertThat(reservation)
        .isEqualTo(
            Reservation.committed(
                    "r000001",
                    ReservationRequest.of(
                            "voip",
                            "10.0.0.1",
                            "10.0.0.2",
                            DataRate.ofKilobitsPerSecond(4_000),
                            Instant.parse("2026-12-01T20:00:00Z"),
                            Duration.ofHours(1),
                            Instant.parse("2026-12-02T06:00:00Z"))
                        .sharedBy(4))
                .of(Optional.of("request-1")));
  }

  @Test
  void whatWasStoredWithWeightsIsReadWithoutThem() throws IOException {
    records(RecordCodecs.PLAIN).replace("2", stored("version-with-weight.json"));
    PolicyVersion version = records(RecordCodecs.VERSION).find("2").orElseThrow();
    assertThat(version.tree().policies().get(IntentPath.parse("voip")))
        .isEqualTo(Policy.builder().priority(3).build());
    records(RecordCodecs.PLAIN).replace("CHG1", stored("draft-with-weight.json"));
    assertThat(records(RecordCodecs.DRAFT).find("CHG1").orElseThrow().tree())
        .isEqualTo(version.tree());
  }

  private String stored(String name) throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/" + name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  @Test
  void aTakenNameKeepsWhatItHas() {
    EncodedRecords<String> records = records(RecordCodecs.PLAIN);
    assertThat(records.add("a", "first")).isTrue();
    assertThat(records.add("a", "second")).isFalse();
    assertThat(records.find("a")).contains("first");
  }

  @Test
  void whatANewerVersionWroteIsNeitherReadNorLost() {
    byte[] newer = {9, 1, 2, 3};
    bytes.replace("a", newer);
    EncodedRecords<String> records = records(RecordCodecs.PLAIN);
    assertThat(records.find("a")).isEmpty();
    assertThat(records.add("a", "mine")).isFalse();
    assertThatThrownBy(() -> records.replace("a", "mine"))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("The record (a) of store has schema version 9")
        .hasMessageContaining("up to 1");
    assertThatThrownBy(() -> records.remove("a")).isInstanceOf(Refused.class);
    assertThat(bytes.find("a")).contains(newer);
  }

  @Test
  void brokenBytesAreNotRead() {
    bytes.replace("a", new byte[] {1, 2, 3});
    bytes.replace("b", new byte[0]);
    assertThat(records(RecordCodecs.PLAIN).find("a")).isEmpty();
    assertThat(records(RecordCodecs.PLAIN).find("b")).isEmpty();
    records(RecordCodecs.PLAIN).replace("d", "{\"actor\":\"anna\",\"at\":\"noon\"}");
    assertThat(records(RecordCodecs.CHANGE).find("d")).isEmpty();
    records(RecordCodecs.PLAIN).replace("c", "{\"start\":\"noon\",\"millibitsPerSecond\":1}");
    assertThat(records(new ReservationCodec()).find("c")).isEmpty();
  }

  private <T> Optional<T> kept(RecordCodec<T> codec, T value) {
    bytes.remove("a");
    records(codec).replace("a", value);
    return records(codec).find("a");
  }

  /** As after a restart. */
  private <T> EncodedRecords<T> records(RecordCodec<T> codec) {
    return new EncodedRecords<>("store", bytes, codec);
  }
}
