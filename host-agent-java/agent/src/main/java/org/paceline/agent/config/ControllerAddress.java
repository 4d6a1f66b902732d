package org.paceline.agent.config;

import java.util.Optional;

/**
 * Where the controller is called.
 *
 * @param tls by what both sides know each other; empty: unencrypted, anybody may answer
 */
public record ControllerAddress(String host, int port, Optional<TlsFiles> tls) {
  /**
   * Without certificates.
   *
   * @param text a host, or host:port
   * @throws IllegalArgumentException if it is neither
   */
  public static ControllerAddress parse(String text) {
    String[] parts = AgentConfig.hostAndPort(text);
    return new ControllerAddress(parts[0], Integer.parseInt(parts[1]), Optional.empty());
  }

  /** For a person. */
  public String text() {
    return host + ":" + port;
  }
}
