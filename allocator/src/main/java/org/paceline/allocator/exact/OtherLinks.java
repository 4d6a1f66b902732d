package org.paceline.allocator.exact;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/** Whether the links that were left out of the search carry what it granted. */
final class OtherLinks {
  private OtherLinks() {}

  static boolean hold(Network network, List<Shares.Share> shares) {
    Map<LinkId, Long> loads = new HashMap<>();
    for (Shares.Share share : shares) {
      share.path().hops().forEach(hop -> loads.merge(hop, share.load(), Long::sum));
    }
    return loads.entrySet().stream()
        .allMatch(
            e ->
                e.getValue()
                    <= network.link(e.getKey()).map(Link::limitMillibits).orElse(Long.MIN_VALUE));
  }
}
