package org.paceline.onos.rest;

import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.ws.rs.container.ContainerRequestContext;
import org.paceline.control.change.Author;
import org.paceline.control.change.Role;
import org.paceline.intents.tree.IntentPath;

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

  static Predicate<String> roles(ContainerRequestContext request) {
    return request.getSecurityContext()::isUserInRole;
  }

  /**
   * @throws Problems.Forbidden if the caller may not change one of these nodes
   */
  static void mustBeAllowed(ContainerRequestContext request, Set<IntentPath> nodes) {
    Role.mayNotChange(roles(request), nodes)
        .ifPresent(
            node -> {
              throw new Problems.Forbidden(
                  "("
                      + name(request)
                      + ") may not change ("
                      + node
                      + "). Maybe somebody with the role operator or operator:"
                      + node
                      + " can.");
            });
  }
}
