package org.paceline.agent;

/** What stands in the way may pass by itself: it is said, and tried again until it has. */
public final class NotYet extends Refused {
  private static final long serialVersionUID = 1;

  public NotYet(String message) {
    super(message);
  }
}
