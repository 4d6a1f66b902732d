package org.paceline.cli;

import java.security.AccessController;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.apache.karaf.shell.api.action.Option;
import org.paceline.control.UseCases;
import org.paceline.control.change.Author;
import org.paceline.control.change.Role;

/** What commands that change something share: who does it, whether they may, for which ticket. */
abstract class ChangingCommand extends PacelineCommand {
  @Option(name = "--ticket", description = "The change ticket that asks for it")
  String ticket = "";

  @Override
  void show(UseCases use) throws Exception {
    Set<String> roles =
        principals(RolePrincipal.class).map(Principal::getName).collect(Collectors.toSet());
    if (!Role.OPERATOR.isHeldBy(roles::contains)) {
      throw new IllegalArgumentException(
          "("
              + author().actor()
              + ") lacks the role operator. Maybe ask whoever keeps the users of ONOS.");
    }
    super.show(use);
  }

  Author author() {
    return Author.of(
        principals(UserPrincipal.class).map(Principal::getName).findFirst().orElse("nobody"),
        Optional.of(ticket).filter(text -> !text.isEmpty()));
  }

  private static <T extends Principal> Stream<T> principals(Class<T> kind) {
    Subject user = Subject.getSubject(AccessController.getContext());
    return user == null ? Stream.empty() : user.getPrincipals(kind).stream();
  }
}
