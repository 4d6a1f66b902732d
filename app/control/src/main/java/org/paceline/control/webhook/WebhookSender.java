package org.paceline.control.webhook;

import java.util.Collection;

/** Tells receivers, one after the other for each, and again where it fails. Nobody waits for it. */
public interface WebhookSender {
  /** When it returns, it is written down what is to be told. */
  void send(Webhook to, WebhookEvent event);

  /** What an earlier controller had still to send these is sent; to be called once, before all. */
  void resume(Collection<Webhook> all);

  /** What waits for it is not sent any more. */
  void forget(String webhook);

  DeliveryState state(String webhook);
}
