package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.yang.restconf.RestconfOffice.json;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.paceline.yang.restconf.message.EventStream;
import org.paceline.yang.restconf.message.Reply;

class EventStreamTest {
  /** The clock stands still: nobody waits for what is not there. */
  private static final Duration NOT_AT_ALL = Duration.ZERO;

  private static final Duration LONG = Duration.ofMinutes(1);

  private final RestconfOffice office;

  EventStreamTest() throws IOException {
    office = new RestconfOffice();
  }

  private void happens(int number) {
    JsonObject content = new JsonObject();
    content.addProperty("version", Integer.toString(number));
    office.changes.add("paceline-policy:policy-changed", content);
  }

  private EventStream.Listener listen(String query) {
    Reply reply = office.ask("GET", "streams/changes" + query, "", "Accept", "text/event-stream");
    assertThat(reply.status()).as(String.valueOf(reply.body())).isEqualTo(200);
    return reply.events().orElseThrow();
  }

  private static List<String> versions(EventStream.Listener listener) throws InterruptedException {
    List<String> heard = new ArrayList<>();
    Optional<String> next = listener.next(NOT_AT_ALL);
    while (next.isPresent()) {
      heard.add(
          json(next.get())
              .getAsJsonObject("ietf-restconf:notification")
              .getAsJsonObject("paceline-policy:policy-changed")
              .get("version")
              .getAsString());
      next = listener.next(NOT_AT_ALL);
    }
    return heard;
  }

  @Test
  void whoListensHearsWhatHappensFromThenOnInTheEnvelopeOfTheRfc() throws InterruptedException {
    happens(1);
    EventStream.Listener listener = listen("");
    happens(2);
    assertThat(listener.next(NOT_AT_ALL).map(RestconfOffice::json))
        .contains(
            json(
                "{'ietf-restconf:notification': {'eventTime': '2026-11-22T12:00:00Z',"
                    + " 'paceline-policy:policy-changed': {'version': '2'}}}"));
    assertThat(listener.next(NOT_AT_ALL)).isEmpty();
    assertThat(listener.isOver()).isFalse();
  }

  @Test
  void whatIsKeptIsToldAgainFromATimeOnAndUntilAnother() throws InterruptedException {
    happens(1);
    office.clock.advance(Duration.ofSeconds(10));
    happens(2);
    office.clock.advance(Duration.ofSeconds(10));
    happens(3);
    assertThat(versions(listen("?start-time=2026-11-22T12:00:05Z"))).containsExactly("2", "3");
    EventStream.Listener until =
        listen("?start-time=2026-11-22T13:00:00%2B01:00&stop-time=2026-11-22T12:00:10Z");
    assertThat(versions(until)).containsExactly("1", "2");
    assertThat(until.isOver()).isTrue();
  }

  @Test
  void aListenerWithAStopTimeInTheFutureEndsWhenItComes() throws InterruptedException {
    happens(1);
    EventStream.Listener listener =
        listen("?start-time=2026-11-22T12:00:00Z&stop-time=2026-11-22T12:01:00Z");
    assertThat(versions(listener)).containsExactly("1");
    assertThat(listener.isOver()).isFalse();
    office.clock.advance(Duration.ofMinutes(1));
    assertThat(listener.next(NOT_AT_ALL)).isEmpty();
    assertThat(listener.isOver()).isTrue();
  }

  /** The clock stands still here; one that is set back does so for longer than anybody waits. */
  @Test
  void whoeverWaitsDoesSoByNoClockThatCanBeStepped() throws InterruptedException {
    EventStream.Listener listener = listen("");
    assertThat(listener.next(Duration.ofMillis(5))).isEmpty();
    assertThat(listener.isOver()).isFalse();
  }

  @Test
  void whoeverIsTooSlowIsAtTheEndAndTheOthersHearAll() throws InterruptedException {
    EventStream.Listener slow = listen("");
    EventStream.Listener quick = listen("");
    for (int i = 1; i <= EventStream.KEPT + 1; i++) {
      happens(i);
      assertThat(quick.next(NOT_AT_ALL)).isPresent();
    }
    assertThat(slow.next(NOT_AT_ALL)).isEmpty();
    assertThat(slow.isOver()).isTrue();
    assertThat(quick.isOver()).isFalse();
  }

  @Test
  void whoWaitsHearsAtOnceAndIsSetFreeWhenTheStreamCloses() throws Exception {
    EventStream.Listener listener = listen("");
    CompletableFuture<Optional<String>> heard = soon(listener);
    happens(1);
    assertThat(heard.get(LONG.toSeconds(), TimeUnit.SECONDS)).isPresent();
    CompletableFuture<Optional<String>> waits = soon(listener);
    office.changes.close();
    assertThat(waits.get(LONG.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    assertThat(listener.isOver()).isTrue();
  }

  private static CompletableFuture<Optional<String>> soon(EventStream.Listener listener) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return listener.next(LONG.multipliedBy(2));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void oneTooManyIsRefusedUntilAnotherEnds() {
    EventStream.Listener first = listen("");
    for (int i = 1; i < EventStream.MOST_LISTENERS; i++) {
      listen("");
    }
    Reply refused = office.ask("GET", "streams/changes", "");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body().toString()).contains("resource-denied");
    first.close();
    listen("");
  }

  @Test
  void theStreamsAreStateAndOnlyEventStreamsAreServedThere() {
    assertThat(
            office.get(
                "data/ietf-restconf-monitoring:restconf-state/streams/stream=changes/access=json"))
        .isEqualTo(
            json(
                "{'ietf-restconf-monitoring:access': [{'encoding': 'json', 'location':"
                    + " '/restconf/streams/changes'}]}"));
    assertThat(
            office
                .ask("GET", "streams/changes", "", "Accept", "application/yang-data+json")
                .status())
        .isEqualTo(406);
    assertThat(office.ask("HEAD", "streams/changes", "").events()).isEmpty();
  }
}
