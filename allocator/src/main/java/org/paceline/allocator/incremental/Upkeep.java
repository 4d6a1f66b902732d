package org.paceline.allocator.incremental;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;

/**
 * Keeps a live allocation's gap small: whenever a full solve is due one runs on another thread, and
 * what it found is adopted between two events. One at a time, and after one that led nowhere a
 * pause as long as it took.
 */
public final class Upkeep {
  private final LiveAllocation live;
  private final Allocator allocator;
  private final SolveOptions options;
  private final Executor elsewhere;
  private Optional<Running> running = Optional.empty();
  private long notBefore = System.nanoTime();

  /** A solve on another thread; true once there is something to adopt. */
  private static final class Running {
    final PendingSolve pending;
    final CompletableFuture<Boolean> done;
    final long begun = System.nanoTime();

    Running(PendingSolve pending, CompletableFuture<Boolean> done) {
      this.pending = pending;
      this.done = done;
    }
  }

  /**
   * @param elsewhere runs solves; not on the events' thread. A fork-join pool also bounds how many
   *     processors a solve takes: all but one, and events never wait for it
   */
  public Upkeep(
      LiveAllocation live, Allocator allocator, SolveOptions options, Executor elsewhere) {
    this.live = live;
    this.allocator = allocator;
    this.options = options;
    this.elsewhere = elsewhere;
  }

  /**
   * To be called on the events' thread after an event, and now and then while there are none. Never
   * waits.
   *
   * @return whether a solve was adopted, after which any grant may be another
   * @throws java.util.concurrent.CompletionException if a solve failed
   */
  public boolean tend() {
    if (running.isPresent() && running.get().done.isDone()) {
      Running finished = running.get();
      running = Optional.empty();
      boolean adopted = finished.done.join() && live.adopt(finished.pending);
      live.forget(finished.pending);
      long now = System.nanoTime();
      notBefore = adopted ? now : now + (now - finished.begun);
      return adopted;
    }
    if (running.isEmpty() && live.solveIsDue() && System.nanoTime() - notBefore >= 0) {
      PendingSolve pending = live.beginSolve();
      running =
          Optional.of(
              new Running(
                  pending,
                  CompletableFuture.supplyAsync(
                      () -> pending.solve(allocator, options).solution().isPresent(), elsewhere)));
    }
    return false;
  }

  /** Whether a solve is on its way. */
  public boolean isSolving() {
    return running.isPresent();
  }
}
