package org.paceline.control.rollout;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.LinkId;

/**
 * The greatest sum of rates that can be on each link. Whoever shares no pool sends its rate. Those
 * of one pool who cross the link send their rates, and where any of them may borrow, up to the rate
 * of the pool: what they borrow may be what others leave unused who do not cross it.
 */
final class LinkLoads {
  private final Map<LinkId, Long> sums = new HashMap<>();
  private final Map<PoolId, Pool> pools = new TreeMap<>();

  private static final class Pool {
    final RateInFlight rate = new RateInFlight(0);
    final Map<LinkId, Part> parts = new HashMap<>();
    long most = Long.MAX_VALUE;
    int members;

    /** Its agent answered that it holds another rate than it was told. */
    boolean isRefused;

    /** Its agent has reported since. */
    boolean isToBeToldAgain;

    /** What it may put on the link. */
    long load(LinkId link) {
      Part part = parts.get(link);
      return part == null ? 0 : part.load(possible());
    }

    long possible() {
      return Math.min(rate.possible(), most);
    }

    /**
     * Nobody is of it, and its agent was told so. Whoever is of it next is told that after this, by
     * the same stream, so that what the agent held before is over by then.
     */
    boolean isOver() {
      return members == 0 && rate.commanded().orElse(0L) == 0;
    }
  }

  /** Of a pool, those on one link. */
  private static final class Part {
    long rates;
    int members;
    int borrowers;

    long load(long pool) {
      return borrowers > 0 ? Math.max(rates, pool) : rates;
    }
  }

  long on(LinkId link) {
    return sums.getOrDefault(link, 0L);
  }

  void enter(Collection<LinkId> links, Optional<PoolId> pool, long rate, boolean borrows) {
    change(links, pool, rate, 1, borrows ? 1 : 0);
  }

  void leave(Collection<LinkId> links, Optional<PoolId> pool, long rate, boolean borrows) {
    change(links, pool, -rate, -1, borrows ? -1 : 0);
  }

  private void change(
      Collection<LinkId> links, Optional<PoolId> id, long rate, int members, int borrowers) {
    if (id.isEmpty()) {
      links.forEach(link -> sums.merge(link, rate, Long::sum));
      return;
    }
    Pool pool = pools.computeIfAbsent(id.get(), i -> new Pool());
    pool.members += members;
    for (LinkId link : links) {
      long before = pool.load(link);
      Part part = pool.parts.computeIfAbsent(link, l -> new Part());
      part.rates += rate;
      part.members += members;
      part.borrowers += borrowers;
      sums.merge(link, pool.load(link) - before, Long::sum);
      if (part.members == 0) {
        pool.parts.remove(link);
      }
    }
  }

  /** Agents name interfaces as they like, so those that are over are not kept. */
  void forgetWhereOver(PoolId id) {
    if (pool(id).isOver()) {
      pools.remove(id);
    }
  }

  /**
   * Those that have members, or had some and are yet to be told that they have none; in their
   * order.
   */
  Set<PoolId> pools() {
    return new TreeSet<>(pools.keySet());
  }

  boolean has(PoolId id) {
    return pools.containsKey(id);
  }

  /** The rate of a pool; to be changed by {@link #change(PoolId, Runnable)} only. */
  RateInFlight rate(PoolId id) {
    return pool(id).rate;
  }

  private Pool pool(PoolId id) {
    return Optional.ofNullable(pools.get(id)).orElseGet(Pool::new);
  }

  /**
   * @param most what the interface can carry: its pool counts with no more, whatever its agent says
   */
  void bound(PoolId id, long most) {
    Pool pool = pool(id);
    if (pool.most != most) {
      change(id, () -> pool.most = most);
    }
  }

  /** Changes what {@link #rate(PoolId)} says. */
  void change(PoolId id, Runnable change) {
    Pool pool = pool(id);
    pool.parts.keySet().forEach(link -> sums.merge(link, -pool.load(link), Long::sum));
    change.run();
    pool.parts.keySet().forEach(link -> sums.merge(link, pool.load(link), Long::sum));
  }

  /** It has another rate to answer, or none. */
  void told(PoolId id) {
    Pool pool = pool(id);
    pool.isRefused = false;
    pool.isToBeToldAgain = false;
  }

  /** The agent's answer to what it was told last, or before. */
  void answered(PoolId id, long rate) {
    Pool pool = pool(id);
    pool.isRefused =
        !pool.rate.isUnanswered()
            && pool.rate.commanded().filter(told -> RateLedger.drifted(told, rate)).isPresent();
  }

  /** One of its conversations was reported: who answers something else is told again. */
  void reported(PoolId id) {
    Pool pool = pool(id);
    pool.isToBeToldAgain = pool.isRefused;
  }

  boolean isToBeToldAgain(PoolId id) {
    return pool(id).isToBeToldAgain;
  }

  /** What the link has left beside all that are not of the pool, and the rates of those who are. */
  long room(LinkId link, Optional<PoolId> id, long limit) {
    Optional<Pool> pool = id.map(pools::get);
    long load = pool.map(p -> p.load(link)).orElse(0L);
    long rates = pool.map(p -> p.parts.get(link)).map(part -> part.rates).orElse(0L);
    return limit - on(link) + load - rates;
  }

  /** The greatest rate that the pool can have while every link keeps its limit. */
  long roomOf(PoolId id, Map<LinkId, Long> limits) {
    Pool pool = pool(id);
    long room = Long.MAX_VALUE;
    for (Map.Entry<LinkId, Part> entry : pool.parts.entrySet()) {
      if (entry.getValue().borrowers > 0) {
        LinkId link = entry.getKey();
        room = Math.min(room, limits.getOrDefault(link, 0L) - on(link) + pool.load(link));
      }
    }
    return room;
  }

  /** Whether the link has room for a member with this rate, who comes as one who may borrow. */
  boolean fits(LinkId link, Optional<PoolId> id, long rate, boolean borrows, long limit) {
    long pool = borrows ? id.map(pools::get).map(Pool::possible).orElse(0L) : 0;
    long rates = id.map(pools::get).map(p -> p.parts.get(link)).map(part -> part.rates).orElse(0L);
    long least = borrows ? Math.max(0, pool - rates) : 0;
    return Math.max(rate, least) <= room(link, id, limit);
  }
}
