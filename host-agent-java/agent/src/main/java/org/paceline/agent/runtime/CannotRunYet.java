package org.paceline.agent.runtime;

/** What stands in the way may pass by itself: it is said, and tried again until it has. */
public final class CannotRunYet extends CannotRun {
  private static final long serialVersionUID = 1;

  public CannotRunYet(String message) {
    super(message);
  }
}
