package org.paceline.onos.webhook;

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

/**
 * A queue for each receiver, so that a slow one keeps nobody else waiting. What waits is in the
 * outbox until its receiver has it.
 */
public final class Deliveries implements WebhookSender {
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
    worker.execute(() -> queue(to).add(outbox.add(Undelivered.of(to.id(), event)), event));
  }

  @Override
  public void resume(Collection<Webhook> all) {
    Map<String, Webhook> known =
        all.stream().collect(Collectors.toMap(Webhook::id, webhook -> webhook));
    worker.execute(
        () ->
            outbox
                .all()
                .forEach(
                    (name, waiting) -> {
                      Webhook to = known.get(waiting.webhook());
                      if (to == null) {
                        outbox.remove(name);
                      } else {
                        queue(to).add(name, waiting.event());
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
