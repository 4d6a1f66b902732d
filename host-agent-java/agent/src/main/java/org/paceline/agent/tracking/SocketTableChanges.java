package org.paceline.agent.tracking;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.sockets.SocketRow;

/**
 * What has come into the table of sockets and gone from it, over any number of readings: with
 * thousands of sockets, all that is left to do after most of them. Owned by one thread.
 */
final class SocketTableChanges {
  private Set<Flow> came = new LinkedHashSet<>();
  private Set<Flow> went = new LinkedHashSet<>();

  /** One reading, and the one before it. */
  void between(Map<Flow, SocketRow> before, Map<Flow, SocketRow> now) {
    for (SocketRow row : now.values()) {
      SocketRow known = before.get(row.flow());
      if (known == null || known.inode() != row.inode()) {
        came.add(row.flow());
      }
    }
    for (Flow flow : before.keySet()) {
      if (!now.containsKey(flow)) {
        went.add(flow);
      }
    }
  }

  /** What is there and was not, or is another's, since this was asked the last time. */
  Set<Flow> takeCame() {
    Set<Flow> taken = came;
    came = new LinkedHashSet<>();
    return taken;
  }

  /** What was missing in any reading since this was asked the last time. */
  Set<Flow> takeWent() {
    Set<Flow> taken = went;
    went = new LinkedHashSet<>();
    return taken;
  }
}
