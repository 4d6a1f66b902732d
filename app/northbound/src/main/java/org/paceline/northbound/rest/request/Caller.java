package org.paceline.northbound.rest.request;

import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import javax.ws.rs.container.ContainerRequestContext;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.User;

/** Who sends a request, and for which ticket. */
public final class Caller {
  public static final String TICKET = "Change-Ticket";

  private Caller() {}

  /**
   * @throws IllegalArgumentException if the ticket is none
   */
  public static Author author(ContainerRequestContext request) {
    return Author.of(name(request), Optional.ofNullable(request.getHeaderString(TICKET)))
        .by(IdempotencyFilter.name(request));
  }

  public static String name(ContainerRequestContext request) {
    Principal user = request.getSecurityContext().getUserPrincipal();
    return user == null ? "nobody" : user.getName();
  }

  /** Nobody, who holds no role, where the login let nobody through. */
  public static User user(ContainerRequestContext request) {
    Principal user = request.getSecurityContext().getUserPrincipal();
    return user instanceof User ? (User) user : User.of(name(request), Set.of());
  }
}
