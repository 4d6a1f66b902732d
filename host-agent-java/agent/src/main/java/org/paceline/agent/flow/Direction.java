package org.paceline.agent.flow;

/** Which way packets go, seen from this host. */
public enum Direction {
  OUT("->"),
  IN("<-");

  private final String arrow;

  Direction(String arrow) {
    this.arrow = arrow;
  }

  /** Between the local and the remote end. */
  public String arrow() {
    return arrow;
  }
}
