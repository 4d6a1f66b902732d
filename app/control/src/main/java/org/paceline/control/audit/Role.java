package org.paceline.control.audit;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
   * @param held the names of the user's roles
   */
  public boolean isHeldBy(Set<String> held) {
    switch (this) {
      case VIEWER:
        return held.contains("viewer") || OPERATOR.isHeldBy(held);
      case BRANCH:
        // Whether it is the branch that the request is about is asked where that is known.
        return OPERATOR.isHeldBy(held) || VIEWER.isHeldBy(held) && isOfABranch(held);
      case OPERATOR:
        return held.contains("operator") || ADMIN.isHeldBy(held);
      case ADMIN:
        return held.contains("admin");
      default:
        throw new AssertionError(this);
    }
  }

  private static boolean isOfABranch(Set<String> held) {
    return held.stream().anyMatch(role -> role.startsWith(OF_BRANCH));
  }

  /** The first of the nodes that the user may not change; empty where all are allowed. */
  public static Optional<IntentPath> mayNotChange(Set<String> held, Set<IntentPath> nodes) {
    return nodes.stream().filter(node -> !mayChange(held, node)).findFirst();
  }

  /** Whether there is a node among these that the user may change. */
  public static boolean mayChangeOne(Set<String> held, Set<IntentPath> nodes) {
    return OPERATOR.isHeldBy(held) || nodes.stream().anyMatch(node -> mayChange(held, node));
  }

  private static boolean mayChange(Set<String> held, IntentPath node) {
    if (OPERATOR.isHeldBy(held)) {
      return true;
    }
    return branchOf(held, node).isPresent();
  }

  /** Of the branches that the user may change, the greatest with this node. */
  static Optional<IntentPath> branchOf(Set<String> held, IntentPath node) {
    Optional<IntentPath> greatest = Optional.empty();
    Optional<IntentPath> above = Optional.of(node);
    while (above.isPresent() && !above.get().isRoot()) {
      greatest = held.contains(OF_BRANCH + above.get()) ? above : greatest;
      above = above.get().parent();
    }
    return greatest;
  }
}
