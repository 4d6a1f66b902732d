package org.paceline.control.webhook;

/** Tells receivers, one after the other for each, and again where it fails. Nobody waits for it. */
public interface WebhookSender {
  void send(Webhook to, WebhookEvent event);

  /** What waits for it is not sent any more. */
  void forget(String webhook);

  DeliveryState state(String webhook);
}
