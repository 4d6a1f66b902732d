package org.paceline.northbound.restconf;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.servlet.http.HttpServletRequest;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.User;
import org.paceline.intents.tree.IntentPath;
import org.paceline.yang.restconf.message.RestconfError;

/** Who sends a RESTCONF request, and what: the users, roles and tickets are those of REST. */
final class Requester {
  private static final String TICKET = "Change-Ticket";

  private final HttpServletRequest request;
  private final byte[] body;

  Requester(HttpServletRequest request, byte[] body) {
    this.request = request;
    this.body = body;
  }

  static boolean mayLook(HttpServletRequest request) {
    return user(request).holds(Role.VIEWER);
  }

  /**
   * @throws RestconfError if the ticket is none
   */
  Author author() {
    try {
      return Author.of(name(request), Optional.ofNullable(request.getHeader(TICKET)));
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
    must(who -> who.mustBeAllowed(nodes));
  }

  /**
   * @throws RestconfError with the reason if this user is denied it
   */
  void must(Consumer<User> rule) {
    try {
      rule.accept(user());
    } catch (Denied e) {
      throw RestconfError.denied(String.valueOf(e.getMessage()));
    }
  }

  User user() {
    return user(request);
  }

  private static User user(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user instanceof User ? (User) user : User.of(name(request), Set.of());
  }

  static String name(HttpServletRequest request) {
    return Optional.ofNullable(request.getRemoteUser()).orElse("nobody");
  }
}
