package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/** What an enforcer read back after it was told a rate. */
@AutoValue
public abstract class InstalledRate {
  public abstract ConversationId id();

  public abstract DataRate rate();

  /** Empty where the rate was installed. */
  public abstract String error();

  public static InstalledRate of(ConversationId id, DataRate rate, String error) {
    return new AutoValue_InstalledRate(id, rate, error);
  }
}
