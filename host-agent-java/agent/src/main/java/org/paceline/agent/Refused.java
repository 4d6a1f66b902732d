package org.paceline.agent;

/** The agent cannot do its work until a person changes something; nothing stays installed. */
public class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Refused(String message) {
    super(message);
  }
}
