package org.paceline.elephants;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C as the end of a wait: what follows it is still done before Java ends. */
final class Interruption implements AutoCloseable {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::hold, "interruption");

  Interruption() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void hold() {
    asked.countDown();
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the user ends it, or until the time is over.
   *
   * @return whether the user ended it
   */
  boolean await(Optional<Duration> time) {
    try {
      return asked.await(
          time.map(Duration::toMillis).orElse(Long.MAX_VALUE), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    done.countDown();
    if (asked.getCount() > 0) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // Interrupted at this very moment: the hook ends by itself.
        return;
      }
    }
  }
}
