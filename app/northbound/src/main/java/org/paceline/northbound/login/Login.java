package org.paceline.northbound.login;

import java.io.IOException;
import java.security.Principal;
import java.util.Optional;
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

/**
 * Lets through who logs in as a user of Karaf's realm that has one of our roles; what each may do,
 * the operations say themselves. The web server could ask for the login itself, but refuses PUT,
 * PATCH and DELETE without a word.
 */
public final class Login implements Filter {
  private static final String HOW =
      "Log in as a user of ONOS who has the role viewer, operator or admin.";

  @Override
  public void init(FilterConfig config) {
    // Nothing is set.
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain next)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    Optional<User> user =
        Optional.ofNullable(asked.getHeader("Authorization")).flatMap(KarafUser::of);
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
