package org.paceline.control.work;

import java.util.Optional;
import java.util.function.Consumer;

/** One after the other, none of whom keeps those after it from their turn. */
public final class Each {
  private Each() {}

  /**
   * Does it with each, also where some of them throw; what the first threw goes on then, so that
   * whoever asked knows that not all is done.
   */
  public static <T> void of(Iterable<T> all, Consumer<T> what) {
    Optional<Throwable> first = Optional.empty();
    for (T one : all) {
      try {
        what.accept(one);
      } catch (RuntimeException | Error bug) {
        first.filter(earlier -> earlier != bug).ifPresent(earlier -> earlier.addSuppressed(bug));
        first = first.or(() -> Optional.of(bug));
      }
    }
    first.ifPresent(Each::raise);
  }

  private static void raise(Throwable bug) {
    if (bug instanceof Error) {
      throw (Error) bug;
    }
    throw (RuntimeException) bug;
  }
}
