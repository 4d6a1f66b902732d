package org.paceline.control.audit;

/** Who asked for it may not do it; nothing was changed. */
public final class Denied extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Denied(String message) {
    super(message);
  }
}
