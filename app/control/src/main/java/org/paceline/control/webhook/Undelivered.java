package org.paceline.control.webhook;

import com.google.auto.value.AutoValue;

/** An event that a receiver has still to be told. */
@AutoValue
public abstract class Undelivered {
  /** The receiver's. */
  public abstract String webhook();

  public abstract WebhookEvent event();

  public static Undelivered of(String webhook, WebhookEvent event) {
    return new AutoValue_Undelivered(webhook, event);
  }
}
