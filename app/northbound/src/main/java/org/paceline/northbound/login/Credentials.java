package org.paceline.northbound.login;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** A name and a password, as HTTP's basic authentication says them (RFC 7617). */
final class Credentials {
  private static final String SCHEME = "Basic ";

  private final String name;
  private final String password;

  private Credentials(String name, String password) {
    this.name = name;
    this.password = password;
  }

  /**
   * What the header says; nothing where it says something else.
   *
   * @param authorization the header's value
   */
  static Optional<Credentials> of(String authorization) {
    if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String said;
    try {
      byte[] decoded = Base64.getDecoder().decode(authorization.substring(SCHEME.length()).trim());
      said = new String(decoded, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
    int colon = said.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : Optional.of(new Credentials(said.substring(0, colon), said.substring(colon + 1)));
  }

  String name() {
    return name;
  }

  String password() {
    return password;
  }
}
