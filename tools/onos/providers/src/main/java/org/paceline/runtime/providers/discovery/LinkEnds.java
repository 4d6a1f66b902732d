package org.paceline.runtime.providers.discovery;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;

/**
 * Ports behind which there is a switch, or was a moment ago. A cable that is pulled and put back
 * lets frames through before discovery knows it again, and its two ends are told of one after the
 * other: no host is where such a frame came in. Owned by one thread.
 */
final class LinkEnds {
  // Discovery finds a link in seconds, on a busy machine too. A host put in its place waits so
  // long.
  static final Duration REMEMBERED = Duration.ofSeconds(30);

  private final Set<ConnectPoint> linked = new HashSet<>();
  private final Map<ConnectPoint, Long> unlinkedNanos = new HashMap<>();

  void linked(Link link) {
    linked.add(link.src());
    linked.add(link.dst());
  }

  void unlinked(Link link, long nanos) {
    for (ConnectPoint end : Set.of(link.src(), link.dst())) {
      linked.remove(end);
      unlinkedNanos.put(end, nanos);
    }
  }

  boolean has(ConnectPoint port, long nanos) {
    unlinkedNanos.values().removeIf(since -> nanos - since >= REMEMBERED.toNanos());
    return linked.contains(port) || unlinkedNanos.containsKey(port);
  }
}
