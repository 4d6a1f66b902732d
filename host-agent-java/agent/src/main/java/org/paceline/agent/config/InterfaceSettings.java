package org.paceline.agent.config;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.paceline.agent.enforce.EnforcerKind;

/**
 * On which interfaces is paced, and how.
 *
 * @param names empty: all but loopback and the one that leads to the controller
 * @param adopt whether another root queue discipline may be replaced
 * @param enforcer the only way to pace that will do; empty: the best that this host has
 * @param packetsAtOnce how many full packets a TCP socket may hand over together, which then leave
 *     back to back; empty: by what is granted
 */
public record InterfaceSettings(
    List<String> names, boolean adopt, Optional<EnforcerKind> enforcer, OptionalInt packetsAtOnce) {
  public InterfaceSettings {
    names = List.copyOf(names);
  }
}
