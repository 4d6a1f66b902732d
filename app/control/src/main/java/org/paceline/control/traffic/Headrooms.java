package org.paceline.control.traffic;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.port.LinkRates;
import org.paceline.control.port.PortQueues;
import org.paceline.control.port.Worker;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/**
 * How much of each link conversations may use, by what ports count and what round trips show
 * ({@link LinkHeadroom}, {@link RoundTrips}): only of links that are counted, and of none whose
 * port is divided, for elephants fill their queue on purpose. On the worker.
 */
public final class Headrooms {
  /** So much of what it may carry a full link carries at least: senders pause now and then. */
  private static final double FULL = 0.9;

  private static final double THOUSAND = 1_000;

  private final LinkRates rates;
  private final PortQueues queues;
  private final Worker worker;
  private final RoundTrips roundTrips;
  private final Map<LinkId, Counted> counted = new HashMap<>();

  private static final class Counted {
    final LinkHeadroom headroom;
    Instant at;
    long dropped;

    Counted(LinkHeadroom headroom, Instant at, long dropped) {
      this.headroom = headroom;
      this.at = at;
      this.dropped = dropped;
    }
  }

  public Headrooms(LinkRates rates, PortQueues queues, ProofBook book, Worker worker) {
    this.rates = rates;
    this.queues = queues;
    this.worker = worker;
    this.roundTrips = new RoundTrips(book);
  }

  /**
   * Looks whether ports were counted again.
   *
   * @param full with all of each link's capacity
   * @param inForce says which way everybody goes
   */
  public void look(PlannerSettings settings, Network full, Directives inForce) {
    if (!settings.isUsableAdapted()) {
      counted.clear();
      roundTrips.clear();
      return;
    }
    Map<LinkId, LinkRates.Reading> readings = new HashMap<>(rates.rates());
    readings.keySet().removeAll(queues.inForce().keySet());
    counted.keySet().retainAll(readings.keySet());
    Map<LinkId, Long> dropped = rates.dropped();
    Map<LinkId, RoundTrips.Crossing> crossings = roundTrips.look(full, inForce);
    for (Link link : full.links()) {
      Optional.ofNullable(readings.get(link.id()))
          .ifPresent(
              reading ->
                  look(
                      link,
                      reading,
                      dropped.getOrDefault(link.id(), 0L),
                      Optional.ofNullable(crossings.get(link.id())),
                      settings));
    }
  }

  private void look(
      Link link,
      LinkRates.Reading reading,
      long dropped,
      Optional<RoundTrips.Crossing> crossing,
      PlannerSettings settings) {
    Duration now = worker.now();
    Counted one = counted.get(link.id());
    if (one == null) {
      LinkHeadroom begun = new LinkHeadroom(settings.usableThousandths(), now);
      counted.put(link.id(), new Counted(begun, reading.at(), dropped));
    } else if (!reading.at().equals(one.at)) {
      LinkHeadroom.Bounds bounds = bounds(settings);
      double usable = link.capacity().millibitsPerSecond() * one.headroom.usable(bounds) / THOUSAND;
      boolean isFull = reading.rate().millibitsPerSecond() >= FULL * usable;
      one.headroom.read(sight(dropped > one.dropped, isFull, crossing), now, bounds);
      one.at = reading.at();
      one.dropped = dropped;
    }
  }

  private static LinkHeadroom.Sight sight(
      boolean drops, boolean isFull, Optional<RoundTrips.Crossing> crossing) {
    if (drops) {
      return LinkHeadroom.Sight.QUEUE;
    }
    if (!isFull) {
      return LinkHeadroom.Sight.NOTHING;
    }
    return crossing
        .map(those -> those.hasQueue() ? LinkHeadroom.Sight.QUEUE : LinkHeadroom.Sight.NO_QUEUE)
        .orElse(LinkHeadroom.Sight.NO_DROPS);
  }

  private static LinkHeadroom.Bounds bounds(PlannerSettings settings) {
    return new LinkHeadroom.Bounds(
        settings.leastUsable(), settings.usableThousandths(), settings.mostUsable());
  }

  /** In thousandths of the capacity, of the links of which it is not the usual. */
  public Map<LinkId, Integer> usable(PlannerSettings settings) {
    Map<LinkId, Integer> usable = new HashMap<>();
    counted.forEach(
        (link, one) -> {
          int now = one.headroom.usable(bounds(settings));
          if (settings.isUsableAdapted() && now != settings.usableThousandths()) {
            usable.put(link, now);
          }
        });
    return Map.copyOf(usable);
  }
}
