package org.paceline.control.traffic;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.port.PortQueues;
import org.paceline.intents.network.LinkId;

/** Ports that tell what a test says was counted of their queues. */
final class CountedPorts implements PortQueues {
  final Map<LinkId, QueueShares> divided = new HashMap<>();
  final Map<LinkId, QueueTraffic> traffic = new HashMap<>();

  @Override
  public boolean divides(LinkId link) {
    return true;
  }

  @Override
  public CompletableFuture<Optional<QueueRefusal>> set(LinkId link, QueueShares shares) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public void clear(LinkId link) {}

  @Override
  public Map<LinkId, QueueShares> inForce() {
    return Map.copyOf(divided);
  }

  @Override
  public Map<LinkId, QueueTraffic> traffic() {
    return Map.copyOf(traffic);
  }
}
