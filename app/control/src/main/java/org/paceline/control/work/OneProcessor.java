package org.paceline.control.work;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has work done on one thread, parallel streams in it included. Such a stream shares its pieces
 * with the pool that its thread belongs to, and without one with the JVM's common pool, which has
 * nearly as many threads as there are processors: a question would take them all from the plan that
 * is being made.
 *
 * <p>The thread has the least priority, so that a plan goes first where both want one processor. By
 * itself Java says nothing of that to Linux; {@code -XX:ThreadPriorityPolicy=1} has it do so.
 */
public final class OneProcessor {
  private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();

  private OneProcessor() {}

  /**
   * Does it, while the caller waits. Whatever it throws the caller is thrown, unchanged.
   *
   * @param work knows of its caller's thread who is logged in, and nothing else
   * @param took is told at the end, on the caller's thread, how much of a processor it took
   */
  public static <T> T of(Supplier<T> work, Consumer<Duration> took) {
    Question<T> question = new Question<>(work);
    ForkJoinPool pool = new ForkJoinPool(1, OneProcessor::thread, null, false);
    try {
      pool.invoke(ForkJoinTask.adapt(question));
    } finally {
      pool.shutdown();
      took.accept(question.took);
    }
    return question.answer();
  }

  private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("paceline-question");
    thread.setPriority(Thread.MIN_PRIORITY);
    return thread;
  }

  /** Keeps what the work throws: a pool throws a copy, and some copies lose what was said. */
  private static final class Question<T> implements Runnable {
    private final Supplier<T> work;
    private final AccessControlContext login = AccessController.getContext();
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private Optional<T> result = Optional.empty();
    private Optional<RuntimeException> refusal = Optional.empty();
    private Optional<Error> bug = Optional.empty();
    private Duration took = Duration.ZERO;

    Question(Supplier<T> work) {
      this.work = work;
    }

    @Override
    public void run() {
      Thread.currentThread().setContextClassLoader(loader);
      long before = PROCESSOR.getCurrentThreadCpuTime();
      try {
        result = Optional.of(AccessController.doPrivileged((PrivilegedAction<T>) work::get, login));
      } catch (RuntimeException thrown) {
        refusal = Optional.of(thrown);
      } catch (Error thrown) {
        bug = Optional.of(thrown);
      }
      took = Duration.ofNanos(PROCESSOR.getCurrentThreadCpuTime() - before);
    }

    T answer() {
      bug.ifPresent(
          thrown -> {
            throw thrown;
          });
      return result.orElseThrow(refusal::orElseThrow);
    }
  }
}
