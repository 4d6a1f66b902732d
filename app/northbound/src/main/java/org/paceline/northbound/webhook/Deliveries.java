package org.paceline.northbound.webhook;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.paceline.control.port.Worker;
import org.paceline.control.webhook.DeliveryState;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.control.webhook.WebhookSender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue for each receiver, so that a slow one keeps nobody else waiting. What waits is in the
 * outbox until its receiver has it.
 */
public final class Deliveries implements WebhookSender {
  private static final Logger log = LoggerFactory.getLogger(Deliveries.class);
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final Outbox outbox;
  private final Worker worker;
  private final Duration firstWait;
  private final Map<String, Queue> queues = new ConcurrentHashMap<>();

  /** Whom we are told to call is called, and nobody whom that one names. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT)
          .build();

  /**
   * @param worker that of the queues; ending it ends them
   * @param firstWait before a message is sent again; then twice as long each time
   */
  public Deliveries(Outbox outbox, Worker worker, Duration firstWait) {
    this.outbox = outbox;
    this.worker = worker;
    this.firstWait = firstWait;
  }

  @Override
  public void send(Webhook to, WebhookEvent event) {
    // Whoever tells made a change that stands, whether or not this can be written down.
    Optional<String> name = written(Undelivered.of(to.id(), event));
    worker.execute(() -> queue(to).add(name, event));
  }

  private Optional<String> written(Undelivered waiting) {
    try {
      return Optional.of(outbox.add(waiting));
    } catch (RuntimeException storeIsAway) {
      log.warn(
          "The event ({}) does not outlive this controller.", waiting.event().id(), storeIsAway);
      return Optional.empty();
    }
  }

  @Override
  public void resume(Collection<Webhook> all) {
    Map<String, Webhook> known =
        all.stream().collect(Collectors.toMap(Webhook::id, webhook -> webhook));
    // Looked up at once: what is told from now on is none of these.
    Map<String, Undelivered> left = outbox.all();
    worker.execute(
        () ->
            left.forEach(
                (name, waiting) -> {
                  Webhook to = known.get(waiting.webhook());
                  if (to == null) {
                    outbox.remove(name);
                  } else {
                    queue(to).add(Optional.of(name), waiting.event());
                  }
                }));
  }

  private Queue queue(Webhook to) {
    return queues.computeIfAbsent(
        to.id(), id -> new Queue(http, worker, to, firstWait, outbox::remove));
  }

  @Override
  public void forget(String webhook) {
    worker.execute(
        () -> {
          Queue queue = queues.remove(webhook);
          if (queue != null) {
            queue.end();
          }
        });
  }

  @Override
  public DeliveryState state(String webhook) {
    return Optional.ofNullable(queues.get(webhook)).map(Queue::state).orElse(DeliveryState.NOTHING);
  }
}
