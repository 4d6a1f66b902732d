package org.paceline.control.webhook;

import com.google.auto.value.AutoValue;

/** Something that happened, as it is told. */
@AutoValue
public abstract class WebhookEvent {
  /** The same for all who are told and at every try, so that a receiver knows what it had. */
  public abstract String id();

  public abstract Webhook.Kind kind();

  /** What is sent. */
  public abstract String body();

  public static WebhookEvent of(String id, Webhook.Kind kind, String body) {
    return new AutoValue_WebhookEvent(id, kind, body);
  }
}
