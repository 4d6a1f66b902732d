package org.paceline.control.policy;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;
import org.paceline.control.audit.Author;
import org.paceline.intents.tree.IntentTree;

/** The intent tree that was in force from one change to the next. */
@AutoValue
public abstract class PolicyVersion {
  /** From 1 on. */
  public abstract long number();

  public abstract Instant at();

  public abstract Author author();

  /** Why it came into force, as one sentence. */
  public abstract String reason();

  /** Until when it must be confirmed, or the version before comes back. */
  public abstract Optional<Instant> confirmUntil();

  public abstract IntentTree tree();

  /** The name of the draft that it put in force. */
  public abstract Optional<String> draft();

  public static PolicyVersion of(
      long number,
      Instant at,
      Author author,
      String reason,
      Optional<Instant> confirmUntil,
      IntentTree tree) {
    return new AutoValue_PolicyVersion(
        number, at, author, reason, confirmUntil, tree, Optional.empty());
  }

  public PolicyVersion ofDraft(Optional<String> name) {
    return new AutoValue_PolicyVersion(
        number(), at(), author(), reason(), confirmUntil(), tree(), name);
  }
}
