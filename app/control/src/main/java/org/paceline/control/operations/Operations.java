package org.paceline.control.operations;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
 * Long work, done one after the other beside whoever asks for it. What came of it is kept for an
 * hour, by the controller that was asked, over its restart, too. Any thread may call.
 */
public final class Operations {
  private static final Duration KEPT = Duration.ofHours(1);

  /** An outcome can be long: a what-if names every conversation that would notice. */
  private static final int MOST_KEPT = 50;

  private static final int MOST_RUNNING = 10;

  private final Records<Operation> kept;
  private final String mine;
  private final Executor worker;
  private final Clock clock;
  private final Map<String, Operation> all = new LinkedHashMap<>();
  private final Turns turns = new Turns();

  /**
   * @param kept where all controllers of a cluster write theirs down
   * @param node this controller's name
   * @param worker does one piece of work after the other
   */
  public Operations(Records<Operation> kept, String node, Executor worker, Clock clock) {
    this.kept = kept;
    this.mine = node + "/";
    this.worker = worker;
    this.clock = clock;
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
   * Begins soon. Empty where too many wait already.
   *
   * @param problem says whatever the work throws; an error, too, lest it run for ever
   */
  public synchronized Optional<Operation> start(
      String actor, String does, Supplier<String> work, Function<Throwable, String> problem) {
    forgetOld();
    if (all.values().stream().filter(Operation::isRunning).count() >= MOST_RUNNING) {
      return Optional.empty();
    }
    Operation started =
        Operation.started(UUID.randomUUID().toString(), actor, does, clock.instant());
    kept.replace(mine + started.id(), started);
    all.put(started.id(), started);
    worker.execute(() -> end(started, outcome(work, problem)));
    return Optional.of(started);
  }

  private static Outcome outcome(Supplier<String> work, Function<Throwable, String> problem) {
    try {
      return Outcome.done(work.get());
    } catch (RuntimeException | Error failure) {
      return Outcome.failed(problem.apply(failure));
    }
  }

  private synchronized void end(Operation started, Outcome outcome) {
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

  /** Those that run are never forgotten, so that they stay bounded. */
  private void forgetOld() {
    Instant oldest = clock.instant().minus(KEPT);
    int tooMany = all.size() - MOST_KEPT;
    List<String> old = new ArrayList<>();
    for (Operation one : all.values()) {
      boolean isOld = one.endedAt().filter(at -> at.isBefore(oldest)).isPresent();
      if (isOld || (old.size() < tooMany && !one.isRunning())) {
        old.add(one.id());
      }
    }
    for (String id : old) {
      all.remove(id);
      kept.remove(mine + id);
    }
  }
}
