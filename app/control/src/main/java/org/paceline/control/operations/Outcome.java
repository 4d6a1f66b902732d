package org.paceline.control.operations;

import com.google.auto.value.AutoValue;

/** A result, or why there is none, as the interface that asked says it. */
@AutoValue
public abstract class Outcome {
  public abstract boolean hasFailed();

  public abstract String text();

  public static Outcome done(String text) {
    return new AutoValue_Outcome(false, text);
  }

  public static Outcome failed(String text) {
    return new AutoValue_Outcome(true, text);
  }
}
