package org.paceline.control.rollout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.control.model.NetworkState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/** Hosts h1 to h3 behind s1, and c1 to c3 behind s2; the links between are the bottleneck. */
final class OfficeNetwork {
  private OfficeNetwork() {}

  static NetworkState oneWay(long bottleneckKbps) {
    return of(bottleneckKbps, List.of());
  }

  /** Whose bottleneck takes 8 ms, and 20 more for each Mbit/s of its load. */
  static NetworkState slowing(long bottleneckKbps) {
    LinkDelay delay =
        LinkDelay.piecewise(
            List.of(DataRate.ZERO, DataRate.ofKilobitsPerSecond(bottleneckKbps)),
            List.of(Latency.ofMillis(8), Latency.ofMillis(8 + bottleneckKbps / 50)));
    NetworkState state = oneWay(bottleneckKbps);
    List<Link> links = new ArrayList<>();
    for (Link link : state.network().links()) {
      boolean isBottleneck = link.id().equals(LinkId.of("s1", "s2"));
      links.add(isBottleneck ? Link.of("s1", "s2", link.capacity(), delay) : link);
    }
    return NetworkState.of(
        Network.of(List.copyOf(state.network().nodes()), links), state.nodesByAddress(), List.of());
  }

  /** With another way, through s3, that is as wide. */
  static NetworkState twoWays(long kbps) {
    return twoWays(kbps, kbps);
  }

  static NetworkState twoWays(long directKbps, long otherKbps) {
    List<Link> other = new ArrayList<>();
    both(other, "s1", "s3", otherKbps);
    both(other, "s3", "s2", otherKbps);
    return of(directKbps, other);
  }

  private static NetworkState of(long bottleneckKbps, List<Link> more) {
    List<String> nodes = List.of("h1", "h2", "h3", "c1", "c2", "c3", "s1", "s2", "s3");
    List<Link> links = new ArrayList<>(more);
    Map<String, String> addresses = new HashMap<>();
    for (int i = 1; i <= 3; i++) {
      both(links, "h" + i, "s1", 1_000_000);
      both(links, "c" + i, "s2", 1_000_000);
      addresses.put("10.0.1." + i, "h" + i);
      addresses.put("10.0.2." + i, "c" + i);
    }
    both(links, "s1", "s2", bottleneckKbps);
    return NetworkState.of(Network.of(nodes, links), addresses, List.of());
  }

  private static void both(List<Link> links, String a, String b, long kbps) {
    LinkDelay delay = LinkDelay.constant(Latency.ofMillis(1));
    links.add(Link.of(a, b, DataRate.ofKilobitsPerSecond(kbps), delay));
    links.add(Link.of(b, a, DataRate.ofKilobitsPerSecond(kbps), delay));
  }
}
