package org.paceline.control.rollout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/**
 * Sizes the pools. Each link is divided among the interfaces that send over it in proportion to
 * what their conversations have there, grants and loans; so what nobody was given is divided too. A
 * pool that is as large as the part of its interface on every link that a borrower crosses cannot
 * overload any of them, whoever of the interface pauses.
 *
 * <p>Who crosses a link with a smaller part does not borrow: the pool is as large as it is worth
 * most, where that is the less of its rate and of what its borrowers have.
 */
final class Pooling {
  /** Rates of pools change by such factors, lest every report changes them. */
  private static final double STEP = 1.002;

  private final Map<LinkId, Long> plannable = new HashMap<>();
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Map<PoolId, Map<LinkId, Long>> parts = new TreeMap<>();
  private final Map<PoolId, List<Member>> members = new TreeMap<>();

  private static final class Member {
    final ConversationId id;
    final long rate;
    final double most;
    final List<LinkId> path;

    /** The largest pool in which it can borrow. */
    double widest = Double.POSITIVE_INFINITY;

    Member(ConversationId id, long rate, double most, List<LinkId> path) {
      this.id = id;
      this.rate = rate;
      this.most = most;
      this.path = path;
    }
  }

  /**
   * @param plannable what a plan may give of each link
   */
  Pooling(Network plannable) {
    for (Link link : plannable.links()) {
      this.plannable.put(link.id(), link.capacity().millibitsPerSecond());
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
      ToDoubleFunction<ConversationId> most) {
    directives
        .routes()
        .forEach(
            (id, route) -> {
              Pace pace = directives.paces().get(id);
              if (pace != null) {
                long rate = pace.rate().plus(loans.to(id)).millibitsPerSecond();
                Optional<PoolId> pool =
                    Optional.ofNullable(open.get(id)).flatMap(Conversation::pool);
                enter(pool, route.path().hops(), rate);
                // Whoever is not admitted is kept from the links of the others.
                if (pool.isPresent() && pace.reason() == Directive.Reason.GRANTED) {
                  members
                      .computeIfAbsent(pool.get(), p -> new ArrayList<>())
                      .add(new Member(id, rate, most.applyAsDouble(id), route.path().hops()));
                }
              }
            });
    Map<PoolId, DataRate> rates = new TreeMap<>();
    Map<ConversationId, DataRate> limits = new TreeMap<>();
    members.forEach((pool, all) -> size(pool, all, rates, limits));
    return Pools.of(rates, limits);
  }

  private void enter(Optional<PoolId> pool, List<LinkId> hops, long rate) {
    for (LinkId hop : hops) {
      loads.merge(hop, rate, Long::sum);
      pool.ifPresent(
          p -> parts.computeIfAbsent(p, i -> new HashMap<>()).merge(hop, rate, Long::sum));
    }
  }

  private void size(
      PoolId pool,
      List<Member> all,
      Map<PoolId, DataRate> rates,
      Map<ConversationId, DataRate> limits) {
    List<Member> borrowers = new ArrayList<>(all);
    borrowers.removeIf(member -> member.most <= member.rate || member.path.isEmpty());
    borrowers.forEach(member -> member.widest = widest(pool, member.path));
    borrowers.sort(Comparator.comparingDouble((Member member) -> member.widest).reversed());
    double best = 0;
    double rate = 0;
    double granted = 0;
    for (Member member : borrowers) {
      granted += member.rate;
      double worth = Math.min(member.widest, granted);
      if (worth > best) {
        best = worth;
        rate = member.widest;
      }
    }
    long stepped = stepped(rate);
    if (stepped > 0) {
      rates.put(pool, DataRate.ofMillibitsPerSecond(stepped));
      for (Member member : borrowers) {
        if (member.widest >= rate) {
          double limit = Math.min(member.most, narrowest(member.path));
          limits.put(member.id, DataRate.ofMillibitsPerSecond((long) limit));
        }
      }
    }
  }

  /** The least part that the interface has of a link of the path. */
  private double widest(PoolId pool, List<LinkId> path) {
    double widest = Double.POSITIVE_INFINITY;
    for (LinkId link : path) {
      double part = parts.getOrDefault(pool, Map.of()).getOrDefault(link, 0L);
      double load = Math.max(1, loads.getOrDefault(link, 0L));
      widest = Math.min(widest, plannable.getOrDefault(link, 0L) * (part / load));
    }
    return widest;
  }

  private long narrowest(List<LinkId> path) {
    return path.stream()
        .mapToLong(link -> plannable.getOrDefault(link, 0L))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The greatest power of the step that is not above the rate. */
  private static long stepped(double rate) {
    return rate < 1 ? 0 : (long) Math.pow(STEP, Math.floor(Math.log(rate) / Math.log(STEP)));
  }
}
