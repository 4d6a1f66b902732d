package org.paceline.control.work;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;

/**
 * One named thread; a piece of work that fails is written down and the next one runs. No thread of
 * ours is made elsewhere: what an executor's own work throws is heard of by nobody, and periodic
 * work then ends for good.
 */
public final class WorkerThread implements Worker, AutoCloseable {
  private final Faults faults;
  private final ScheduledExecutorService executor;

  /**
   * @param journal hears of work that fails
   */
  public WorkerThread(String name, Journal journal) {
    this.faults = new Faults(journal);
    executor = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, name));
  }

  @Override
  public Duration now() {
    return Duration.ofNanos(System.nanoTime());
  }

  @Override
  public void execute(Runnable work) {
    submit(() -> executor.execute(guarded(work)));
  }

  @Override
  public void after(Duration delay, Runnable work) {
    submit(() -> executor.schedule(guarded(work), delay.toNanos(), TimeUnit.NANOSECONDS));
  }

  /**
   * For whoever waits for what comes of it, and is told what it throws.
   *
   * @throws RejectedExecutionException after the end
   */
  public <T> Future<T> ask(Callable<T> work) {
    return executor.submit(work);
  }

  private static void submit(Runnable submission) {
    try {
      submission.run();
    } catch (RejectedExecutionException closed) {
      // What comes after the end is left out.
    }
  }

  private Runnable guarded(Runnable work) {
    return () -> faults.guard("An event could not be handled; the next one is", work);
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
