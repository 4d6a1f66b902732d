package org.paceline.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Subject;
import org.paceline.control.model.ConversationId;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Outcome;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Transfer;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;

/**
 * What an earlier Paceline stored is read as it was meant. The folder store-1 holds records as the
 * Paceline before schema versions wrote them, byte for byte; nobody may make them anew.
 */
final class EarlierStoresTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00.123456Z");
  private static final Author ANNA =
      Author.of("anna", Optional.of("CHG0030001")).by(Optional.of(Request.of("request-1", AT)));

  @Test
  void changesAndWhichOfThemWereNotMade() throws IOException {
    Change made =
        Change.of(
            1,
            AT,
            ANNA,
            "The intent (backup) is set.",
            "{\"maximumRateKbps\":2000}",
            "before",
            "after");
    assertThat(read("paceline-changes", "1", RecordCodecs.CHANGE)).isEqualTo(made);
    Change refutation =
        Change.of(
            2,
            AT.plusSeconds(1),
            ANNA,
            "Change 1 was not made: the store is away",
            "",
            "before",
            "before");
    assertThat(read("paceline-changes", "2", RecordCodecs.CHANGE))
        .isEqualTo(refutation.refuting(1));
    Change begun = Change.of(3, AT, ANNA, "The intent (backup) is set.", "{}", "a", "b");
    assertThat(read("paceline-begun", "n1_1", RecordCodecs.BEGUN))
        .isEqualTo(PendingChange.of(Subject.of(Subject.Kind.POLICY, "2"), begun));
  }

  @Test
  void versionsDraftsAndCeilings() throws IOException {
    PolicyVersion version = read("paceline-versions", "2", RecordCodecs.VERSION);
    IntentTree tree = version.tree();
    assertThat(tree.policies().get(IntentPath.parse("backup")))
        .isEqualTo(
            Policy.builder().maximumRate(DataRate.ofKilobitsPerSecond(2_000)).priority(3).build());
    assertThat(version)
        .isEqualTo(
            PolicyVersion.of(2, AT, ANNA, "The intent (backup) is set.", Optional.empty(), tree));
    assertThat(read("paceline-versions", "3", RecordCodecs.VERSION))
        .isEqualTo(
            PolicyVersion.of(
                    3,
                    AT,
                    Author.PACELINE,
                    "Draft CHG0030001 is put in force.",
                    Optional.of(AT.plusSeconds(600)),
                    tree)
                .ofDraft(Optional.of("CHG0030001")));
    assertThat(read("paceline-drafts", "CHG0030001", RecordCodecs.DRAFT))
        .isEqualTo(PolicyDraft.of("CHG0030001", AT, ANNA, 2, tree));
    assertThat(read("paceline-ceilings", "backup", RecordCodecs.CEILING))
        .isEqualTo(
            Ceiling.of(IntentPath.parse("backup"))
                .rate(Optional.of(DataRate.ofKilobitsPerSecond(5_000)))
                .sharePercent(Optional.of(20))
                .duration(Optional.of(Duration.ofHours(8)))
                .priority(Optional.of(3))
                .build());
  }

  @Test
  void reservationsAndTheirNumbers() throws IOException {
    ReservationRequest rate =
        ReservationRequest.of(
            "voip",
            "10.0.0.1",
            "2001:db8::2",
            DataRate.ofMillibitsPerSecond(100_000_001),
            AT,
            Duration.ofDays(400).plusNanos(1),
            AT.plus(Duration.ofDays(800)));
    assertThat(read("paceline-reservations", "r000001", new ReservationCodec()))
        .as("nobody knows which scheme promised it")
        .isEqualTo(Reservation.held("r000001", rate, AT).of(Optional.of("request-1")));
    ReservationRequest bytes =
        ReservationRequest.transfer(
                "backup", "10.0.0.1", "10.0.0.2", 3_000_000_000L, AT, AT.plusSeconds(3_600))
            .sharedBy(2)
            .with(DataRate.ofMillibitsPerSecond(5_000_000_001L));
    assertThat(read("paceline-reservations", "r000002", new ReservationCodec()))
        .isEqualTo(
            Reservation.committed("r000002", bytes)
                .with(
                    Transfer.of(
                        3_000_000_000L,
                        1_500_000_001L,
                        Map.of(ConversationId.of("h1", "k-1"), 1_600_000_000L),
                        Optional.empty())));
    assertThat(read("paceline-reservation-numbers", "request-1", RecordCodecs.PLAIN))
        .isEqualTo("r000001");
  }

  @Test
  void webhooksAndWhatTheyWereNotYetTold() throws IOException {
    Webhook webhook = read("paceline-webhooks", "w1", RecordCodecs.WEBHOOK);
    assertThat(webhook.url()).hasToString("https://itsm.example/paceline");
    assertThat(webhook.kinds()).containsExactly(Webhook.Kind.POLICY, Webhook.Kind.ALARM);
    assertThat(webhook.secret()).isEqualTo("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    assertThat(read("paceline-outbox", "1", new UndeliveredCodec()))
        .isEqualTo(
            Undelivered.of("w1", WebhookEvent.of("evt_1", Webhook.Kind.ALARM, "{ \"a\":\"ü\" }")));
  }

  @Test
  void operationsAnswersAndSettings() throws IOException {
    OperationCodec codec = new OperationCodec();
    assertThat(read("paceline-operations", "o1", codec))
        .isEqualTo(Operation.of("o1", "anna", "What if.", AT, Optional.empty(), Optional.empty()));
    assertThat(read("paceline-operations", "o2", codec).outcome()).contains(Outcome.done("{}"));
    assertThat(read("paceline-operations", "o3", codec).outcome()).contains(Outcome.failed("{}"));
    assertThat(read("paceline-answers", "a1", RecordCodecs.PLAIN)).contains("\"status\":204");
    assertThat(read("paceline-settings-seen", "solver", RecordCodecs.PLAIN)).isEqualTo("auto");
  }

  private static <T> T read(String store, String key, RecordCodec<T> codec) throws IOException {
    RememberedRecords<byte[]> bytes = new RememberedRecords<>();
    String file = "/store-1/" + store + "/" + key;
    try (InputStream in = EarlierStoresTest.class.getResourceAsStream(file)) {
      bytes.replace(key, Objects.requireNonNull(in, file).readAllBytes());
    }
    return new EncodedRecords<>(store, bytes, codec).find(key).orElseThrow();
  }
}
