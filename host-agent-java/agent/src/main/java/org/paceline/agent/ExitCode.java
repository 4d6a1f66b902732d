package org.paceline.agent;

/** How the program ends, for whoever started it. */
final class ExitCode {
  static final int OK = 0;

  /** A fault of the agent itself. */
  static final int FAULT = 1;

  /** A person has to put something right. */
  static final int REFUSED = 2;

  private ExitCode() {}
}
