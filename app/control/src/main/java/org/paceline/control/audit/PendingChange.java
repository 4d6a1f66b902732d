package org.paceline.control.audit;

import com.google.auto.value.AutoValue;

/** A change that is being made; what a crash leaves of these is looked up at the next start. */
@AutoValue
public abstract class PendingChange {
  public abstract Subject subject();

  /** As the log has it, or was about to. */
  public abstract Change change();

  /** Whether something is to be there afterwards. */
  public boolean isKept() {
    return !change().after().isEmpty();
  }

  public static PendingChange of(Subject subject, Change change) {
    return new AutoValue_PendingChange(subject, change);
  }
}
