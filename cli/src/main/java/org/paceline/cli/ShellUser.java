package org.paceline.cli;

import java.security.AccessController;
import java.security.Principal;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.paceline.control.audit.User;

/** Whoever is logged in to the shell. */
final class ShellUser {
  private ShellUser() {}

  /** Nobody, who holds no role, where no login is known. */
  static User current() {
    Set<String> roles =
        principals(RolePrincipal.class).map(Principal::getName).collect(Collectors.toSet());
    String name =
        principals(UserPrincipal.class).map(Principal::getName).findFirst().orElse("nobody");
    return User.of(name, roles);
  }

  private static <T extends Principal> Stream<T> principals(Class<T> kind) {
    Subject user = Subject.getSubject(AccessController.getContext());
    return user == null ? Stream.empty() : user.getPrincipals(kind).stream();
  }
}
