package org.paceline.control.scheme;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/**
 * Less than everybody's least rate: each gets the same part of that rate, on its shortest way, of
 * what links are to carry. Utility 1, for no table says what less than its least rate is worth.
 * O(sum of hops).
 */
public final class LeastShares {
  private static final long MILLIONTHS = 1_000_000;

  private LeastShares() {}

  /**
   * @param carrying the network with what these may use of it
   */
  public static Map<String, Grant> of(
      List<Application> applications, Routes routes, Network carrying) {
    Map<LinkId, Long> asked = new HashMap<>();
    for (Application application : applications) {
      for (LinkId hop : path(application, routes).hops()) {
        asked.merge(hop, application.utilityFunction().rateMillibits(0), Math::addExact);
      }
    }
    Map<String, Grant> grants = new TreeMap<>();
    for (Application application : applications) {
      Path path = path(application, routes);
      long part = MILLIONTHS;
      for (LinkId hop : path.hops()) {
        long capacity =
            carrying.link(hop).map(Link::capacity).orElse(DataRate.ZERO).millibitsPerSecond();
        long wanted = Math.max(1, asked.getOrDefault(hop, 0L));
        part = Math.min(part, (long) Math.floor((double) capacity / wanted * MILLIONTHS));
      }
      long rate = application.utilityFunction().rateMillibits(0) / MILLIONTHS * part;
      int slowest = application.utilityFunction().delayBins() - 1;
      grants.put(
          application.id(),
          Grant.of(
              application.id(),
              1,
              DataRate.ofMillibitsPerSecond(rate),
              application.utilityFunction().delay(slowest),
              Utility.MIN,
              path));
    }
    return grants;
  }

  private static Path path(Application application, Routes routes) {
    return routes.shortest(application.from(), application.to()).orElseThrow();
  }
}
