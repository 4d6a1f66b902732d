package org.paceline.control.scheme;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.unit.DataRate;

/**
 * Who has a whole rate on which way, and what links have left: admission one after the other, in
 * the order in which they are seated. O((V + E) log V) each.
 */
public final class Seats {
  private final Routes room;
  private final Routes all;
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Map<String, Path> paths = new TreeMap<>();
  private final Map<String, Unserved> unserved = new TreeMap<>();
  private final List<Application> crowdedOut = new ArrayList<>();

  /**
   * @param room what the rates must fit in
   * @param all ways whether there is room or not
   */
  public Seats(Routes room, Routes all) {
    this.room = room;
    this.all = all;
  }

  /** The way of each who has a seat, by application id. */
  public Map<String, Path> paths() {
    return Collections.unmodifiableMap(paths);
  }

  /** Why others have none. */
  public Map<String, Unserved> unserved() {
    return Collections.unmodifiableMap(unserved);
  }

  /** Those for whom there is a way, but no room on any. */
  public List<Application> crowdedOut() {
    return crowdedOut;
  }

  /**
   * Seats it on the quickest way that has room for all of its rate.
   *
   * @param before the way that it has, which it keeps if it can
   */
  public void seat(Application application, DataRate rate, Optional<Path> before) {
    long whole = rate.times(application.count()).millibitsPerSecond();
    Optional<Path> path =
        before
            .filter(p -> p.hops().stream().allMatch(hop -> fits(hop, whole)))
            .or(
                () ->
                    room.quickest(
                        application.from(), application.to(), link -> fits(link.id(), whole)));
    if (path.isPresent()) {
      path.get().hops().forEach(hop -> loads.merge(hop, whole, Long::sum));
      paths.put(application.id(), path.get());
    } else if (all.shortest(application.from(), application.to()).isPresent()) {
      crowdedOut.add(application);
      unserved.put(
          application.id(),
          Unserved.of(Unserved.Code.SHARE_IS_FULL, application.from(), application.to(), rate));
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
