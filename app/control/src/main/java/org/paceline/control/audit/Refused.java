package org.paceline.control.audit;

/** What was asked for does not go with how things stand; nothing was changed. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Refused(String message) {
    super(message);
  }
}
