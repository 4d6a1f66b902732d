package org.paceline.control.scheme;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.paceline.allocator.Guarded;

/** Work that a bug of ours must not end more than itself: something else answers in its place. */
public final class Attempt {
  private Attempt() {}

  /**
   * Does the work; whether it came to its end.
   *
   * @param failed gets the reason, a part of a sentence, where it failed
   */
  public static boolean run(Runnable work, Consumer<String> failed) {
    return of(
            () -> {
              work.run();
              return Optional.of(true);
            },
            failed)
        .isPresent();
  }

  /**
   * What the work gives; empty where it gives nothing or failed.
   *
   * @param failed gets the reason, a part of a sentence, where it failed
   */
  public static <T> Optional<T> of(Supplier<Optional<T>> work, Consumer<String> failed) {
    try {
      return work.get();
    } catch (RuntimeException | Error bug) {
      failed.accept(Guarded.reason(bug));
      return Optional.empty();
    }
  }
}
