package org.paceline.northbound.service;

import java.util.Optional;

/**
 * Why the application did not start, for whoever asks in its stead. Static, since ONOS has no
 * component to ask where none could start; it goes with the bundle.
 */
public final class LastStart {
  private static volatile Optional<String> failure = Optional.empty();

  private LastStart() {}

  /** Empty where it started, or did not yet. */
  public static Optional<String> failure() {
    return failure;
  }

  public static void succeeded() {
    failure = Optional.empty();
  }

  public static void failed(Throwable why) {
    failure = Optional.ofNullable(why.getMessage());
  }
}
