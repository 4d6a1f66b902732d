package org.paceline.control.borrowing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.LinkId;

/**
 * Sizes pools by max-min: all grow together, each in proportion to what its conversations were
 * given, until a link is full. On a link that a borrower crosses a pool counts with its size, and
 * with no less than the rates of its own there; so up to these it grows for nothing.
 *
 * <p>Where a link is full, either the pool stays as it is, or those who cross the link borrow no
 * more and it goes on: whichever leaves borrowers more of their own to share.
 *
 * <p>First all grow to what they were given. What is left is for those that use theirs, and the
 * rest of that for the others.
 */
final class PoolFilling {
  private static final double NEARLY = 1e-9;

  private final Map<LinkId, Link> links = new HashMap<>();
  private final Map<PoolId, Pool> pools = new TreeMap<>();

  private static final class Link {
    final double capacity;

    /** Of those who are in no pool. */
    double others;

    final List<Pool> pools = new ArrayList<>();

    Link(double capacity) {
      this.capacity = capacity;
    }
  }

  private static final class Borrower {
    final ConversationId id;
    final double rate;
    final Collection<LinkId> path;

    Borrower(ConversationId id, double rate, Collection<LinkId> path) {
      this.id = id;
      this.rate = rate;
      this.path = path;
    }
  }

  private static final class Pool {
    final Map<LinkId, Double> rates = new HashMap<>();
    final List<Borrower> borrowers = new ArrayList<>();
    final Map<LinkId, Integer> crossing = new HashMap<>();
    double given;
    boolean busy;
    double size;
    boolean grows;

    double rate(LinkId link) {
      return rates.getOrDefault(link, 0.0);
    }

    boolean crosses(LinkId link) {
      return crossing.getOrDefault(link, 0) > 0;
    }

    double load(LinkId link) {
      return crosses(link) ? Math.max(rate(link), size) : rate(link);
    }

    double rateBeside(LinkId link) {
      return borrowers.stream().filter(b -> !b.path.contains(link)).mapToDouble(b -> b.rate).sum();
    }

    void leave(LinkId link) {
      for (Borrower borrower : borrowers) {
        if (borrower.path.contains(link)) {
          borrower.path.forEach(hop -> crossing.merge(hop, -1, Integer::sum));
        }
      }
      borrowers.removeIf(borrower -> borrower.path.contains(link));
    }
  }

  /**
   * @param capacity in any unit, as all rates
   */
  void link(LinkId link, double capacity) {
    links.put(link, new Link(capacity));
  }

  private Link link(LinkId link) {
    // A link that has just gone carries nothing.
    return links.computeIfAbsent(link, l -> new Link(0));
  }

  /** Of somebody in no pool. */
  void enter(double rate, Collection<LinkId> path) {
    path.forEach(hop -> link(hop).others += rate);
  }

  /** Of somebody in the pool, who lends. */
  void enter(PoolId id, double rate, Collection<LinkId> path) {
    Pool pool = pools.computeIfAbsent(id, i -> new Pool());
    pool.given += rate;
    for (LinkId hop : path) {
      if (!pool.rates.containsKey(hop)) {
        link(hop).pools.add(pool);
      }
      pool.rates.merge(hop, rate, Double::sum);
    }
  }

  /** Who has entered may borrow, too. */
  void borrows(PoolId id, ConversationId who, double rate, Collection<LinkId> path) {
    Pool pool = pools.computeIfAbsent(id, i -> new Pool());
    pool.borrowers.add(new Borrower(who, rate, path));
    path.forEach(hop -> pool.crossing.merge(hop, 1, Integer::sum));
  }

  /** Uses what it was given. */
  void busy(PoolId id) {
    pools.computeIfAbsent(id, i -> new Pool()).busy = true;
  }

  void fill() {
    boolean whole = false;
    while (!whole) {
      // Those who borrow no more leave room to pools that had stopped for them: all begin anew.
      List<Pool> all = new ArrayList<>(pools.values());
      all.removeIf(pool -> pool.given <= 0 || pool.borrowers.isEmpty());
      all.forEach(pool -> pool.size = 0);
      whole = grow(all, 0, 1);
      all.removeIf(pool -> pool.size < pool.given);
      whole = whole && grow(some(all, true), 1, Double.POSITIVE_INFINITY);
      whole = whole && grow(some(all, false), 1, Double.POSITIVE_INFINITY);
    }
  }

  private static List<Pool> some(List<Pool> all, boolean busy) {
    List<Pool> some = new ArrayList<>(all);
    some.removeIf(pool -> pool.busy != busy);
    return some;
  }

  /**
   * Lets these grow until each is stopped by a link, or has so much of what it was given.
   *
   * @return false where somebody borrows no more instead
   */
  private boolean grow(List<Pool> some, double from, double to) {
    some.forEach(pool -> pool.grows = true);
    double level = from;
    while (level < to && some.stream().anyMatch(pool -> pool.grows)) {
      Map<LinkId, Double> at = new HashMap<>();
      for (Map.Entry<LinkId, Link> entry : links.entrySet()) {
        at.put(entry.getKey(), Math.max(level, fullAt(entry.getKey(), entry.getValue())));
      }
      level = at.values().stream().mapToDouble(each -> each).reduce(to, Math::min);
      for (Pool pool : some) {
        if (pool.grows && level < Double.POSITIVE_INFINITY) {
          pool.size = pool.given * level;
        }
      }
      for (Map.Entry<LinkId, Double> entry : at.entrySet()) {
        boolean full = level < to && entry.getValue() <= level * (1 + NEARLY);
        if (full && !settle(entry.getKey())) {
          some.forEach(pool -> pool.grows = false);
          return false;
        }
      }
    }
    some.forEach(pool -> pool.grows = false);
    return true;
  }

  /** Whether those who meet the full link stop; else some of them borrow no more there. */
  private boolean settle(LinkId link) {
    boolean stop = true;
    for (Pool pool : link(link).pools) {
      boolean meets = pool.size >= pool.rate(link) * (1 - NEARLY);
      if (pool.grows && pool.crosses(link) && meets) {
        if (pool.rateBeside(link) > pool.size) {
          pool.leave(link);
          stop = false;
        } else {
          pool.grows = false;
        }
      }
    }
    return stop;
  }

  /** By how much of what they were given those who grow fill the link; infinite where none does. */
  private static double fullAt(LinkId id, Link link) {
    List<Pool> growing = new ArrayList<>();
    double room = link.capacity - link.others;
    for (Pool pool : link.pools) {
      if (pool.grows && pool.crosses(id)) {
        growing.add(pool);
        room -= pool.rate(id);
      } else {
        room -= pool.load(id);
      }
    }
    growing.sort(Comparator.comparingDouble(pool -> pool.rate(id) / pool.given));
    double at = Double.POSITIVE_INFINITY;
    double rates = 0;
    double given = 0;
    for (Pool pool : growing) {
      double meets = pool.rate(id) / pool.given;
      if (meets >= at) {
        break;
      }
      rates += pool.rate(id);
      given += pool.given;
      // Where rates alone fill the link, whoever is the first to exceed its own meets it.
      at = Math.max((room + rates) / given, meets);
    }
    return at;
  }

  double size(PoolId id) {
    return pools.computeIfAbsent(id, i -> new Pool()).size;
  }

  /** What the conversations of the pool were given. */
  double given(PoolId id) {
    return pools.computeIfAbsent(id, i -> new Pool()).given;
  }

  Set<PoolId> pools() {
    return pools.keySet();
  }

  /** Who still may. */
  Set<ConversationId> borrowers(PoolId id) {
    Set<ConversationId> left = new TreeSet<>();
    pools.computeIfAbsent(id, i -> new Pool()).borrowers.forEach(b -> left.add(b.id));
    return left;
  }
}
