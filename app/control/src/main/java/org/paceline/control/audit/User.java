package org.paceline.control.audit;

import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.tree.IntentPath;

/**
 * Who asks for something, with the roles that ONOS's user management gave them. What they may do is
 * decided here, whether they come by REST, RESTCONF or the shell.
 */
public final class User implements Principal {
  private final String name;
  private final Set<String> held;

  private User(String name, Set<String> held) {
    this.name = name;
    this.held = Set.copyOf(held);
  }

  /**
   * @param held the names of the user's roles
   */
  public static User of(String name, Set<String> held) {
    return new User(name, held);
  }

  public String name() {
    return name;
  }

  @Override
  public String getName() {
    return name;
  }

  /** Whether the user management gave the user the role of this name. */
  public boolean has(String role) {
    return held.contains(role);
  }

  /** The branch by which the user may change the node: of several, the greatest. */
  public Optional<IntentPath> branchOf(IntentPath node) {
    return Role.branchOf(held, node);
  }

  public boolean holds(Role role) {
    return role.isHeldBy(held);
  }

  /**
   * @throws Denied if the user does not hold the role
   */
  public void mustHold(Role role) {
    if (holds(role)) {
      return;
    }
    throw role == Role.BRANCH && holds(Role.VIEWER)
        ? mayChangeNothing()
        : new Denied(
            "("
                + name
                + ") lacks the role "
                + (role == Role.BRANCH ? Role.VIEWER : role).word()
                + ". Maybe ask whoever keeps the users of ONOS.");
  }

  /**
   * @throws Denied if the user may not change one of these nodes
   */
  public void mustBeAllowed(Set<IntentPath> nodes) {
    Role.mayNotChange(held, nodes)
        .ifPresent(
            node -> {
              throw new Denied(
                  "("
                      + name
                      + ") may not change ("
                      + node
                      + "). Maybe somebody with the role operator or operator:"
                      + node
                      + " can.");
            });
  }

  /**
   * What changes nothing, such as a draft in which nothing differs, is for nobody who may change
   * nothing.
   *
   * @param differing the nodes in which another tree is not the tree in force
   * @param all the nodes of the tree in force
   * @throws Denied if the user may not put the other tree in force, nor prepare or confirm that
   */
  public void mustBeAllowedTree(Set<IntentPath> differing, Set<IntentPath> all) {
    mustBeAllowed(differing);
    if (differing.isEmpty() && !Role.mayChangeOne(held, all)) {
      throw mayChangeNothing();
    }
  }

  private Denied mayChangeNothing() {
    return new Denied(
        "("
            + name
            + ") may change nothing. Maybe somebody with the role operator or"
            + " operator:CLASS/INTENT can.");
  }

  /** Each sees what they began themselves, an admin all. */
  public boolean maySeeWhatWasBegunBy(String actor) {
    return actor.equals(name) || holds(Role.ADMIN);
  }
}
