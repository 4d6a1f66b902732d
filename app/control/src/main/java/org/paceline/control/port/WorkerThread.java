package org.paceline.control.port;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One named thread; a piece of work that fails is written down and the next one runs. What fails
 * again in the same way, as work that is done once a second would, is written down once a minute.
 */
public final class WorkerThread implements Worker, AutoCloseable {
  private final Journal journal;
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final ScheduledExecutorService executor;

  // Of the thread's own: where what was written down last was thrown, and when that was.
  private String lastFault = "";
  private long lastFaultNanos;

  /**
   * @param journal hears of work that fails
   */
  public WorkerThread(String name, Journal journal) {
    this.journal = journal;
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
        writeDown(bug);
      }
    };
  }

  private void writeDown(Throwable bug) {
    StackTraceElement[] trace = bug.getStackTrace();
    String fault = bug.getClass().getName() + (trace.length > 0 ? trace[0] : "");
    long now = System.nanoTime();
    if (!fault.equals(lastFault) || now - lastFaultNanos > QUIET_NANOS) {
      lastFault = fault;
      lastFaultNanos = now;
      journal.fault("An event could not be handled; the next one is", bug);
    }
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
