package org.paceline.control.port;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One named thread; a piece of work that fails is written down and the next one runs. */
public final class WorkerThread implements Worker, AutoCloseable {
  private final Journal journal;
  private final ScheduledExecutorService executor;

  /**
   * @param journal hears of work that fails
   */
  public WorkerThread(String name, Journal journal) {
    this.journal = journal;
    executor = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, name));
  }

  @Override
  public void execute(Runnable work) {
    submit(() -> executor.execute(guarded(work)));
  }

  @Override
  public void after(Duration delay, Runnable work) {
    submit(() -> executor.schedule(guarded(work), delay.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** For components that schedule by themselves. */
  public ScheduledExecutorService executor() {
    return executor;
  }

  private static void submit(Runnable submission) {
    try {
      submission.run();
    } catch (RejectedExecutionException closed) {
      // What comes after the end is left out.
    }
  }

  private Runnable guarded(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error bug) {
        // A class that is missing from the bundle comes as an error, and would be heard of by
        // nobody.
        journal.fault("An event could not be handled; the next one is", bug);
      }
    };
  }

  /** Nothing new begins; what runs is waited for, though not for long. */
  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
