package org.paceline.control.traffic;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.port.PortQueues;
import org.paceline.control.port.Worker;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;

/**
 * What comes to the others' queue of divided ports, by the queues' own counters: no elephant is in
 * it, so what they do, and when they are counted, does not matter.
 *
 * <p>With s what came to the queue (also what it dropped), c what conversations were counted in the
 * same second or nearly, and g what they are granted, m = s - c is beside the plan as soon as two
 * readings say so: of one alone c may be of another second. At least s - g is beside it in any
 * case, for nobody sends more than it was granted. All in millibits a second on the wire. On the
 * worker.
 */
final class QueuedTraffic {
  /** By then an elephant's packets are marked, and those that were not have left the queue. */
  private static final Duration MARKED = Duration.ofSeconds(3);

  private final PortQueues queues;
  private final ProofBook book;
  private final Worker worker;
  private final SentRates sentRates = new SentRates();
  private final Map<ConversationId, Long> rates = new HashMap<>();
  private final Map<LinkId, Others> others = new HashMap<>();
  private final Map<ConversationId, Joined> joined = new HashMap<>();
  private Map<ConversationId, Share> before = Map.of();
  private Set<ConversationId> apart = Set.of();

  /** What came to the others' queue of a port. */
  private static final class Others {
    private final LatestMost most = new LatestMost();
    private QueueTraffic reading;
    private long beside;
    private long granted;
    private long sent;

    private Others(QueueTraffic first) {
      reading = first;
    }
  }

  /** What a conversation may have among others. */
  private static final class Share {
    final Path path;
    final long granted;

    Share(Path path, long granted) {
      this.path = path;
      this.granted = granted;
    }
  }

  /**
   * Who has become an elephant while it ran: its packets may not all be marked yet. Who is one from
   * its first packet on is let go only when they are.
   */
  private static final class Joined {
    final Duration at;
    final Share share;

    Joined(Duration at, Share share) {
      this.at = at;
      this.share = share;
    }
  }

  QueuedTraffic(PortQueues queues, ProofBook book, Worker worker) {
    this.queues = queues;
    this.book = book;
    this.worker = worker;
  }

  /**
   * Looks whether queues were counted again.
   *
   * @param inForce says which way everybody goes
   */
  void measure(Directives inForce) {
    follow(inForce);
    Map<LinkId, QueueTraffic> fresh = new HashMap<>(queues.traffic());
    others.keySet().retainAll(fresh.keySet());
    others.forEach((link, one) -> fresh.remove(link, one.reading));
    if (fresh.isEmpty()) {
      return;
    }
    rates.putAll(sentRates.next(book));
    rates.keySet().retainAll(known());
    Duration now = worker.now();
    Map<LinkId, Long> counted = new HashMap<>();
    Map<LinkId, Long> granted = new HashMap<>();
    before.forEach(
        (id, share) -> {
          // Who was not counted yet may send what it was granted.
          add(share.path, rates.getOrDefault(id, share.granted), counted);
          add(share.path, share.granted, granted);
        });
    joined.forEach(
        (id, was) -> {
          long its = Math.max(was.share.granted, rates.getOrDefault(id, 0L));
          add(was.share.path, its, counted);
          add(was.share.path, its, granted);
        });
    fresh.forEach(
        (link, reading) -> {
          Others one = others.computeIfAbsent(link, l -> new Others(reading));
          one.reading = reading;
          take(one, now, counted.getOrDefault(link, 0L), granted.getOrDefault(link, 0L));
        });
  }

  private Set<ConversationId> known() {
    Set<ConversationId> known = new HashSet<>(before.keySet());
    known.addAll(apart);
    return known;
  }

  /** Who is among others, and who is no longer. */
  private void follow(Directives inForce) {
    Duration now = worker.now();
    Map<ConversationId, Share> among = new HashMap<>();
    Set<ConversationId> elephants = new HashSet<>();
    inForce
        .routes()
        .forEach(
            (id, route) -> {
              Share share = new Share(route.path(), granted(inForce, id));
              if (!route.isApart()) {
                among.put(id, share);
              } else {
                elephants.add(id);
                Optional.ofNullable(before.get(id))
                    .ifPresent(had -> joined.put(id, new Joined(now, had)));
              }
            });
    joined.keySet().retainAll(elephants);
    joined.values().removeIf(one -> one.at.plus(MARKED).compareTo(now) < 0);
    before = among;
    apart = elephants;
  }

  private static long granted(Directives inForce, ConversationId id) {
    return Optional.ofNullable(inForce.paces().get(id))
        .map(pace -> pace.rate().millibitsPerSecond())
        .orElse(0L);
  }

  private static void take(Others one, Duration now, long counted, long granted) {
    double wire = one.reading.wirePart(one.reading.others());
    long sent = one.reading.offered(one.reading.others()).millibitsPerSecond();
    long beside = Math.max(0, sent - (long) (counted * wire));
    // Who was granted less a moment ago may have sent more in this reading.
    long most = Math.max(granted, one.granted);
    long surely = Math.max(0, sent - (long) (most * wire));
    one.most.add(now, Math.max(surely, Math.min(beside, one.beside)));
    one.beside = beside;
    one.granted = granted;
    one.sent = sent;
  }

  private static void add(Path path, long rate, Map<LinkId, Long> loads) {
    path.hops().forEach(hop -> loads.merge(hop, rate, Long::sum));
  }

  /** The most beside the plan of late; empty where nobody counts the port's queues. */
  Optional<LatestMost> beside(LinkId link) {
    return Optional.ofNullable(others.get(link)).map(one -> one.most);
  }

  /** What came to the others' queue in the last reading. */
  Optional<Long> sent(LinkId link) {
    return Optional.ofNullable(others.get(link)).map(one -> one.sent);
  }

  void clear() {
    sentRates.clear();
    rates.clear();
    others.clear();
    joined.clear();
    before = Map.of();
    apart = Set.of();
  }
}
