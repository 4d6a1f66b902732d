package org.paceline.onos.rest;

import java.security.Principal;
import java.util.Optional;
import javax.ws.rs.container.ContainerRequestContext;
import org.paceline.control.change.Author;
import org.paceline.control.change.User;

/** Who sends a request, and for which ticket. */
final class Caller {
  static final String TICKET = "Change-Ticket";

  private Caller() {}

  /**
   * @throws IllegalArgumentException if the ticket is none
   */
  static Author author(ContainerRequestContext request) {
    return Author.of(name(request), Optional.ofNullable(request.getHeaderString(TICKET)))
        .by(Repeats.name(request));
  }

  static String name(ContainerRequestContext request) {
    Principal user = request.getSecurityContext().getUserPrincipal();
    return user == null ? "nobody" : user.getName();
  }

  static User user(ContainerRequestContext request) {
    return User.of(name(request), request.getSecurityContext()::isUserInRole);
  }
}
