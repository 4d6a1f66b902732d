package org.paceline.control.assurance;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Proof;
import org.paceline.control.port.InstalledState;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;
import org.paceline.control.work.Each;
import org.paceline.control.work.Faults;

/**
 * Holds the network to the plan. Once a second every enforcer reads back what the network holds;
 * what differs twice in a row is written again, what does not come right in time is an alarm, and
 * so is who sends more than its rate. Twice, because a plan may change while it is read back.
 */
public final class Reconciler {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** A reading that is not complete by then is given up, and the next one begins. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  /** From one look to the next, where nothing fails. */
  private static final Duration LONGEST = PATIENCE.plus(INTERVAL.multipliedBy(2));

  /** It looks every few seconds, so a worker that has not let it for that long is held up. */
  private static final Duration HELD_UP = Duration.ofSeconds(30);

  private final ProofBook book;
  private final List<InstalledState> enforcers;
  private final Worker worker;
  private final Clock clock;
  private final Faults faults;
  private final BoundedJournal ofHosts;
  private final Overuse overuse = new Overuse();
  private final Map<Place, Drift> troubles = new HashMap<>();
  private final List<Function<Collection<Proof>, List<Alarm>>> watchers =
      new CopyOnWriteArrayList<>();
  private final List<Consumer<List<Alarm>>> listeners = new CopyOnWriteArrayList<>();
  private volatile List<Alarm> alarms = List.of();
  private volatile Optional<Look> last = Optional.empty();
  private long round;

  /** When it looked. */
  private final class Look {
    final Duration at = worker.now();

    /** The same, for people. */
    final Instant time = clock.instant();

    boolean isOlderThan(Duration age) {
      return at.plus(age).compareTo(worker.now()) < 0;
    }
  }

  public Reconciler(
      ProofBook book, List<InstalledState> enforcers, Worker worker, Clock clock, Journal journal) {
    this.book = book;
    this.enforcers = List.copyOf(enforcers);
    this.worker = worker;
    this.clock = clock;
    this.faults = new Faults(journal);
    this.ofHosts = new BoundedJournal(journal, worker);
  }

  /** What is wrong at this moment and could not be put right, oldest first. */
  public List<Alarm> alarms() {
    return last.filter(look -> look.isOlderThan(HELD_UP))
        .map(look -> withHeldUp(look.time))
        .orElse(alarms);
  }

  /** The worker cannot say itself that it is held up. */
  private List<Alarm> withHeldUp(Instant since) {
    List<Alarm> all = new ArrayList<>(alarms);
    all.removeIf(alarm -> alarm.kind() == Alarm.Kind.PLANNER_STALLED);
    all.add(
        Alarm.ofPlanner(
            "Nothing is planned, told or read back: the planner's thread waits for something. Maybe"
                + " the store has no majority; all rates hold.",
            since));
    return List.copyOf(all);
  }

  /** Told all alarms when they become others: it must not wait for anything. */
  public void onAlarms(Consumer<List<Alarm>> listener) {
    listeners.add(listener);
  }

  /** Is asked, on the worker, once a second what else is wrong with these conversations. */
  public void watch(Function<Collection<Proof>, List<Alarm>> watcher) {
    watchers.add(watcher);
  }

  /** Begins; it ends with its worker. */
  public void start() {
    last = Optional.of(new Look());
    worker.after(INTERVAL, this::look);
    // Each look asks for the next one: not one that throws before it has.
    worker.every(() -> LONGEST, this::lookWhereNobodyDoes);
  }

  private void lookWhereNobodyDoes() {
    if (last.filter(look -> look.isOlderThan(LONGEST)).isPresent()) {
      look();
    }
  }

  private void look() {
    last = Optional.of(new Look());
    long mine = ++round;
    List<CompletableFuture<Map<ConversationId, List<InstalledElement>>>> readings =
        new ArrayList<>();
    enforcers.forEach(enforcer -> readings.add(readingOf(enforcer)));
    CompletableFuture.allOf(readings.toArray(CompletableFuture[]::new))
        .whenComplete((done, failure) -> worker.execute(() -> complete(mine, readings)));
    worker.after(PATIENCE, () -> complete(mine, readings));
  }

  private CompletableFuture<Map<ConversationId, List<InstalledElement>>> readingOf(
      InstalledState enforcer) {
    try {
      return enforcer.read();
    } catch (RuntimeException | Error bug) {
      faults.write("What the network holds could not all be read back", bug);
      return CompletableFuture.failedFuture(bug);
    }
  }

  /** Whatever has been read by now is compared; a reading that failed says nothing. */
  private void complete(
      long mine, List<CompletableFuture<Map<ConversationId, List<InstalledElement>>>> readings) {
    if (mine != round) {
      return;
    }
    round++;
    // First, so that it also goes on where something below fails.
    worker.after(INTERVAL, this::look);
    Map<ConversationId, List<InstalledElement>> all = new HashMap<>();
    Map<Place, Drift> still = new HashMap<>();
    for (int e = 0; e < enforcers.size(); e++) {
      CompletableFuture<Map<ConversationId, List<InstalledElement>>> reading = readings.get(e);
      if (!reading.isDone() || reading.isCompletedExceptionally()) {
        int silent = e;
        troubles.forEach(
            (place, trouble) -> {
              if (trouble.enforcer == silent) {
                still.put(place, trouble);
              }
            });
        continue;
      }
      int number = e;
      reading
          .join()
          .forEach(
              (id, elements) -> {
                all.computeIfAbsent(id, i -> new ArrayList<>()).addAll(elements);
                elements.forEach(element -> compare(number, id, element, still));
              });
    }
    troubles.clear();
    troubles.putAll(still);
    for (Proof proof : book.all()) {
      ConversationId id = proof.conversation().id();
      List<InstalledElement> found = all.getOrDefault(id, List.of());
      if (!found.equals(proof.elements())) {
        book.change(id, p -> p.elements(found));
      }
    }
    List<Alarm> others = new ArrayList<>(overuse.look(book.all()));
    for (Function<Collection<Proof>, List<Alarm>> watcher : watchers) {
      try {
        others.addAll(watcher.apply(book.all()));
      } catch (RuntimeException | Error bug) {
        // It says nothing this time; what the others see is raised all the same.
        faults.write("What is wrong could not all be looked for", bug);
      }
    }
    alarm(others);
  }

  private void compare(
      int enforcer, ConversationId id, InstalledElement element, Map<Place, Drift> still) {
    Place place = new Place(id, element);
    Drift trouble = troubles.get(place);
    if (element.standing() == InstalledElement.Standing.AS_WANTED) {
      if (trouble != null && trouble.isSaid()) {
        ofHosts.note(
            id.host(),
            "Conversation "
                + id
                + ": the "
                + element
                + " is as wanted again after "
                + worker.now().minus(trouble.noticed).toMillis() / 1e3
                + " s.");
      }
      return;
    }
    if (trouble == null) {
      trouble = new Drift(enforcer, id, clock.instant(), worker.now());
    }
    still.put(place, trouble);
    trouble.element = element;
    trouble.seen++;
    if (element.isDrifted() && trouble.seen > 1) {
      trouble.repairs++;
      if (trouble.repairs == 1) {
        ofHosts.warn(
            id.host(), "Conversation " + id + ": " + trouble.sentence() + " It is written again.");
      }
      try {
        enforcers.get(enforcer).repair(id, element);
      } catch (RuntimeException | Error bug) {
        // It is tried again with the next reading.
        faults.write("The " + element + " of " + id + " could not be written again", bug);
      }
    }
  }

  private void alarm(Collection<Alarm> others) {
    Duration now = worker.now();
    List<Alarm> raised = new ArrayList<>(others);
    troubles.values().stream()
        .filter(trouble -> trouble.isAlarming(now))
        .forEach(
            trouble ->
                raised.add(
                    Alarm.of(
                        Alarm.Kind.DRIFT,
                        trouble.conversation,
                        trouble.sentence() + " " + trouble.tried(),
                        trouble.since)));
    raised.sort(Comparator.comparing(Alarm::since).thenComparing(Alarm::about));
    Set<String> known = alarms.stream().map(Alarm::about).collect(Collectors.toUnmodifiableSet());
    for (Alarm alarm : raised) {
      if (!known.contains(alarm.about())) {
        ofHosts.warn(
            alarm.conversation().map(ConversationId::host).orElseGet(alarm::about),
            "ALARM, " + alarm.about() + ": " + alarm.sentence());
      }
    }
    boolean isNew = !alarms.equals(raised);
    alarms = List.copyOf(raised);
    if (isNew) {
      Each.of(listeners, listener -> listener.accept(alarms));
    }
  }
}
