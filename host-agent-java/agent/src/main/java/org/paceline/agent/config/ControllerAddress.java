package org.paceline.agent.config;

import java.util.Optional;

/**
 * Where the controller is called.
 *
 * @param tls by what both sides know each other; empty: unencrypted, anybody may answer
 */
public record ControllerAddress(String host, int port, Optional<TlsFiles> tls) {
  /** For a person. */
  public String text() {
    return host + ":" + port;
  }
}
