package org.paceline.agent.runtime;

/** The agent cannot do its work until a person changes something; nothing stays installed. */
public class CannotRun extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CannotRun(String message) {
    super(message);
  }
}
