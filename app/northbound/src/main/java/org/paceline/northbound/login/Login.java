package org.paceline.northbound.login;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import javax.security.auth.login.FailedLoginException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.User;
import org.paceline.intents.document.Quoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets through who logs in as a user of Karaf's realm that has one of our roles; what each may do,
 * the operations say themselves. The web server could ask for the login itself, but refuses PUT,
 * PATCH and DELETE without a word. Who guesses is slowed down ({@link FailedLogins}).
 */
public final class Login implements Filter {
  private static final String HOW =
      "Log in as a user of ONOS who has the role viewer, operator or admin.";
  private static final String TOO_OFTEN =
      "From here logins have failed too often, so this one was not looked at. Maybe it is right in ";
  private static final int TOO_MANY = 429;
  private static final Logger log = LoggerFactory.getLogger(Login.class);

  private final FailedLogins failures = new FailedLogins(System::nanoTime);

  @Override
  public void init(FilterConfig config) {
    // Nothing is set.
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain next)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    Optional<Credentials> said =
        Optional.ofNullable(asked.getHeader("Authorization")).flatMap(Credentials::of);
    Optional<Duration> wait =
        said.flatMap(one -> failures.refuse(one.name(), asked.getRemoteAddr()));
    if (wait.isPresent()) {
      String seconds = Long.toString(wait.get().toSeconds());
      answer.setHeader("Retry-After", seconds);
      Refusal.send(asked, answer, TOO_MANY, "resource-denied", TOO_OFTEN + seconds + " s.");
      return;
    }
    Optional<User> user = said.flatMap(one -> user(one, asked.getRemoteAddr()));
    if (user.isEmpty()) {
      answer.setHeader(
          "WWW-Authenticate", "Basic realm=\"" + KarafUser.REALM + "\", charset=\"UTF-8\"");
      Refusal.send(asked, answer, HttpServletResponse.SC_UNAUTHORIZED, "access-denied", HOW);
    } else if (!user.get().holds(Role.VIEWER)) {
      Refusal.send(asked, answer, HttpServletResponse.SC_FORBIDDEN, "access-denied", HOW);
    } else {
      next.doFilter(new Known(asked, user.get()), response);
    }
  }

  private Optional<User> user(Credentials said, String address) {
    try {
      Optional<User> user = KarafUser.login(said);
      user.ifPresent(known -> failures.succeeded(known.getName(), address));
      return user;
    } catch (FailedLoginException wrong) {
      failures.failed(said.name(), address);
      log.warn("A login as {} from ({}) has failed.", Quoted.of(said.name()), address);
      return Optional.empty();
    }
  }

  @Override
  public void destroy() {
    // Nothing is held.
  }

  /** The request as one of this user. */
  private static final class Known extends HttpServletRequestWrapper {
    private final User user;

    Known(HttpServletRequest request, User user) {
      super(request);
      this.user = user;
    }

    @Override
    public String getAuthType() {
      return BASIC_AUTH;
    }

    @Override
    public String getRemoteUser() {
      return user.getName();
    }

    @Override
    public Principal getUserPrincipal() {
      return user;
    }

    @Override
    public boolean isUserInRole(@Nullable String role) {
      return role != null && user.has(role);
    }
  }
}
