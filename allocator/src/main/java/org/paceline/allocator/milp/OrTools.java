package org.paceline.allocator.milp;

import com.google.ortools.Loader;
import java.util.Optional;

/** Loads the native library of OR-Tools, once, when the first solver needs it. */
final class OrTools {
  private OrTools() {}

  /** Initialised at first use, by one thread, as the language promises. */
  private static final class Native {
    static final Optional<Throwable> FAILURE = load();

    private static Optional<Throwable> load() {
      try {
        Loader.loadNativeLibraries();
        return Optional.empty();
      } catch (Exception | LinkageError e) {
        return Optional.of(e);
      }
    }
  }

  /**
   * @throws IllegalStateException if this platform has no native library
   */
  static void require() {
    Native.FAILURE.ifPresent(
        cause -> {
          throw new IllegalStateException(
              String.format(
                  "OR-Tools has no native library for %s on %s here (%s). Maybe add the artifact"
                      + " com.google.ortools:ortools-<platform>, or solve without the milp methods.",
                  System.getProperty("os.name"), System.getProperty("os.arch"), cause),
              cause);
        });
  }
}
