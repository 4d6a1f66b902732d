package org.paceline.northbound.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.paceline.control.port.Worker;
import org.paceline.control.webhook.DeliveryState;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one receiver is still to be told, in order and one at a time: the next is sent when the one
 * before was taken or given up, and then struck off the outbox. Where too many wait the oldest
 * goes. Any thread may call it; whoever does holds the queue's lock until all of it stands.
 */
final class Queue {
  static final int MOST_WAITING = 1_000;

  /** With the waits doubling from a second to five minutes, about an hour. */
  private static final int TRIES = 20;

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int SUCCESS_CLASS = 2;
  private static final Logger log = LoggerFactory.getLogger(Queue.class);

  private final HttpClient http;
  private final Worker worker;
  private final Webhook receiver;
  private final Duration firstWait;
  private final Consumer<String> strike;
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private @Nullable Entry sending;
  private int tries;
  private boolean ended;
  private long delivered;
  private long lost;
  private Optional<String> trouble = Optional.empty();
  private volatile DeliveryState state = DeliveryState.NOTHING;

  /** An event and its name in the outbox, if it is there. */
  private static final class Entry {
    private final Optional<String> name;
    private final WebhookEvent event;

    Entry(Optional<String> name, WebhookEvent event) {
      this.name = name;
      this.event = event;
    }
  }

  /**
   * @param strike off the outbox, by its name
   */
  Queue(
      HttpClient http,
      Worker worker,
      Webhook receiver,
      Duration firstWait,
      Consumer<String> strike) {
    this.strike = strike;
    this.http = http;
    this.worker = worker;
    this.receiver = receiver;
    this.firstWait = firstWait;
  }

  DeliveryState state() {
    return state;
  }

  synchronized void add(Optional<String> name, WebhookEvent event) {
    waiting.add(new Entry(name, event));
    if (waiting.size() > MOST_WAITING) {
      strike(waiting.remove());
      lost("Too many events wait for it: the oldest is left out.");
    }
    if (sending == null) {
      next();
    }
    note();
  }

  synchronized void end() {
    ended = true;
    if (sending != null) {
      strike(sending);
    }
    waiting.forEach(this::strike);
    waiting.clear();
  }

  private synchronized void next() {
    sending = waiting.poll();
    tries = 0;
    if (sending != null) {
      send(sending);
    }
  }

  private synchronized void send(Entry entry) {
    if (ended) {
      return;
    }
    tries++;
    answer(entry)
        .thenApply(Queue::status)
        // The request's own time ends with the head of the answer.
        .orTimeout(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (status, failure) ->
                worker.execute(() -> answered(entry, failure == null ? refusal(status) : failure)));
  }

  /** What cannot even be asked is as one that did not answer. */
  private CompletableFuture<HttpResponse<InputStream>> answer(Entry entry) {
    try {
      return http.sendAsync(request(entry.event), HttpResponse.BodyHandlers.ofInputStream());
    } catch (RuntimeException | Error bug) {
      return CompletableFuture.failedFuture(bug);
    }
  }

  /** Where the store is away, a restarted controller tells it once more. */
  private void strike(Entry entry) {
    try {
      entry.name.ifPresent(strike);
    } catch (RuntimeException | Error storeIsAway) {
      log.warn(
          "The event ({}) may be told once more after a restart.", entry.event.id(), storeIsAway);
    }
  }

  /** The time is that of this try, the id that of the event. */
  private HttpRequest request(WebhookEvent event) {
    long now = Instant.now().getEpochSecond();
    return HttpRequest.newBuilder(receiver.url())
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .header("User-Agent", "Paceline")
        .header("webhook-id", event.id())
        .header("webhook-timestamp", Long.toString(now))
        .header("webhook-signature", Signature.of(receiver.key(), event.id(), now, event.body()))
        .POST(HttpRequest.BodyPublishers.ofString(event.body()))
        .build();
  }

  /** What the receiver says beside the status is not read: it may have no end. */
  private static int status(HttpResponse<InputStream> answer) {
    try {
      answer.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer.statusCode();
  }

  private static @Nullable Throwable refusal(int status) {
    return status / 100 == SUCCESS_CLASS ? null : new IOException("It answered " + status + ".");
  }

  private synchronized void answered(Entry entry, @Nullable Throwable failure) {
    if (ended) {
      return;
    }
    if (failure == null) {
      delivered++;
      trouble = Optional.empty();
      strike(entry);
      next();
    } else if (tries == TRIES) {
      lost("Given up after " + TRIES + " tries: " + words(failure));
      strike(entry);
      next();
    } else {
      trouble = Optional.of(words(failure));
      worker.after(pause(tries), () -> send(entry));
    }
    note();
  }

  private Duration pause(int failed) {
    Duration wait = firstWait;
    for (int i = 1; i < failed && wait.compareTo(LONGEST_WAIT) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }

  private static String words(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  private synchronized void lost(String why) {
    // Once for many, lest a dead receiver fill the log.
    if (lost++ == 0) {
      log.warn("{}: {}", receiver, why);
    }
    trouble = Optional.of(why);
  }

  private synchronized void note() {
    state = DeliveryState.of(waiting.size() + (sending == null ? 0 : 1), delivered, lost, trouble);
  }
}
