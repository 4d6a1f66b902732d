package org.paceline.control.rollout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;

/**
 * Lets conversations change their ways without overloading a link: whoever moves waits until every
 * link that it reaches has room for all that it may be sending, and counts on the links of both
 * ways until its packets take the new one.
 *
 * <p>Conversations can wait for each other in a circle. Each of them then yields as much as it
 * takes for all of them to be on both ways at once, moves, and rises again. Before that borrowing
 * ends on the links that they reach: what a pool may put on a link does not fall with any rate.
 */
final class PathChanges {
  /** A thousandth less, so that rounding keeps nobody waiting. */
  private static final double NEARLY = 0.999;

  /**
   * Those who wait for each other fit at half their rates, for both before and after everybody
   * fits. Where a tenth does not do, somebody else holds the room and does not answer.
   */
  private static final double LEAST_PART = 0.1;

  /** Leads packets. */
  interface Guide {
    /** Completes, on any thread, when packets take the way or cannot be led. */
    CompletableFuture<Void> lead(ConversationId id, Path path);
  }

  private final RateLedger ledger;
  private final Guide guide;
  private final Executor worker;
  private final Runnable onArrival;
  private final Map<ConversationId, Path> waiting = new TreeMap<>();
  private final Map<ConversationId, Path> underWay = new HashMap<>();
  private final Map<ConversationId, Long> yielding = new HashMap<>();

  /** Who is not to borrow until all have moved. */
  private final Set<ConversationId> notBorrowing = new HashSet<>();

  /**
   * @param onArrival is run, on the worker, when a move has made room on a link
   */
  PathChanges(RateLedger ledger, Guide guide, Executor worker, Runnable onArrival) {
    this.ledger = ledger;
    this.guide = guide;
    this.worker = worker;
    this.onArrival = onArrival;
  }

  static Set<LinkId> links(Path path) {
    return new HashSet<>(path.hops());
  }

  /** From now on the conversation is to take this way. */
  void want(ConversationId id, Path path) {
    waiting.put(id, path);
  }

  void forget(ConversationId id) {
    waiting.remove(id);
    underWay.remove(id);
    yielding.remove(id);
    notBorrowing.remove(id);
  }

  /** Whether nobody waits for room that the conversation's pool may take. */
  boolean mayBorrow(ConversationId id) {
    return !notBorrowing.contains(id);
  }

  /** As much as a conversation may have until it has moved. */
  long most(ConversationId id) {
    return yielding.getOrDefault(id, Long.MAX_VALUE);
  }

  /** Whether the conversation waits for its way, or is on it. */
  boolean isMoving(ConversationId id) {
    return waiting.containsKey(id) || underWay.containsKey(id);
  }

  /**
   * Lets all go for whom there is room, those first whose present way is broken.
   *
   * @param stays who is not to go yet for another reason
   * @param isApart whose packets will meet nobody else's, so that they need no room
   */
  void go(
      Map<LinkId, Long> limits,
      Predicate<ConversationId> stays,
      Predicate<ConversationId> isApart) {
    List<ConversationId> order = new ArrayList<>(waiting.keySet());
    order.sort((a, b) -> Boolean.compare(isStranded(b, limits), isStranded(a, limits)));
    for (ConversationId id : order) {
      Path path = Objects.requireNonNull(waiting.get(id));
      if (!underWay.containsKey(id)
          && !stays.test(id)
          && (isApart.test(id) || ledger.fits(id, links(path), limits))) {
        start(id, path);
      }
    }
    if (waiting.isEmpty() && underWay.isEmpty()) {
      notBorrowing.clear();
    }
  }

  private void start(ConversationId id, Path path) {
    waiting.remove(id);
    underWay.put(id, path);
    ledger.reach(id, links(path));
    CompletableFuture<Void> led = guide.lead(id, path);
    if (led.isDone()) {
      arrived(id, path);
    } else {
      led.whenComplete(
          (done, failure) ->
              worker.execute(
                  () -> {
                    if (arrived(id, path)) {
                      onArrival.run();
                    }
                  }));
    }
  }

  private boolean arrived(ConversationId id, Path path) {
    boolean current = underWay.remove(id, path);
    if (current) {
      yielding.remove(id);
      ledger.move(id, links(path));
    }
    return current;
  }

  /** Nobody will make room for those who wait by itself: they do; whether anybody has to. */
  boolean makeRoom(Map<LinkId, Long> limits) {
    if (waiting.isEmpty() || !underWay.isEmpty()) {
      return false;
    }
    if (notBorrowing.addAll(borrowersInTheWay())) {
      return true;
    }
    Map<LinkId, Long> turning = new HashMap<>();
    Map<LinkId, Long> here = new HashMap<>();
    waiting.forEach(
        (id, path) -> {
          ledger.links(id).forEach(link -> here.merge(link, ledger.possible(id), Long::sum));
          both(id, path).forEach(link -> turning.merge(link, ledger.possible(id), Long::sum));
        });
    boolean changed = false;
    // In the order of their names: whoever starts leaves the others less, in each run the same.
    for (Map.Entry<ConversationId, Path> entry : new TreeMap<>(waiting).entrySet()) {
      ConversationId id = entry.getKey();
      double part = 1;
      for (LinkId link : both(id, entry.getValue())) {
        if (limits.containsKey(link)) {
          long others = ledger.load(link) - here.getOrDefault(link, 0L);
          double room = limits.get(link) - others;
          part = Math.min(part, room / turning.getOrDefault(link, 1L));
        }
      }
      long most = (long) (ledger.possible(id) * part * NEARLY);
      if (part >= LEAST_PART && part < 1 && most < most(id)) {
        yielding.put(id, most);
        changed = true;
      } else if (part < LEAST_PART && isStranded(id, limits)) {
        // Somebody does not answer and holds the room. Better too much on a link than no way.
        start(id, entry.getValue());
      }
    }
    return changed;
  }

  /** Those who wait, for they bring their pools; and those on the links that they reach. */
  private Set<ConversationId> borrowersInTheWay() {
    Set<LinkId> reached = new HashSet<>();
    waiting.forEach(
        (id, path) -> {
          Set<LinkId> more = links(path);
          more.removeAll(ledger.links(id));
          reached.addAll(more);
        });
    Set<ConversationId> some = ledger.borrowersOn(reached);
    waiting.keySet().stream().filter(ledger::mayBorrow).forEach(some::add);
    return some;
  }

  private Set<LinkId> both(ConversationId id, Path path) {
    Set<LinkId> both = links(path);
    both.addAll(ledger.links(id));
    return both;
  }

  private boolean isStranded(ConversationId id, Map<LinkId, Long> limits) {
    return !limits.keySet().containsAll(ledger.links(id));
  }
}
