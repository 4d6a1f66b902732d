package org.paceline.control.port;

import java.time.Duration;
import java.util.function.Supplier;

/** Runs what it is given one after the other, never two at once. */
public interface Worker {
  /**
   * The time that {@link #after} goes by, since some moment. Nobody can step it, as the time of day
   * is stepped: whoever waits, or looks how long something has lasted, goes by this one.
   */
  Duration now();

  void execute(Runnable work);

  void after(Duration delay, Runnable work);

  /**
   * Does it again and again until the worker ends, whatever it throws.
   *
   * @param pause before each time; asked anew for each
   */
  default void every(Supplier<Duration> pause, Runnable work) {
    after(
        pause.get(),
        () -> {
          // First, so that it also goes on where the work fails.
          every(pause, work);
          work.run();
        });
  }
}
