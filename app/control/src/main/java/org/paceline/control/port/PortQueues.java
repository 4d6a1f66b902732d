package org.paceline.control.port;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.intents.network.LinkId;

/**
 * Divides switches' ports between two queues, for elephants and for all others ({@code
 * directive.Queue}). To be told the same again changes nothing. Called on the worker; must not
 * wait.
 */
public interface PortQueues {
  /** Where no switch has a scheduler. */
  PortQueues NOBODY =
      new PortQueues() {
        @Override
        public boolean divides(LinkId link) {
          return false;
        }

        @Override
        public CompletableFuture<Optional<QueueRefusal>> set(LinkId link, QueueShares shares) {
          return CompletableFuture.completedFuture(
              Optional.of(QueueRefusal.of(QueueRefusal.Code.NO_SCHEDULER, link.from())));
        }

        @Override
        public void clear(LinkId link) {}

        @Override
        public Map<LinkId, QueueShares> inForce() {
          return Map.of();
        }

        @Override
        public Map<LinkId, QueueTraffic> traffic() {
          return Map.of();
        }
      };

  /** Whether somebody is there who divides the port that the link leaves by. */
  boolean divides(LinkId link);

  /**
   * The port that the link leaves by has these shares, of which the sum is what it sends at most.
   * No packet is lost or overtaken by a change from other shares.
   *
   * @return completes, on any thread and within about a second, when they are read back as told;
   *     else with the reason
   */
  CompletableFuture<Optional<QueueRefusal>> set(LinkId link, QueueShares shares);

  /** The port is one queue again. What waits in it may be lost. */
  void clear(LinkId link);

  /** What was read back last of the ports that are divided, wanted or not. */
  Map<LinkId, QueueShares> inForce();

  /** The newest of each divided port whose queues were counted twice, and lately. */
  Map<LinkId, QueueTraffic> traffic();
}
