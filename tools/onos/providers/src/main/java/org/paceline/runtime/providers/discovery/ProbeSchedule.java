package org.paceline.runtime.providers.discovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onosproject.net.ConnectPoint;

/**
 * Says which ports to probe at a tick: one that came up at each of its first ticks, since its
 * switch may not yet hand us frames; later once in a while.
 */
final class ProbeSchedule {
  static final int TICK_MILLIS = 400;
  private static final int EAGER_TICKS = 8;
  private static final int CALM_TICKS = 8;
  // By then a link to another switch has shown itself.
  private static final int SETTLED_TICKS = 5;

  private Map<ConnectPoint, Integer> ages = new HashMap<>();

  /** The ports to probe now, given those that are up. */
  synchronized List<ConnectPoint> tick(Collection<ConnectPoint> up) {
    Map<ConnectPoint, Integer> next = new HashMap<>();
    List<ConnectPoint> due = new ArrayList<>();
    for (ConnectPoint port : up) {
      int age = ages.getOrDefault(port, 0);
      if (age < EAGER_TICKS || age % CALM_TICKS == 0) {
        due.add(port);
      }
      next.put(port, age + 1);
    }
    ages = next;
    return due;
  }

  /** Whether the port has been up for long enough to know what is behind it. */
  synchronized boolean isSettled(ConnectPoint port) {
    return ages.getOrDefault(port, 0) >= SETTLED_TICKS;
  }
}
