package org.paceline.control.scheme.utility;

import java.util.ArrayList;
import java.util.List;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/** From a to b by a quick and narrow way or by a wide and slow one. */
final class Diamond {
  private Diamond() {}

  /**
   * @param slowMillis the delay of each link of the wide way
   */
  static Network of(long slowMillis) {
    List<Link> links = new ArrayList<>();
    both(links, "a", "quick", 3_000, 2);
    both(links, "quick", "b", 3_000, 2);
    both(links, "a", "wide", 30_000, slowMillis);
    both(links, "wide", "b", 30_000, slowMillis);
    return Network.of(List.of("a", "b", "quick", "wide"), links);
  }

  private static void both(List<Link> links, String a, String b, long kbps, long millis) {
    LinkDelay delay = LinkDelay.constant(Latency.ofMillis(millis));
    links.add(Link.of(a, b, DataRate.ofKilobitsPerSecond(kbps), delay));
    links.add(Link.of(b, a, DataRate.ofKilobitsPerSecond(kbps), delay));
  }
}
