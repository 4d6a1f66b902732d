package org.paceline.control.port;

import java.util.Set;

/** The hosts that have agents, remembered over a restart of the controller. */
public interface KnownHosts {
  Set<String> all();

  /** May be called for one that is known already. */
  void add(String host);

  /** May be called for one that is not known. */
  void remove(String host);
}
