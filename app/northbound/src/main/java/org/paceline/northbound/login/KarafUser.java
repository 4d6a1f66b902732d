package org.paceline.northbound.login;

import java.security.Principal;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.paceline.control.audit.User;
import org.paceline.intents.document.Quoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users of Karaf's realm, with the roles that it gives. */
final class KarafUser {
  static final String REALM = "karaf";

  private static final Logger log = LoggerFactory.getLogger(KarafUser.class);

  private KarafUser() {}

  /**
   * Who logs in so, as the realm has it now; nobody where the realm itself cannot say.
   *
   * @throws FailedLoginException where the realm does not know them
   */
  static Optional<User> login(Credentials said) throws FailedLoginException {
    Subject subject = new Subject();
    try {
      new LoginContext(REALM, subject, wanted -> answer(wanted, said)).login();
    } catch (FailedLoginException unknown) {
      throw unknown;
    } catch (LoginException e) {
      log.warn("Nobody can log in as {} now: {}", Quoted.of(said.name()), e.getMessage());
      return Optional.empty();
    }
    return Optional.of(
        User.of(
            said.name(),
            subject.getPrincipals(RolePrincipal.class).stream()
                .map(Principal::getName)
                .collect(Collectors.toUnmodifiableSet())));
  }

  private static void answer(Callback[] wanted, Credentials said) {
    for (Callback one : wanted) {
      if (one instanceof NameCallback) {
        ((NameCallback) one).setName(said.name());
      } else if (one instanceof PasswordCallback) {
        ((PasswordCallback) one).setPassword(said.password().toCharArray());
      }
    }
  }
}
