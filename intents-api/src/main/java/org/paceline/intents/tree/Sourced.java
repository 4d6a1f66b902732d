package org.paceline.intents.tree;

import com.google.auto.value.AutoValue;

/** A value and the node of the intent tree that it came from. */
@AutoValue
public abstract class Sourced<T> {
  public abstract T value();

  public abstract IntentPath origin();

  public static <T> Sourced<T> of(T value, IntentPath origin) {
    return new AutoValue_Sourced<>(value, origin);
  }
}
