package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** A setting as it is at this moment. */
@AutoValue
public abstract class SettingState {
  public abstract Setting setting();

  /** What is gone by. */
  public abstract String value();

  /** What is stored and not gone by: it waits for the next start, or cannot be used. */
  public abstract Optional<String> stored();

  /** Why what is stored cannot be used. */
  public abstract Optional<String> trouble();

  static SettingState of(
      Setting setting, String value, Optional<String> stored, Optional<String> trouble) {
    return new AutoValue_SettingState(
        setting, value, stored.filter(text -> !text.equals(value)), trouble);
  }
}
