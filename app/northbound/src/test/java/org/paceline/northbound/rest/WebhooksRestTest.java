package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.cli.webhooks.WebhookAddCommand;
import org.paceline.control.Nobody;
import org.paceline.control.RememberedRecords;
import org.paceline.control.port.Records;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.work.WorkerThread;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.webhooks.Announcements;
import org.paceline.northbound.webhook.Deliveries;
import org.paceline.records.UndeliveredCodec;

/** Against real HTTP servers on this machine. */
final class WebhooksRestTest {
  private static final String SECRET =
      "whsec_" + Base64.getEncoder().encodeToString("a key of thirty-two bytes length".getBytes());

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);
  private Receiver receiver;

  @BeforeEach
  void open() throws IOException {
    receiver = new Receiver();
    Announcements.open(
        paceline.webhooks(),
        paceline.policy().versions(),
        paceline.reservations().reservations(),
        paceline.state());
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private String register(Receiver at, String events) {
    RestClient.Answer answer = rest.send("POST", "webhooks", body(at.url(), events, SECRET));
    assertThat(answer.status).as(answer.text).isEqualTo(201);
    return answer.json().path("id").asText();
  }

  private static String body(String url, String events, String secret) {
    return "{\"url\":\"" + url + "\",\"events\":[" + events + "],\"secret\":\"" + secret + "\"}";
  }

  private void changePolicy(int priority) {
    String body = "{\"priority\":" + priority + "}";
    assertThat(rest.send("PUT", "intents/voip", body).status).isEqualTo(200);
  }

  private static void until(BooleanSupplier fact) throws InterruptedException {
    long end = System.nanoTime() + 300_000_000_000L;
    while (!fact.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it does not come about").isLessThan(end);
      Thread.sleep(5);
    }
  }

  @Test
  void aChangeIsToldSignedToWhoWantsToKnowThisKind() throws Exception {
    register(receiver, "\"policy\"");
    changePolicy(3);
    until(() -> receiver.ids().size() == 1);
    Receiver.Message message = receiver.messages().get(0);
    assertThat(message.isSignedWith(SECRET)).isTrue();
    JsonNode body = Json.parse(message.body);
    assertThat(body.path("type").asText()).isEqualTo("policy.changed");
    assertThat(body.path("data").path("version").asInt()).isEqualTo(2);
    assertThat(body.path("data").path("actor").asText()).isEqualTo("anna");
  }

  @Test
  void aReservationIsToldStepByStep() throws Exception {
    register(receiver, "\"reservation\",\"alarm\"");
    String requested =
        "{\"intent\":\"voip\",\"from\":\"10.0.0.1\",\"to\":\"10.0.0.2\",\"rateKbps\":100,"
            + "\"durationSeconds\":3600,\"commit\":true}";
    String id = rest.send("POST", "reservations", requested).json().path("id").asText();
    changePolicy(3);
    assertThat(rest.send("DELETE", "reservations/" + id, "").status).isEqualTo(204);
    until(() -> receiver.ids().size() == 3);
    assertThat(receiver.types())
        .containsExactly("reservation.held", "reservation.committed", "reservation.cancelled");
  }

  @Test
  void whatFailsIsSentAgainUnderTheSameIdInOrder() throws Exception {
    receiver.refuse(2);
    String id = register(receiver, "\"policy\"");
    changePolicy(3);
    changePolicy(4);
    until(() -> rest.get("webhooks/" + id).json().path("delivered").asInt() == 2);
    assertThat(receiver.messages().size()).isGreaterThanOrEqualTo(4);
    assertThat(receiver.ids()).hasSize(2);
    String first = receiver.ids().get(0);
    assertThat(receiver.messages().subList(0, 3)).allMatch(message -> message.id.equals(first));
    assertThat(rest.get("webhooks/" + id).json().has("trouble")).isFalse();
  }

  @Test
  void aSlowReceiverFillsItsQueueOnlySoFarAndKeepsNobodyWaiting() throws Exception {
    try (Receiver slow = new Receiver()) {
      slow.hold();
      String held = register(slow, "\"policy\"");
      String quick = register(receiver, "\"policy\"");
      int changes = 1_010;
      for (int i = 0; i < changes; i++) {
        paceline.webhooks().publish(Receiver.event(i));
      }
      until(() -> rest.get("webhooks/" + quick).json().path("delivered").asInt() > 0);
      until(
          () -> {
            JsonNode state = rest.get("webhooks/" + held).json();
            return state.path("waiting").asInt() + state.path("lost").asInt() == changes;
          });
      JsonNode full = rest.get("webhooks/" + held).json();
      assertThat(full.path("waiting").asInt()).isEqualTo(1_001);
      slow.release();
      until(() -> slow.ids().size() == 1_001);
      assertThat(slow.ids().get(0)).isEqualTo("evt_0");
      assertThat(slow.ids().get(1)).isEqualTo("evt_10");
      assertThat(slow.ids().get(1_000)).isEqualTo("evt_1009");
    }
  }

  @Test
  void whatWaitedWhenAControllerEndedTheNextOneSends() throws Exception {
    Records<Undelivered> store = SmallPaceline.records(new UndeliveredCodec());
    Webhook webhook = Webhook.of("w1", receiver.url(), Set.of(Webhook.Kind.POLICY), SECRET);
    Webhook removed = Webhook.of("w2", "http://127.0.0.1:9/", Set.of(Webhook.Kind.POLICY), SECRET);
    receiver.refuse(Integer.MAX_VALUE);
    try (WorkerThread first = new WorkerThread("test-first", new Nobody.NoJournal())) {
      Deliveries before = new Deliveries(new Outbox(store), first, Duration.ofMillis(20));
      for (int i = 0; i < 3; i++) {
        before.send(webhook, Receiver.event(i));
      }
      before.send(removed, Receiver.event(3));
      until(() -> receiver.messages().size() > 1 && store.size() == 4);
    }
    receiver.refuse(0);
    try (WorkerThread second = new WorkerThread("test-second", new Nobody.NoJournal())) {
      Deliveries after = new Deliveries(new Outbox(store), second, Duration.ofMillis(20));
      after.resume(List.of(webhook));
      until(() -> after.state("w1").delivered() == 3);
      assertThat(receiver.ids()).containsExactly("evt_0", "evt_1", "evt_2");
      assertThat(store.size()).isZero();
    }
  }

  /** It may be told once more after a restart. */
  @Test
  void anEventThatCannotBeStruckOffHoldsUpNoneAfterIt() throws Exception {
    AtomicBoolean isAway = new AtomicBoolean();
    Records<Undelivered> store =
        new RememberedRecords<>(
            () -> {
              if (isAway.get()) {
                throw new IllegalStateException("The store is away.");
              }
            });
    Webhook webhook = Webhook.of("w1", receiver.url(), Set.of(Webhook.Kind.POLICY), SECRET);
    receiver.hold();
    try (WorkerThread worker = new WorkerThread("test-telling", new Nobody.NoJournal())) {
      Deliveries deliveries = new Deliveries(new Outbox(store), worker, Duration.ofMillis(20));
      deliveries.send(webhook, Receiver.event(0));
      until(() -> receiver.messages().size() == 1);
      isAway.set(true);
      receiver.release();
      deliveries.send(webhook, Receiver.event(1));
      until(() -> deliveries.state("w1").delivered() == 2);
    }
    assertThat(receiver.ids()).containsExactly("evt_0", "evt_1");
  }

  @Test
  void whoIsRemovedIsToldNothingMore() throws Exception {
    String id = register(receiver, "\"policy\"");
    assertThat(rest.send("DELETE", "webhooks/" + id, "").status).isEqualTo(204);
    assertThat(rest.send("DELETE", "webhooks/" + id, "").status).isEqualTo(404);
    try (Receiver other = new Receiver()) {
      register(other, "\"policy\"");
      changePolicy(3);
      until(() -> other.ids().size() == 1);
      assertThat(receiver.messages()).isEmpty();
    }
  }

  @Test
  void theSecretComesOutNowhere() {
    String id = register(receiver, "\"policy\"");
    for (String path : List.of("webhooks", "webhooks/" + id, "changes", "changes/1")) {
      assertThat(rest.get(path).text).as(path).doesNotContain(SECRET.substring(6));
    }
    assertThat(rest.get("changes/1").text).contains("(not kept here)");
    assertThat(paceline.webhooks().all().toString()).doesNotContain(SECRET.substring(6));
  }

  /** Chat services know their senders by it, and viewers read the log of changes. */
  @Test
  void theAddressIsInNoChangeBeyondItsHost() {
    String url = receiver.url() + "/services/T0SECRET?key=T1SECRET";
    String id =
        rest.send("POST", "webhooks", body(url, "\"policy\"", SECRET)).json().path("id").asText();
    assertThat(rest.get("webhooks/" + id).json().path("url").asText()).isEqualTo(url);
    rest.send("DELETE", "webhooks/" + id, "");
    for (String path : List.of("changes", "changes/1", "changes/2")) {
      assertThat(rest.get(path).text).as(path).doesNotContain("SECRET");
    }
    assertThat(rest.get("changes/1").text).contains("127.0.0.1");
  }

  @Test
  void noSecretOfAnAddressWithoutAPathIsInAChangeEither() {
    String url = "http://127.0.0.1?key=T0SECRET/T1SECRET";
    rest.send("POST", "webhooks", body(url, "\"policy\"", SECRET));
    assertThat(rest.get("changes/1").text).contains("127.0.0.1").doesNotContain("SECRET");
  }

  @Test
  void theShellWritesNoSecretOfAnAddressIntoTheLogOfChanges() throws Exception {
    String url = receiver.url() + "/services/T0SECRET";
    String shown =
        new Shell(paceline).run(new WebhookAddCommand(), "--event policy --ticket CHG1 " + url);
    assertThat(shown).contains(url);
    assertThat(rest.get("changes/1").text)
        .contains("paceline:webhook-add (policy) http://127.0.0.1")
        .doesNotContain("SECRET");
  }

  @Test
  void whatIsNoWebhookIsRefusedAndItsSecretIsNotRepeated() {
    String url = receiver.url();
    for (String bad :
        List.of(
            "{}",
            body("ftp://127.0.0.1/", "\"policy\"", SECRET),
            body("http://anna:secret@127.0.0.1/", "\"policy\"", SECRET),
            body("http:///nowhere", "\"policy\"", SECRET),
            body("", "\"policy\"", SECRET),
            body(url, "", SECRET),
            body(url, "\"weather\"", SECRET),
            body(url, "7", SECRET),
            body(url, "\"policy\"", "hush"),
            body(url, "\"policy\"", "whsec_hush"),
            body(url, "\"policy\"", "whsec_*hush*hush*hush*hush*hush*hush*hush"))) {
      RestClient.Answer answer = rest.send("POST", "webhooks", bad);
      assertThat(answer.status).as(bad).isEqualTo(400);
      assertThat(answer.text).doesNotContain(SECRET.substring(6)).doesNotContain("hush");
    }
    assertThat(rest.get("webhooks").json().path("webhooks")).isEmpty();
    assertThat(paceline.log()).isEmpty();
  }

  @Test
  void thereAreNotEndlesslyMany() {
    for (int i = 0; i < 20; i++) {
      register(receiver, "\"policy\"");
    }
    assertThat(rest.send("POST", "webhooks", body(receiver.url(), "\"alarm\"", SECRET)).status)
        .isEqualTo(409);
  }
}
