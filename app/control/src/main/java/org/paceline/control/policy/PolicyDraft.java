package org.paceline.control.policy;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.regex.Pattern;
import org.paceline.control.audit.Author;
import org.paceline.intents.tree.IntentTree;

/** An intent tree that somebody prepares; nothing goes by it. */
@AutoValue
public abstract class PolicyDraft {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  public abstract String name();

  public abstract Instant at();

  public abstract Author author();

  /** The version that it was made from. */
  public abstract long base();

  public abstract IntentTree tree();

  /**
   * @throws IllegalArgumentException if the name is not one short word
   */
  public static PolicyDraft of(String name, Instant at, Author author, long base, IntentTree tree) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The draft's name ("
              + name
              + ") must be letters, digits and _ . -, at most 64, and begin with a letter or"
              + " digit. Maybe the ticket's number.");
    }
    return new AutoValue_PolicyDraft(name, at, author, base, tree);
  }
}
