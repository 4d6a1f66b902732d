package org.paceline.json.solution;

import com.google.auto.value.AutoValue;

/** Applications that a solution leaves out. */
@AutoValue
public abstract class NotAdmitted {
  public abstract String id();

  /** How many of that id. */
  public abstract int count();

  public abstract String why();

  public static NotAdmitted of(String id, int count, String why) {
    return new AutoValue_NotAdmitted(id, count, why);
  }
}
