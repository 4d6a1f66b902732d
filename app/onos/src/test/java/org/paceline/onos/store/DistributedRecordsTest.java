package org.paceline.onos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.TestConsistentMap;
import org.onosproject.store.service.TestStorageService;
import org.paceline.control.change.Author;
import org.paceline.control.change.Change;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Outcome;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.Wish;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.Catalogue;

final class DistributedRecordsTest {
  private static final Author ANNA = Author.of("anna", Optional.of("CHG0030001"));
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00.123456Z");

  private final ConsistentMap<String, byte[]> map =
      new TestConsistentMap.Builder<String, byte[]>().build();

  @Test
  void everyKindComesBackAsItWent() {
    Change change = Change.of(1, AT, ANNA, "It is done.", "{\"a\":\"ü\n\"}", "", "x");
    assertThat(kept(RecordTexts.CHANGE, change)).contains(change);
    PolicyVersion version =
        PolicyVersion.of(2, AT, ANNA, "A trial.", Optional.of(AT), Catalogue.defaultTree());
    assertThat(kept(RecordTexts.VERSION, version)).contains(version);
    PolicyDraft draft = PolicyDraft.of("CHG1", AT, Author.PACELINE, 2, Catalogue.defaultTree());
    assertThat(kept(RecordTexts.DRAFT, draft)).contains(draft);
    Wish wish =
        Wish.of(
            "voip",
            "10.0.0.1",
            "2001:db8::2",
            DataRate.ofMillibitsPerSecond(100_000_001),
            AT,
            Duration.ofDays(400).plusNanos(1),
            AT.plus(Duration.ofDays(800)));
    Reservation held = Reservation.held("r000001", wish, AT);
    assertThat(kept(new ReservationText(), held)).contains(held);
    Reservation firm = held.committed().of(Optional.of("request-1"));
    assertThat(kept(new ReservationText(), firm)).contains(firm);
    WebhookEvent event = WebhookEvent.of("evt_1", Webhook.Kind.ALARM, "{ \"a\":\"ü\" }");
    Undelivered waiting = Undelivered.of("w1", event);
    assertThat(kept(new UndeliveredText(), waiting)).contains(waiting);
    for (Optional<Outcome> outcome :
        List.of(Optional.<Outcome>empty(), Optional.of(Outcome.done("{}")))) {
      Operation operation =
          Operation.of("o1", "anna", "What if.", AT, outcome.map(ended -> AT), outcome);
      assertThat(kept(new OperationText(), operation)).contains(operation);
    }
  }

  @Test
  void aTakenNameKeepsWhatItHas() {
    DistributedRecords<String> records = records(RecordTexts.PLAIN);
    assertThat(records.add("a", "first")).isTrue();
    assertThat(records.add("a", "second")).isFalse();
    assertThat(records.find("a")).contains("first");
  }

  @Test
  void whatANewerVersionWroteIsNeitherReadNorLost() {
    byte[] newer = {9, 1, 2, 3};
    map.put("a", newer);
    DistributedRecords<String> records = records(RecordTexts.PLAIN);
    assertThat(records.find("a")).isEmpty();
    assertThat(records.add("a", "mine")).isFalse();
    assertThat(map.get("a").value()).isEqualTo(newer);
  }

  @Test
  void brokenBytesAreNotRead() {
    map.put("a", new byte[] {1, 2, 3});
    map.put("b", new byte[0]);
    assertThat(records(RecordTexts.PLAIN).find("a")).isEmpty();
    assertThat(records(RecordTexts.PLAIN).find("b")).isEmpty();
    records(RecordTexts.PLAIN).replace("c", "{\"start\":\"noon\",\"millibitsPerSecond\":1}");
    assertThat(records(new ReservationText()).find("c")).isEmpty();
  }

  private <T> Optional<T> kept(DistributedRecords.TextCodec<T> codec, T value) {
    records(codec).replace("a", value);
    return records(codec).find("a");
  }

  /** Of one of several nodes, which see the same map. */
  private <T> DistributedRecords<T> records(DistributedRecords.TextCodec<T> codec) {
    return new DistributedRecords<>(
        new TestStorageService() {
          @Override
          @SuppressWarnings("unchecked")
          public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
            return new TestConsistentMap.Builder<K, V>() {
              @Override
              public ConsistentMap<K, V> build() {
                return (ConsistentMap<K, V>) map;
              }
            };
          }
        },
        new DefaultApplicationId(7, "org.paceline.app"),
        "test",
        codec);
  }
}
