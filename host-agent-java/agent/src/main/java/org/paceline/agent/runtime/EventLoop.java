package org.paceline.agent.runtime;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The one thread that owns the agent's state: whatever happens elsewhere is handed to it. A step
 * that fails is told and tried again at its next occasion; the loop goes on.
 */
public final class EventLoop implements Executor {
  private static final int ANSWER_SECONDS = 5;
  private static final int END_SECONDS = 20;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "agent"));
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean ended;
  private final Console console;
  private final Runnable broken;

  /**
   * @param broken ends this process at once: what threw an error, such as one for want of memory,
   *     may have lost its next occasion, and an agent that only seems to run paces nothing new
   */
  public EventLoop(Console console, Runnable broken) {
    this.console = console;
    this.broken = broken;
  }

  public interface Step {
    void run() throws IOException;
  }

  public void guarded(Step step) {
    if (ended) {
      // Due while the last step was taken: it would begin anew what that has ended.
      return;
    }
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      failures.incrementAndGet();
      console.say("failed, and will be tried again: " + e);
    } catch (Error e) {
      try {
        console.say("ends, for it cannot go on: " + e);
      } finally {
        broken.run();
      }
    }
  }

  /** Steps that have failed so far. */
  public long failures() {
    return failures.get();
  }

  /** What comes after the last step is nobody's any more. */
  @Override
  public void execute(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      // Not for who hands it over: gRPC would cancel a stream that is saying goodbye.
    }
  }

  public void soon(Step step) {
    execute(() -> guarded(step));
  }

  public void after(Duration pause, Step step) {
    thread.schedule(() -> guarded(step), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  public void every(Duration pause, Step step) {
    long nanos = pause.toNanos();
    thread.scheduleWithFixedDelay(() -> guarded(step), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** What the loop's thread says; asked from another one. */
  public <T> T ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, thread)
        .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  /** Takes the last step and no other after it. */
  public void end(Step last) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    thread.execute(
        () -> {
          ended = true;
          try {
            last.run();
            done.complete(null);
          } catch (IOException | RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    thread.shutdown();
    try {
      done.get(END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the clean-up did not come to its end: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.shutdownNow();
  }
}
