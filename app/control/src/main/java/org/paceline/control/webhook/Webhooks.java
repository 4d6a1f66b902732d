package org.paceline.control.webhook;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Subject;
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
   * @param worker for whoever cannot wait for a store
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
    sender.resume(all());
  }

  /** Whether this change registered the webhook, or removed it. */
  public boolean isMade(PendingChange change) {
    return find(change.subject().key()).isPresent() == change.isKept();
  }

  /**
   * What the author's request has registered already is not registered again.
   *
   * @param body what was sent to ask for it, without the secret
   * @throws IllegalArgumentException as {@link Webhook#of}
   * @throws Refused if there are many already
   */
  public Webhook register(
      Author author, String body, String url, Collection<Webhook.Kind> kinds, String secret) {
    String id = author.request().map(Request::id).orElseGet(() -> UUID.randomUUID().toString());
    Webhook webhook = Webhook.of(id, url, kinds, secret);
    Optional<Webhook> made = records.find(id);
    if (made.isPresent()) {
      return made.get();
    }
    if (records.size() >= MOST) {
      throw new Refused("There are " + MOST + " webhooks already. Maybe remove one first.");
    }
    return changes.carryOut(
        author,
        subject(id),
        "A webhook is registered.",
        body,
        "",
        webhook.toString(),
        at -> {
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
                    subject(id),
                    "A webhook is removed.",
                    "",
                    webhook.toString(),
                    "",
                    at -> {
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

  private static Subject subject(String id) {
    return Subject.of(Subject.Kind.WEBHOOK, id);
  }

  /** Tells whoever wants to know this kind: when it returns, a crash cannot keep it from them. */
  public void publish(WebhookEvent event) {
    all().stream()
        .filter(webhook -> webhook.kinds().contains(event.kind()))
        .forEach(webhook -> sender.send(webhook, event));
  }

  /** The same without waiting for a store, of what nobody keeps. */
  public void mention(WebhookEvent event) {
    worker.execute(() -> publish(event));
  }
}
