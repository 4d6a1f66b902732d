package org.paceline.agent.pacing;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Addresses that the controller does not know, such as those of the Internet. What no rule names
 * and goes there is not planned by anybody, so it is let pass, later conversations at once. The
 * latest are remembered. Owned by one thread.
 */
final class UnplannedAddresses {
  private static final int MOST = 4_096;

  private final Map<InetAddress, Boolean> known =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Boolean> eldest) {
          return size() > MOST;
        }
      };

  void add(InetAddress address) {
    known.put(address, true);
  }

  /** It has come into the controller's sight. */
  void remove(InetAddress address) {
    known.remove(address);
  }

  boolean contains(InetAddress address) {
    return known.containsKey(address);
  }
}
