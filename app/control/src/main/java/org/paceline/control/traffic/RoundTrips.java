package org.paceline.control.traffic;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Route;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.TcpReading;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/**
 * Whether packets wait on links, by the round trips that the agents' kernels measure. Of a
 * conversation that is paced where it is sent, on one path, with least round trip b and one of r
 * now, w = 4 packets of each of its sockets at its rate is the most that its own host holds. So at
 * least r - b - w is waited for on its way. A link has a queue where that is more than it may be
 * for half of those that cross it and can show it. The queue may be on another link of theirs: who
 * asks knows which of them are full. O(sum of hops). On the worker.
 */
final class RoundTrips {
  /** What may be waited for: packets of many hosts that come together. */
  static final long ALLOWED_NANOS = 3_000_000;

  /** The same, of full packets: more than that on a link of less than 100 Mbit/s. */
  private static final int ALLOWED_PACKETS = 25;

  /** Whoever may wait longer at home than so many times that shows nothing. */
  private static final int MOST_AT_HOME = 3;

  /** TCP has so many full packets of a socket in its host's queue at most. */
  private static final int PACKETS_AT_HOME = 4;

  private static final double PACKET_MILLIBITS = 1_514 * 8_000.0;
  private static final double NANOS = 1e9;

  private final ProofBook book;
  private Map<ConversationId, Least> least = new HashMap<>();

  /** The least round trip of a conversation on its path. */
  private static final class Least {
    final Path path;
    final long nanos;

    Least(Path path, long nanos) {
      this.path = path;
      this.nanos = nanos;
    }
  }

  /** Those that cross a link and can show whether packets wait. */
  static final class Crossing {
    int all;
    int waiting;

    boolean hasQueue() {
      return all > 0 && 2 * waiting >= all;
    }
  }

  RoundTrips(ProofBook book) {
    this.book = book;
  }

  /**
   * Takes in what was reported since, for the links of this network; those that are not named
   * nobody can tell of.
   */
  Map<LinkId, Crossing> look(Network full, Directives inForce) {
    Map<ConversationId, Least> known = least;
    least = new HashMap<>();
    Map<LinkId, Crossing> crossings = new HashMap<>();
    inForce
        .routes()
        .forEach(
            (id, route) ->
                book.find(id)
                    .filter(proof -> !route.isApart() && isSending(proof))
                    .ifPresent(proof -> look(proof, route, known, full, crossings)));
    return crossings;
  }

  private static boolean isSending(Proof proof) {
    return proof.isHeld()
        && !proof.conversation().isMetered()
        && !proof.conversation().incoming()
        && proof.measured().filter(rate -> !rate.equals(DataRate.ZERO)).isPresent();
  }

  private void look(
      Proof proof,
      Route route,
      Map<ConversationId, Least> known,
      Network full,
      Map<LinkId, Crossing> crossings) {
    Optional<Latency> now = proof.tcp().flatMap(TcpReading::smoothedRtt);
    if (now.isEmpty()) {
      return;
    }
    ConversationId id = proof.conversation().id();
    long nanos = now.get().nanos();
    long base =
        Optional.ofNullable(known.get(id))
            .filter(before -> before.path.equals(route.path()))
            .map(before -> Math.min(before.nanos, nanos))
            .orElse(nanos);
    least.put(id, new Least(route.path(), base));
    double atHome = atHomeNanos(proof);
    for (LinkId hop : route.path().hops()) {
      double allowed = full.link(hop).map(RoundTrips::allowedNanos).orElse(0.0);
      if (atHome <= MOST_AT_HOME * allowed) {
        Crossing crossing = crossings.computeIfAbsent(hop, h -> new Crossing());
        crossing.all++;
        crossing.waiting += nanos - base - atHome > allowed ? 1 : 0;
      }
    }
  }

  private static double allowedNanos(Link link) {
    return Math.max(ALLOWED_NANOS, ALLOWED_PACKETS * packetNanos(link.capacity()));
  }

  private static double atHomeNanos(Proof proof) {
    return PACKETS_AT_HOME
        * Math.max(1, proof.sockets())
        * packetNanos(proof.installed().orElse(DataRate.ZERO));
  }

  private static double packetNanos(DataRate rate) {
    return PACKET_MILLIBITS / rate.millibitsPerSecond() * NANOS;
  }

  void clear() {
    least = new HashMap<>();
  }
}
