package org.paceline.control.change;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.paceline.intents.tree.IntentPath;

/**
 * What a user may do, by the names of the roles that ONOS's user management gives. A greater role
 * includes the smaller ones. Who has the role "operator:CLASS/INTENT" may change this branch of the
 * intent tree and what talks under it, and nothing else.
 */
public enum Role {
  /** Looks, and changes nothing. */
  VIEWER,
  /** Changes some branches of the tree; what exactly, {@link #mayChange} says. */
  BRANCH,
  /** Changes what is wanted. */
  OPERATOR,
  /** Does everything. */
  ADMIN;

  private static final String OF_BRANCH = "operator:";

  /** The name in the user management. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param held whether the user has the role of this name
   */
  public boolean isHeldBy(Predicate<String> held) {
    switch (this) {
      case VIEWER:
      case BRANCH:
        // Which branch is asked where the branch is known.
        return held.test("viewer") || OPERATOR.isHeldBy(held);
      case OPERATOR:
        return held.test("operator") || ADMIN.isHeldBy(held);
      case ADMIN:
        return held.test("admin");
      default:
        throw new AssertionError(this);
    }
  }

  /** The first of the nodes that the user may not change; empty where all are allowed. */
  public static Optional<IntentPath> mayNotChange(Predicate<String> held, Set<IntentPath> nodes) {
    return nodes.stream().filter(node -> !mayChange(held, node)).findFirst();
  }

  /** Whether there is a node among these that the user may change. */
  public static boolean mayChangeOne(Predicate<String> held, Set<IntentPath> nodes) {
    return OPERATOR.isHeldBy(held) || nodes.stream().anyMatch(node -> mayChange(held, node));
  }

  private static boolean mayChange(Predicate<String> held, IntentPath node) {
    if (OPERATOR.isHeldBy(held)) {
      return true;
    }
    Optional<IntentPath> above = Optional.of(node);
    while (above.isPresent() && !above.get().isRoot()) {
      if (held.test(OF_BRANCH + above.get())) {
        return true;
      }
      above = above.get().parent();
    }
    return false;
  }
}
