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
 * Sizes the pools. Of each link an interface has what its conversations were given there, and of
 * what nobody was given a part in proportion: those interfaces that use theirs, or all where none
 * does. A pool that is as large as that on every link that a borrower crosses cannot overload any
 * of them, whoever of the interface pauses.
 *
 * <p>Who crosses a link with a smaller part does not borrow: the pool is as large as it is worth
 * most, where that is the less of its rate and of what its borrowers have.
 */
final class Pooling {
  /** Rates of pools change by such factors, lest every report changes them. */
  private static final double STEP = 1.002;

  /** Of what its conversations were given: an interface that sends so much could use more. */
  private static final double USED = 0.9;

  private final Map<LinkId, Long> plannable = new HashMap<>();
  private final Map<LinkId, Long> loads = new HashMap<>();

  /** Of the interfaces. */
  private final Map<LinkId, Long> parts = new HashMap<>();

  /** Of those of them that use theirs. */
  private final Map<LinkId, Long> busy = new HashMap<>();

  private final Map<PoolId, Interface> interfaces = new TreeMap<>();

  private static final class Interface {
    final Map<LinkId, Long> parts = new HashMap<>();
    final List<Member> members = new ArrayList<>();
    double given;
    double sent;

    boolean isBusy() {
      return sent >= USED * given;
    }
  }

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
   * @param sent what it sent of late, in millibits per second
   */
  Pools pools(
      Directives directives,
      Loans loans,
      Map<ConversationId, Conversation> open,
      ToDoubleFunction<ConversationId> most,
      ToDoubleFunction<ConversationId> sent) {
    directives
        .routes()
        .forEach(
            (id, route) -> {
              Pace pace = directives.paces().get(id);
              if (pace != null) {
                long rate = pace.rate().plus(loans.to(id)).millibitsPerSecond();
                List<LinkId> hops = route.path().hops();
                hops.forEach(hop -> loads.merge(hop, rate, Long::sum));
                Optional<PoolId> pool =
                    Optional.ofNullable(open.get(id)).flatMap(Conversation::pool);
                if (pool.isPresent()) {
                  Interface one = interfaces.computeIfAbsent(pool.get(), p -> new Interface());
                  hops.forEach(hop -> one.parts.merge(hop, rate, Long::sum));
                  one.given += rate;
                  one.sent += sent.applyAsDouble(id);
                  // Whoever is not admitted is kept from the links of the others.
                  if (pace.reason() == Directive.Reason.GRANTED) {
                    one.members.add(new Member(id, rate, most.applyAsDouble(id), hops));
                  }
                }
              }
            });
    for (Interface one : interfaces.values()) {
      one.parts.forEach((link, part) -> parts.merge(link, part, Long::sum));
      if (one.isBusy()) {
        one.parts.forEach((link, part) -> busy.merge(link, part, Long::sum));
      }
    }
    Map<PoolId, DataRate> rates = new TreeMap<>();
    Map<ConversationId, DataRate> limits = new TreeMap<>();
    interfaces.forEach((pool, one) -> size(pool, one, rates, limits));
    return Pools.of(rates, limits);
  }

  private void size(
      PoolId pool,
      Interface one,
      Map<PoolId, DataRate> rates,
      Map<ConversationId, DataRate> limits) {
    List<Member> borrowers = new ArrayList<>(one.members);
    borrowers.removeIf(member -> member.most <= member.rate || member.path.isEmpty());
    borrowers.forEach(member -> member.widest = widest(one, member.path));
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

  /** The least that the interface has of a link of the path. */
  private double widest(Interface one, List<LinkId> path) {
    return path.stream().mapToDouble(link -> part(one, link)).min().orElse(0);
  }

  private double part(Interface one, LinkId link) {
    double given = one.parts.getOrDefault(link, 0L);
    double load = loads.getOrDefault(link, 0L);
    double capacity = plannable.getOrDefault(link, 0L);
    if (load >= capacity) {
      return given * capacity / Math.max(1, load);
    }
    boolean someUseTheirs = busy.getOrDefault(link, 0L) > 0;
    if (someUseTheirs && !one.isBusy()) {
      return given;
    }
    double sharing = (someUseTheirs ? busy : parts).getOrDefault(link, 0L);
    return given + (capacity - load) * given / Math.max(1, sharing);
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
