package org.paceline.control.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.InstalledRate;
import org.paceline.control.port.RateSender;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * Makes a plan true without ever overloading a link on the way: a rate goes down at once, and up
 * only as far as what everybody else may still be sending leaves room ({@link RateLedger}).
 * Acknowledgements make more room, and each calls for the next step.
 *
 * <p>A host gets its next batch when it has acknowledged the one before: what changes meanwhile is
 * sent once, at its newest.
 */
final class Rollout {
  private final RateSender sender;
  private final RateLedger ledger = new RateLedger();
  private final Map<String, Long> awaited = new HashMap<>();
  private final Set<ConversationId> everInstalled = new HashSet<>();
  private Map<LinkId, Long> limits = Map.of();
  private Map<ConversationId, Grant> grants = Map.of();
  private long version;

  Rollout(RateSender sender) {
    this.sender = sender;
  }

  /** The newest number given to a plan or a batch. */
  long version() {
    return version;
  }

  /** Numbers go on from here, so that an agent that outlived a controller sees them grow. */
  void continueFrom(long known) {
    version = Math.max(version, known);
  }

  long nextVersion() {
    return ++version;
  }

  void limitTo(Network usable) {
    Map<LinkId, Long> changed = new HashMap<>();
    for (Link link : usable.links()) {
      changed.put(link.id(), link.limitMillibits());
    }
    limits = changed;
  }

  /** From now on these grants are to become true. */
  void aimAt(Map<ConversationId, Grant> wanted, Map<ConversationId, Conversation> conversations) {
    grants = wanted;
    wanted.forEach(
        (id, grant) -> {
          Set<LinkId> links = new HashSet<>(grant.path().hops());
          if (ledger.knows(id)) {
            ledger.move(id, links);
          } else {
            Conversation conversation = conversations.get(id);
            ledger.enter(
                id,
                links,
                conversation == null ? 0 : conversation.rateInForce().millibitsPerSecond());
          }
        });
  }

  void ended(ConversationId id) {
    ledger.leave(id);
    everInstalled.remove(id);
  }

  /** The agent is new or back: it may have forgotten what it was told, and answers afresh. */
  void restart(String host) {
    awaited.remove(host);
    for (ConversationId id : grants.keySet()) {
      if (id.host().equals(host)) {
        ledger.forgetCommand(id);
      }
    }
  }

  /** Sends what can be sent now; the hosts that were told something, with the batch's number. */
  Map<String, Long> step(Map<ConversationId, Conversation> conversations) {
    Map<String, Map<Conversation, DataRate>> batches = new TreeMap<>();
    Map<ConversationId, Long> raises = new HashMap<>();
    grants.forEach(
        (id, grant) -> {
          Conversation conversation = conversations.get(id);
          if (conversation == null || awaited.containsKey(id.host())) {
            return;
          }
          long target = grant.rate().millibitsPerSecond();
          Optional<Long> commanded = ledger.commanded(id);
          if (commanded.isPresent() && commanded.get() == target) {
            return;
          }
          if (target <= ledger.possible(id)) {
            batch(batches, conversation, target);
          } else {
            raises.put(id, target);
          }
        });
    // Raises see the room that is left while those who yield have not answered yet.
    long number = version + 1;
    batches.forEach(
        (host, rates) ->
            rates.forEach((c, r) -> ledger.sent(c.id(), number, r.millibitsPerSecond())));
    for (ConversationId id : ordered(raises)) {
      Conversation conversation = conversations.get(id);
      long target = raises.getOrDefault(id, 0L);
      long room = ledger.room(id, limits);
      long rate = Math.min(target, room);
      // A newcomer takes what there is at once; the others wait until their step is whole.
      boolean worthwhile =
          rate == target || !everInstalled.contains(id) && rate > ledger.possible(id);
      if (conversation != null && worthwhile && !ledger.commanded(id).equals(Optional.of(rate))) {
        batch(batches, conversation, rate);
        ledger.sent(id, number, rate);
      }
    }
    Map<String, Long> told = new LinkedHashMap<>();
    if (!batches.isEmpty()) {
      version = number;
      batches.forEach(
          (host, rates) -> {
            awaited.put(host, number);
            told.put(host, number);
            sender.send(host, number, rates);
          });
    }
    return told;
  }

  private List<ConversationId> ordered(Map<ConversationId, Long> raises) {
    List<ConversationId> order = new ArrayList<>(raises.keySet());
    order.sort(
        Comparator.<ConversationId, Boolean>comparing(everInstalled::contains)
            .thenComparing(ledger::possible)
            .thenComparing(Comparator.naturalOrder()));
    return order;
  }

  private static void batch(
      Map<String, Map<Conversation, DataRate>> batches, Conversation conversation, long rate) {
    batches
        .computeIfAbsent(conversation.id().host(), host -> new LinkedHashMap<>())
        .put(conversation, DataRate.ofMillibitsPerSecond(rate));
  }

  void acknowledged(String host, long number, List<InstalledRate> installed) {
    for (InstalledRate one : installed) {
      ledger.acknowledged(one.id(), number, one.rate().millibitsPerSecond());
      if (one.error().isEmpty()) {
        everInstalled.add(one.id());
      }
    }
    Long waiting = awaited.get(host);
    if (waiting != null && waiting <= number) {
      awaited.remove(host);
    }
  }

  /** The host did not answer in time; the next batch may go, and the old rates still count. */
  boolean gaveUpWaiting(String host, long number) {
    return awaited.remove(host, number);
  }

  void observed(ConversationId id, DataRate rate) {
    ledger.observed(id, rate.millibitsPerSecond());
  }

  /** The greatest sum of rates that can be on the link now. */
  DataRate possibleLoad(LinkId link) {
    return DataRate.ofMillibitsPerSecond(ledger.load(link));
  }
}
