package org.paceline.cli;

import java.security.AccessController;
import java.security.Principal;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.paceline.control.change.Role;

/** Whoever is logged in to the shell. */
final class ShellUser {
  private ShellUser() {}

  static String name() {
    return principals(UserPrincipal.class).map(Principal::getName).findFirst().orElse("nobody");
  }

  /**
   * @throws IllegalArgumentException if the user does not hold the role
   */
  static void mustHold(Role role) {
    Set<String> roles =
        principals(RolePrincipal.class).map(Principal::getName).collect(Collectors.toSet());
    if (!role.isHeldBy(roles::contains)) {
      throw new IllegalArgumentException(
          "("
              + name()
              + ") lacks the role "
              + role.word()
              + ". Maybe ask whoever keeps the users of ONOS.");
    }
  }

  private static <T extends Principal> Stream<T> principals(Class<T> kind) {
    Subject user = Subject.getSubject(AccessController.getContext());
    return user == null ? Stream.empty() : user.getPrincipals(kind).stream();
  }
}
