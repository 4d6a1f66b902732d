package org.paceline.northbound.login;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users of Karaf's realm, with the roles that it gives. */
final class KarafUser {
  static final String REALM = "karaf";

  private static final Logger log = LoggerFactory.getLogger(KarafUser.class);
  private static final String SCHEME = "Basic ";

  private KarafUser() {}

  /**
   * Who logs in so, as the realm has it now; nobody where it does not know them.
   *
   * @param authorization the header of HTTP's basic authentication (RFC 7617)
   */
  static Optional<User> of(String authorization) {
    if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String encoded = authorization.substring(SCHEME.length()).trim();
    String credentials;
    try {
      credentials = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
    int colon = credentials.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : login(credentials.substring(0, colon), credentials.substring(colon + 1));
  }

  private static Optional<User> login(String name, String password) {
    Subject subject = new Subject();
    try {
      new LoginContext(REALM, subject, wanted -> answer(wanted, name, password)).login();
    } catch (FailedLoginException unknown) {
      return Optional.empty();
    } catch (LoginException e) {
      log.warn("Nobody can log in as ({}) now: {}", name, e.getMessage());
      return Optional.empty();
    }
    return Optional.of(
        User.of(
            name,
            subject.getPrincipals(RolePrincipal.class).stream()
                .map(Principal::getName)
                .collect(Collectors.toUnmodifiableSet())));
  }

  private static void answer(Callback[] wanted, String name, String password) {
    for (Callback one : wanted) {
      if (one instanceof NameCallback) {
        ((NameCallback) one).setName(name);
      } else if (one instanceof PasswordCallback) {
        ((PasswordCallback) one).setPassword(password.toCharArray());
      }
    }
  }
}
