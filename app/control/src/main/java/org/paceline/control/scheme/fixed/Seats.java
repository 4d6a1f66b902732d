package org.paceline.control.scheme.fixed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.WorstCaseGrant;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** Who has which rate on which way, and what links have left. */
final class Seats {
  private final Routes room;
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Map<String, Grant> grants = new TreeMap<>();
  private final Map<String, Unserved> unserved = new TreeMap<>();
  private final List<Application> crowdedOut = new ArrayList<>();

  Seats(Routes room) {
    this.room = room;
  }

  Map<String, Grant> grants() {
    return Collections.unmodifiableMap(grants);
  }

  Map<String, Unserved> unserved() {
    return Collections.unmodifiableMap(unserved);
  }

  /** Those for whom there is a way, but no room on any. */
  List<Application> crowdedOut() {
    return crowdedOut;
  }

  /** The one rate of an application of this scheme. */
  static DataRate rate(Application application) {
    UtilityFunction function = application.utilityFunction();
    return function.throughput(function.throughputBins() - 1);
  }

  /**
   * @param before the way that it has, which it keeps if it can
   * @param all ways whether there is room or not
   */
  void seat(Application application, Optional<Path> before, Routes all) {
    long rate = rate(application).times(application.count()).millibitsPerSecond();
    Optional<Path> path =
        before
            .filter(p -> p.hops().stream().allMatch(hop -> fits(hop, rate)))
            .or(
                () ->
                    room.quickest(
                        application.from(), application.to(), link -> fits(link.id(), rate)));
    if (path.isPresent()) {
      path.get().hops().forEach(hop -> loads.merge(hop, rate, Long::sum));
      grants.put(
          application.id(),
          WorstCaseGrant.of(application, rate(application), path.get(), room.network()));
    } else if (all.shortest(application.from(), application.to()).isPresent()) {
      crowdedOut.add(application);
      unserved.put(
          application.id(),
          Unserved.of(
              Unserved.Code.SHARE_IS_FULL,
              application.from(),
              application.to(),
              rate(application)));
    } else {
      unserved.put(
          application.id(),
          Unserved.of(Unserved.Code.NO_PATH, application.from(), application.to()));
    }
  }

  private boolean fits(LinkId hop, long rate) {
    return room.network()
        .link(hop)
        .filter(link -> loads.getOrDefault(hop, 0L) + rate <= link.limitMillibits())
        .isPresent();
  }
}
