package org.paceline.control.webhook;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.paceline.control.change.Author;
import org.paceline.control.change.ChangeLog;
import org.paceline.control.change.Refused;
import org.paceline.control.port.Records;
import org.paceline.control.port.Worker;

/** Who is told of changes. */
public final class Webhooks {
  private static final int MOST = 20;

  private final Records<Webhook> records;
  private final ChangeLog changes;
  private final Worker worker;
  private final WebhookSender sender;

  /**
   * @param worker looks up who is told, so that whoever changes something need not wait for a store
   */
  public Webhooks(
      Records<Webhook> records, ChangeLog changes, Worker worker, WebhookSender sender) {
    this.records = records;
    this.changes = changes;
    this.worker = worker;
    this.sender = sender;
  }

  /** What an earlier controller had still to tell is told; to be called once, before all. */
  public void resume() {
    worker.execute(() -> sender.resume(all()));
  }

  /**
   * @param body what was sent to ask for it, without the secret
   * @throws IllegalArgumentException as {@link Webhook#of}
   * @throws Refused if there are many already
   */
  public Webhook register(
      Author author, String body, String url, Collection<Webhook.Kind> kinds, String secret) {
    Webhook webhook = Webhook.of(UUID.randomUUID().toString(), url, kinds, secret);
    if (records.size() >= MOST) {
      throw new Refused("There are " + MOST + " webhooks already. Maybe remove one first.");
    }
    return changes.carryOut(
        author,
        "A webhook is registered.",
        body,
        "",
        webhook.toString(),
        () -> {
          records.replace(webhook.id(), webhook);
          return webhook;
        });
  }

  /** Whether there was one to remove. */
  public boolean remove(Author author, String id) {
    return records
        .find(id)
        .map(
            webhook ->
                changes.carryOut(
                    author,
                    "A webhook is removed.",
                    "",
                    webhook.toString(),
                    "",
                    () -> {
                      records.remove(id);
                      sender.forget(id);
                      return true;
                    }))
        .orElse(false);
  }

  public List<Webhook> all() {
    return new TreeSet<>(records.keys())
        .stream()
            .map(records::find)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableList());
  }

  public Optional<Webhook> find(String id) {
    return records.find(id);
  }

  public DeliveryState state(Webhook webhook) {
    return sender.state(webhook.id());
  }

  /** Tells whoever wants to know this kind. */
  public void publish(WebhookEvent event) {
    worker.execute(
        () ->
            all().stream()
                .filter(webhook -> webhook.kinds().contains(event.kind()))
                .forEach(webhook -> sender.send(webhook, event)));
  }
}
