package org.paceline.control.operations;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.port.Records;

/**
 * Long work, done beside whoever asks for it: what changes something one after the other, and
 * questions one after the other beside that. What came of it is kept for an hour, by the controller
 * that was asked, over its restart, too. Any thread may call.
 */
public final class Operations {
  private static final Duration KEPT = Duration.ofHours(1);

  /** An outcome can be long: a what-if names every conversation that would notice. */
  private static final int MOST_KEPT = 50;

  /** Of changes, and of questions. */
  private static final int MOST_RUNNING = 10;

  /** So that nobody has to wait until all that one user wishes is done. */
  private static final int MOST_RUNNING_OF_ONE = 5;

  private final Records<Operation> kept;
  private final String mine;
  private final Line changes;
  private final Line questions;
  private final Clock clock;
  private final Map<String, Operation> all = new LinkedHashMap<>();
  private final Turns turns = new Turns();

  /**
   * @param kept where all controllers of a cluster write theirs down
   * @param node this controller's name
   * @param worker does one piece of work after the other
   * @param answering the same, for questions: one that waits for its turn holds up no change
   */
  public Operations(
      Records<Operation> kept, String node, Executor worker, Executor answering, Clock clock) {
    this.kept = kept;
    this.mine = node + "/";
    this.changes = new Line(worker);
    this.questions = new Line(answering);
    this.clock = clock;
  }

  /** What waits for one thread, or is done by it. */
  private static final class Line {
    final Executor worker;

    /** Who asked, by the operations' ids. */
    final Map<String, String> running = new HashMap<>();

    Line(Executor worker) {
      this.worker = worker;
    }

    boolean hasRoom(String actor) {
      return running.size() < MOST_RUNNING
          && Collections.frequency(running.values(), actor) < MOST_RUNNING_OF_ONE;
    }
  }

  /**
   * What this controller had under way or done before it was started anew; to be called once,
   * before all.
   *
   * @param cutOff what came of those that it did not end
   */
  public synchronized void restore(Outcome cutOff) {
    kept.keys().stream()
        .filter(key -> key.startsWith(mine))
        .map(kept::find)
        .flatMap(Optional::stream)
        .sorted(Comparator.comparing(Operation::startedAt))
        .collect(Collectors.toList())
        .forEach(
            found -> {
              Operation ended = found.isRunning() ? found.ended(cutOff, clock.instant()) : found;
              all.put(ended.id(), ended);
              kept.replace(mine + ended.id(), ended);
            });
  }

  /** For what is reckoned beside the plan, whether somebody waits for it or not. */
  public Turns turns() {
    return turns;
  }

  /**
   * Begins soon. Empty where too many wait already, of this user's or in all.
   *
   * @param problem says whatever the work throws; an error, too, lest it run for ever
   */
  public Optional<Operation> start(
      String actor, String does, Supplier<String> work, Function<Throwable, String> problem) {
    return begin(changes, actor, does, () -> outcome(work, problem));
  }

  /** The same, for what is reckoned and changes nothing: in turn with all that others ask so. */
  public Optional<Operation> ask(
      String actor, String does, Supplier<String> work, Function<Throwable, String> problem) {
    return begin(questions, actor, does, () -> outcome(() -> turns.whenever(actor, work), problem));
  }

  private synchronized Optional<Operation> begin(
      Line line, String actor, String does, Supplier<Outcome> work) {
    forgetOld();
    if (!line.hasRoom(actor)) {
      return Optional.empty();
    }
    Operation started =
        Operation.started(UUID.randomUUID().toString(), actor, does, clock.instant());
    kept.replace(mine + started.id(), started);
    all.put(started.id(), started);
    line.running.put(started.id(), actor);
    line.worker.execute(() -> end(line, started, work.get()));
    return Optional.of(started);
  }

  private static Outcome outcome(Supplier<String> work, Function<Throwable, String> problem) {
    try {
      return Outcome.done(work.get());
    } catch (RuntimeException | Error failure) {
      return Outcome.failed(problem.apply(failure));
    }
  }

  private synchronized void end(Line line, Operation started, Outcome outcome) {
    line.running.remove(started.id());
    Operation ended = started.ended(outcome, clock.instant());
    all.put(started.id(), ended);
    kept.replace(mine + started.id(), ended);
  }

  public synchronized Optional<Operation> find(String id) {
    forgetOld();
    return Optional.ofNullable(all.get(id));
  }

  /** The newest first. */
  public synchronized List<Operation> all() {
    forgetOld();
    List<Operation> newest = new ArrayList<>(all.values());
    Collections.reverse(newest);
    return newest;
  }

  /**
   * Those that run are never forgotten, so that they stay bounded. Where there are too many, the
   * oldest goes of whoever has the most: nobody's many questions take away what came of another's
   * change.
   */
  private void forgetOld() {
    Instant oldest = clock.instant().minus(KEPT);
    List.copyOf(all.values()).stream()
        .filter(one -> one.endedAt().filter(at -> at.isBefore(oldest)).isPresent())
        .forEach(this::forget);
    Optional<Operation> next = tooMuch();
    while (next.isPresent()) {
      forget(next.get());
      next = tooMuch();
    }
  }

  private Optional<Operation> tooMuch() {
    if (all.size() <= MOST_KEPT) {
      return Optional.empty();
    }
    Map<String, Long> ended =
        all.values().stream()
            .filter(one -> !one.isRunning())
            .collect(Collectors.groupingBy(Operation::actor, Collectors.counting()));
    long most = ended.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return all.values().stream()
        .filter(one -> !one.isRunning() && ended.getOrDefault(one.actor(), 0L) == most)
        .findFirst();
  }

  private void forget(Operation one) {
    all.remove(one.id());
    kept.remove(mine + one.id());
  }
}
