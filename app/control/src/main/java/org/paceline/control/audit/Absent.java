package org.paceline.control.audit;

/** There is nothing of the name that was given; nothing was changed. */
public final class Absent extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Absent(String message) {
    super(message);
  }
}
