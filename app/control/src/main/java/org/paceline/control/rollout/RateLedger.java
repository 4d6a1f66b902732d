package org.paceline.control.rollout;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;

/**
 * What every conversation may be sending at this moment, however the network delays what it was
 * told: the greatest of the rate that was read back and of the rates that are on their way. The sum
 * of these per link is what must never exceed the link.
 */
final class RateLedger {
  private final Map<ConversationId, Entry> entries = new HashMap<>();
  private final Map<LinkId, Long> loads = new HashMap<>();

  private static final class Entry {
    Set<LinkId> links;
    long inForce;
    final TreeMap<Long, Long> onTheirWay = new TreeMap<>();
    Optional<Long> commanded = Optional.empty();

    Entry(Set<LinkId> links, long inForce) {
      this.links = links;
      this.inForce = inForce;
    }

    long possible() {
      return onTheirWay.values().stream().mapToLong(Long::longValue).reduce(inForce, Math::max);
    }
  }

  boolean knows(ConversationId id) {
    return entries.containsKey(id);
  }

  void enter(ConversationId id, Set<LinkId> links, long inForce) {
    leave(id);
    Entry entry = new Entry(links, inForce);
    entries.put(id, entry);
    add(entry, entry.possible());
  }

  void leave(ConversationId id) {
    Entry entry = entries.remove(id);
    if (entry != null) {
      add(entry, -entry.possible());
    }
  }

  void move(ConversationId id, Set<LinkId> links) {
    Entry entry = entry(id);
    add(entry, -entry.possible());
    entry.links = links;
    add(entry, entry.possible());
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
    return rate == 0
        || links.stream()
            .filter(link -> !entry.links.contains(link))
            .allMatch(link -> load(link) + rate <= limits.getOrDefault(link, 0L));
  }

  void sent(ConversationId id, long version, long rate) {
    Entry entry = entry(id);
    add(entry, -entry.possible());
    entry.onTheirWay.put(version, rate);
    entry.commanded = Optional.of(rate);
    add(entry, entry.possible());
  }

  /** The enforcer read back this rate after it had been told all up to this version. */
  void acknowledged(ConversationId id, long version, long rate) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return;
    }
    add(entry, -entry.possible());
    entry.onTheirWay.headMap(version, true).clear();
    entry.inForce = rate;
    add(entry, entry.possible());
  }

  /**
   * The rate was read back between two changes: believed only where none is on its way.
   *
   * @return whether somebody else changed it, so that it is to be told again
   */
  boolean observed(ConversationId id, long rate) {
    Entry entry = entries.get(id);
    if (entry == null || !entry.onTheirWay.isEmpty()) {
      return false;
    }
    add(entry, -entry.possible());
    entry.inForce = rate;
    add(entry, entry.possible());
    boolean changed = entry.commanded.isPresent() && drifted(entry.commanded.get(), rate);
    if (changed) {
      entry.commanded = Optional.empty();
    }
    return changed;
  }

  /** Enforcers round down by at most a thousandth; anything further off is somebody's doing. */
  private static boolean drifted(long commanded, long observed) {
    return observed > commanded || observed < commanded - commanded / 500 - 1_000_000;
  }

  /** What was told to the conversation and is not answered yet is to be told again. */
  void forgetUnanswered(ConversationId id) {
    Entry entry = entries.get(id);
    if (entry != null && !entry.onTheirWay.isEmpty()) {
      entry.commanded = Optional.empty();
    }
  }

  /** The rate that the enforcer was told last, whether it has answered or not. */
  Optional<Long> commanded(ConversationId id) {
    return entry(id).commanded;
  }

  long possible(ConversationId id) {
    return entry(id).possible();
  }

  long inForce(ConversationId id) {
    return entry(id).inForce;
  }

  /** The greatest rate that the conversation can have while every link keeps its limit. */
  long room(ConversationId id, Map<LinkId, Long> limits) {
    Entry entry = entry(id);
    long own = entry.possible();
    long room = Long.MAX_VALUE;
    for (LinkId link : entry.links) {
      long limit = limits.getOrDefault(link, 0L);
      room = Math.min(room, limit - (loads.getOrDefault(link, 0L) - own));
    }
    return room;
  }

  long load(LinkId link) {
    return loads.getOrDefault(link, 0L);
  }

  private Entry entry(ConversationId id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      throw new IllegalStateException("The conversation (" + id + ") is not in the ledger.");
    }
    return entry;
  }

  private void add(Entry entry, long rate) {
    for (LinkId link : entry.links) {
      loads.merge(link, rate, Long::sum);
    }
  }
}
