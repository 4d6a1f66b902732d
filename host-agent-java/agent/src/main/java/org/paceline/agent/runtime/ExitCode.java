package org.paceline.agent.runtime;

/** How the program ends, for whoever started it. */
public final class ExitCode {
  public static final int OK = 0;

  /** A fault of the agent itself. */
  public static final int FAULT = 1;

  /** A person has to put something right. */
  public static final int REFUSED = 2;

  private ExitCode() {}
}
