package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.tree.IntentPath;

/** One of the rules by which flows of hosts without an agent are named. */
@AutoValue
public abstract class NamingRule {
  /** Which flows of one rule between the same two addresses share a conversation. */
  public enum Grouping {
    /** All: the six connections of one browser are one conversation. */
    ADDRESS,
    /** None: each is a conversation of its own. */
    SOCKET
  }

  /** Unique in its list. */
  public abstract String name();

  /** What a flow that matches belongs to; empty: it is left alone. */
  public abstract Optional<IntentPath> intent();

  public abstract Conditions conditions();

  public abstract Grouping grouping();

  /**
   * @throws IllegalArgumentException if it cannot have this name
   */
  static NamingRule of(
      String name, Optional<IntentPath> intent, Conditions conditions, Grouping grouping) {
    return new AutoValue_NamingRule(
        SetName.checked("name of a rule", name), intent, conditions, grouping);
  }
}
