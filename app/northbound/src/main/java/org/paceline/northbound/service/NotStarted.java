package org.paceline.northbound.service;

/** Somebody asks while the application does not run. */
public final class NotStarted extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says why, where that is known. */
  public NotStarted() {
    super(
        "Paceline has not started. "
            + LastStart.failure().orElse("Maybe it is about to: ask again in a few seconds."));
  }
}
