package org.paceline.control;

/** What a bug in a solver may throw. */
public enum SolverBug {
  INDEX("ArrayIndexOutOfBoundsException"),
  STACK("StackOverflowError"),
  MEMORY("memory");

  /** What a person is told of it. */
  public final String said;

  SolverBug(String said) {
    this.said = said;
  }

  /** Never returns. */
  public RuntimeException thrown() {
    switch (this) {
      case STACK:
        throw new StackOverflowError();
      case MEMORY:
        throw new OutOfMemoryError("for a test");
      default:
        throw new ArrayIndexOutOfBoundsException(1);
    }
  }
}
