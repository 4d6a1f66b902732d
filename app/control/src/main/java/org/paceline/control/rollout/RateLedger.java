package org.paceline.control.rollout;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.LinkId;

/**
 * What every conversation may be sending at this moment, however the network delays what it was
 * told: the greatest of the rate that was read back and of the rates that are on their way. What
 * these make of a link, with what is borrowed in pools ({@link LinkLoads}), must never exceed it.
 * Nobody counts with more than the host's own link carries, whatever rate its agent reports.
 */
final class RateLedger {
  private final Map<ConversationId, Entry> entries = new HashMap<>();
  private final LinkLoads loads = new LinkLoads();

  private static final class Entry {
    Set<LinkId> links;
    Optional<PoolId> pool;
    long most = Long.MAX_VALUE;
    final RateInFlight rate;
    final RateInFlight borrowing = new RateInFlight(0);

    /** It answered that it does not hold what it was told. */
    boolean isRefused;

    Entry(Set<LinkId> links, Optional<PoolId> pool, long inForce) {
      this.links = links;
      this.pool = pool;
      this.rate = new RateInFlight(inForce);
    }

    long possible() {
      return Math.min(rate.possible(), most);
    }

    boolean mayBorrow() {
      return borrowing.possible() > 0;
    }
  }

  boolean knows(ConversationId id) {
    return entries.containsKey(id);
  }

  /**
   * @param pool whose members it may borrow from
   */
  void enter(ConversationId id, Set<LinkId> links, Optional<PoolId> pool, long inForce) {
    leave(id);
    Entry entry = new Entry(links, pool, inForce);
    entries.put(id, entry);
    count(entry);
  }

  void leave(ConversationId id) {
    Entry entry = entries.remove(id);
    if (entry != null) {
      discount(entry);
      entry.pool.ifPresent(loads::forgetWhereOver);
    }
  }

  private void count(Entry entry) {
    loads.enter(entry.links, entry.pool, entry.possible(), entry.mayBorrow());
  }

  private void discount(Entry entry) {
    loads.leave(entry.links, entry.pool, entry.possible(), entry.mayBorrow());
  }

  private void change(Entry entry, Runnable change) {
    discount(entry);
    change.run();
    count(entry);
  }

  void move(ConversationId id, Set<LinkId> links) {
    Entry entry = entry(id);
    change(entry, () -> entry.links = links);
  }

  /** Its agent came back as one that does, or does not, let conversations borrow. */
  void join(ConversationId id, Optional<PoolId> pool) {
    Entry entry = entry(id);
    if (!entry.pool.equals(pool)) {
      Optional<PoolId> before = entry.pool;
      change(entry, () -> entry.pool = pool);
      before.ifPresent(loads::forgetWhereOver);
    }
  }

  /**
   * @param most what the sender's own link carries, in millibits per second
   */
  void bound(ConversationId id, long most) {
    Entry entry = entry(id);
    if (entry.most != most) {
      change(entry, () -> entry.most = most);
    }
    entry.pool.ifPresent(pool -> loads.bound(pool, most));
  }

  /** Counts on these links too, as on those that it may still take. */
  void reach(ConversationId id, Set<LinkId> more) {
    Set<LinkId> both = new HashSet<>(more);
    both.addAll(links(id));
    move(id, both);
  }

  Set<LinkId> links(ConversationId id) {
    return entry(id).links;
  }

  /** Whether those of these links that it does not take yet have room for all it may send. */
  boolean fits(ConversationId id, Set<LinkId> links, Map<LinkId, Long> limits) {
    Entry entry = entry(id);
    long rate = entry.possible();
    boolean borrows = entry.mayBorrow();
    return rate == 0
        || links.stream()
            .filter(link -> !entry.links.contains(link))
            .allMatch(
                link -> loads.fits(link, entry.pool, rate, borrows, limits.getOrDefault(link, 0L)));
  }

  /**
   * @param upTo what it may borrow; 0 for not at all
   */
  void sent(ConversationId id, long version, long rate, long upTo) {
    Entry entry = entry(id);
    change(
        entry,
        () -> {
          entry.rate.sent(version, rate);
          entry.borrowing.sent(version, upTo);
        });
  }

  /**
   * The enforcer read back this rate after it had been told all up to this version.
   *
   * @param held whether it is what was told, and so is what it may borrow
   */
  void acknowledged(ConversationId id, long version, long rate, boolean held) {
    Entry entry = entries.get(id);
    if (entry != null && !entry.rate.isOutdated(version)) {
      change(
          entry,
          () -> {
            entry.rate.acknowledged(version, rate);
            if (held) {
              entry.borrowing.settled(version);
            }
          });
      entry.isRefused = !held;
    }
  }

  /**
   * The rate was read back between two changes: believed only where none is on its way.
   *
   * <p>Whoever answered that it does not hold what it was told may have its rate by now, but nobody
   * knows what it may borrow: it counts with the most, and so is told again. Not before its host
   * reports, or both would talk all the time.
   *
   * @return whether somebody else changed it, so that it is to be told again
   */
  boolean observed(ConversationId id, long rate) {
    Entry entry = entries.get(id);
    if (entry == null || entry.rate.isUnanswered()) {
      return false;
    }
    change(entry, () -> entry.rate.observed(rate));
    boolean changed = entry.rate.commanded().filter(told -> drifted(told, rate)).isPresent();
    if (changed || entry.isRefused && entry.pool.isPresent()) {
      entry.rate.forgetCommand();
    }
    entry.pool.ifPresent(loads::reported);
    return changed;
  }

  /** Enforcers round down by at most a thousandth; anything further off is somebody's doing. */
  static boolean drifted(long commanded, long observed) {
    return observed > commanded || observed < commanded - commanded / 500 - 1_000_000;
  }

  /** What it was told last is to be told again. */
  void forgetCommand(ConversationId id) {
    entry(id).rate.forgetCommand();
  }

  /** The agent is back: of what it was told it knows its rates only, and not all of them. */
  void returned(String host) {
    entries.forEach(
        (id, entry) -> {
          if (id.host().equals(host)) {
            if (entry.rate.isUnanswered()) {
              entry.rate.forgetCommand();
            }
            change(entry, entry.borrowing::end);
          }
        });
    for (PoolId pool : loads.pools()) {
      if (pool.host().equals(host)) {
        loads.change(pool, loads.rate(pool)::end);
        loads.told(pool);
        loads.forgetWhereOver(pool);
      }
    }
  }

  /** Whether the enforcer has not answered yet what it was told. */
  boolean isUnanswered(ConversationId id) {
    return entry(id).rate.isUnanswered();
  }

  /** The rate that the enforcer was told last, whether it has answered or not. */
  Optional<Long> commanded(ConversationId id) {
    return entry(id).rate.commanded();
  }

  /** The same of up to what it may borrow; 0 where it was told none. */
  long borrowsUpTo(ConversationId id) {
    return entry(id).borrowing.commanded().orElse(0L);
  }

  long possible(ConversationId id) {
    return entry(id).possible();
  }

  /** The greatest rate that the conversation can have while every link keeps its limit. */
  long room(ConversationId id, Map<LinkId, Long> limits) {
    Entry entry = entry(id);
    long room = Long.MAX_VALUE;
    for (LinkId link : entry.links) {
      room = Math.min(room, loads.room(link, entry.pool, limits.getOrDefault(link, 0L)));
    }
    return room + entry.possible();
  }

  boolean mayBorrow(ConversationId id) {
    return entry(id).mayBorrow();
  }

  /** Who may borrow and counts on one of these links. */
  Set<ConversationId> borrowersOn(Set<LinkId> links) {
    Set<ConversationId> some = new HashSet<>();
    entries.forEach(
        (id, entry) -> {
          if (entry.mayBorrow() && entry.links.stream().anyMatch(links::contains)) {
            some.add(id);
          }
        });
    return some;
  }

  /** Whether it may borrow, or every link of it has room for what its pool may send then. */
  boolean mayBorrow(ConversationId id, Map<LinkId, Long> limits) {
    Entry entry = entry(id);
    return entry.mayBorrow()
        || entry.links.stream()
            .allMatch(link -> loads.fits(link, entry.pool, 0, true, limits.getOrDefault(link, 0L)));
  }

  /** Those whose conversations are here, or that are yet to be told that none are. */
  Set<PoolId> pools() {
    return loads.pools();
  }

  void sent(PoolId pool, long version, long rate) {
    loads.change(pool, () -> loads.rate(pool).sent(version, rate));
    loads.told(pool);
    loads.forgetWhereOver(pool);
  }

  /** The agent read back this rate of the pool after it had been told all up to this version. */
  void acknowledged(PoolId pool, long version, long rate) {
    if (loads.has(pool) && !loads.rate(pool).isOutdated(version)) {
      loads.change(pool, () -> loads.rate(pool).acknowledged(version, rate));
      loads.answered(pool, rate);
    }
  }

  /** The rate that the pool's agent was told last; 0 where it was told none. */
  long commanded(PoolId pool) {
    return loads.rate(pool).commanded().orElse(0L);
  }

  /** Whether its agent answered with another rate, and has reported since. */
  boolean isToBeToldAgain(PoolId pool) {
    return loads.isToBeToldAgain(pool);
  }

  long possible(PoolId pool) {
    return loads.rate(pool).possible();
  }

  /** The greatest rate that the pool can have while every link keeps its limit. */
  long room(PoolId pool, Map<LinkId, Long> limits) {
    return loads.roomOf(pool, limits);
  }

  long load(LinkId link) {
    return loads.on(link);
  }

  private Entry entry(ConversationId id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      throw new IllegalStateException("The conversation (" + id + ") is not in the ledger.");
    }
    return entry;
  }
}
