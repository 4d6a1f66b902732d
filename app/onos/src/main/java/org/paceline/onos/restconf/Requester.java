package org.paceline.onos.restconf;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import org.paceline.control.change.Author;
import org.paceline.control.change.Role;
import org.paceline.intents.tree.IntentPath;
import org.paceline.yang.restconf.RestconfError;

/** Who sends a RESTCONF request, and what: the users, roles and tickets are those of REST. */
final class Requester {
  private static final String TICKET = "Change-Ticket";

  private final HttpServletRequest request;
  private final byte[] body;

  Requester(HttpServletRequest request, byte[] body) {
    this.request = request;
    this.body = body;
  }

  boolean mayLook() {
    return Role.VIEWER.isHeldBy(request::isUserInRole);
  }

  /**
   * @throws RestconfError if the ticket is none
   */
  Author author() {
    try {
      return Author.of(name(), Optional.ofNullable(request.getHeader(TICKET)));
    } catch (IllegalArgumentException e) {
      throw RestconfError.invalidData(String.valueOf(e.getMessage()));
    }
  }

  String body() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * @throws RestconfError if this user may not change one of these nodes
   */
  void mustBeAllowed(Set<IntentPath> nodes) {
    Role.mayNotChange(request::isUserInRole, nodes)
        .ifPresent(
            node -> {
              throw RestconfError.denied(
                  "("
                      + name()
                      + ") may not change ("
                      + node
                      + "). Maybe somebody with the role operator or operator:"
                      + node
                      + " can.");
            });
  }

  String name() {
    return Optional.ofNullable(request.getRemoteUser()).orElse("nobody");
  }
}
