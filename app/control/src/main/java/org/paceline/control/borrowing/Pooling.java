package org.paceline.control.borrowing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Pace;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;

/** From a plan to who may borrow, and what an interface may send together ({@link PoolFilling}). */
final class Pooling {
  /** What is above the grants changes by such factors, lest every report changes every pool. */
  private static final double STEP = 1.002;

  /** An interface that sends so much of what it may by its rates alone could use more. */
  private static final double USED = 0.9;

  private final PoolFilling filling = new PoolFilling();
  private final Map<LinkId, Long> plannable = new HashMap<>();
  private final Map<ConversationId, DataRate> limits = new TreeMap<>();
  private final Map<PoolId, Usage> usage = new TreeMap<>();

  /** What those of an interface sent, and might have sent by their rates, of late. */
  static final class Usage {
    double sent;
    double held;

    void add(double oneSent, double oneHeld) {
      sent += oneSent;
      held += oneHeld;
    }
  }

  /** Adds what a conversation sent of late. */
  interface Sent {
    void addTo(Usage usage, ConversationId id);
  }

  /**
   * @param plannable what a plan may give of each link: what it leaves for newcomers is not
   *     borrowed
   */
  Pooling(Network plannable) {
    for (Link link : plannable.links()) {
      this.plannable.put(link.id(), link.capacity().millibitsPerSecond());
      filling.link(link.id(), link.capacity().millibitsPerSecond());
    }
  }

  /**
   * @param most what a conversation may send, in millibits per second; infinite where nothing
   *     bounds it
   */
  Pools pools(
      Directives directives,
      Loans loans,
      Map<ConversationId, Conversation> open,
      ToDoubleFunction<ConversationId> most,
      Sent sent) {
    directives
        .routes()
        .forEach(
            (id, route) -> {
              Pace pace = directives.paces().get(id);
              if (pace != null) {
                double rate = pace.rate().plus(loans.to(id)).millibitsPerSecond();
                List<LinkId> hops = route.path().hops();
                Optional<PoolId> pool =
                    Optional.ofNullable(open.get(id)).flatMap(Conversation::pool);
                if (pool.isPresent()) {
                  sent.addTo(usage.computeIfAbsent(pool.get(), p -> new Usage()), id);
                  filling.enter(pool.get(), rate, hops);
                  // Whoever is not admitted is kept from the links of the others.
                  if (pace.reason() == Directive.Reason.GRANTED) {
                    mayBorrow(pool.get(), id, rate, most.applyAsDouble(id), hops);
                  }
                } else {
                  filling.enter(rate, hops);
                }
              }
            });
    usage.forEach(
        (pool, used) -> {
          if (used.sent >= USED * used.held) {
            filling.busy(pool);
          }
        });
    filling.fill();
    Map<PoolId, DataRate> rates = new TreeMap<>();
    Set<ConversationId> borrowers = new HashSet<>();
    for (PoolId pool : filling.pools()) {
      long size = stepped(filling.size(pool), filling.given(pool));
      if (size > 0) {
        rates.put(pool, DataRate.ofMillibitsPerSecond(size));
        borrowers.addAll(filling.borrowers(pool));
      }
    }
    limits.keySet().retainAll(borrowers);
    return Pools.of(rates, limits);
  }

  private void mayBorrow(
      PoolId pool, ConversationId id, double rate, double most, List<LinkId> hops) {
    double limit = Math.min(most, narrowest(hops));
    if (limit > rate) {
      filling.borrows(pool, id, rate, hops);
      limits.put(id, DataRate.ofMillibitsPerSecond((long) limit));
    }
  }

  private long narrowest(List<LinkId> hops) {
    return hops.stream().mapToLong(link -> plannable.getOrDefault(link, 0L)).min().orElse(0);
  }

  /** As much as all rates, and beyond them the greatest power of the step that is not above. */
  private static long stepped(double size, double given) {
    double beyond = size - given;
    return (long)
        (beyond < 1 ? size : given + Math.pow(STEP, Math.floor(Math.log(beyond) / Math.log(STEP))));
  }
}
