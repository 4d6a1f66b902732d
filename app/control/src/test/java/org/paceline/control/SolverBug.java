package org.paceline.control;

/** What a bug in a solver may throw. */
public enum SolverBug {
  INDEX("ArrayIndexOutOfBoundsException"),
  STACK("StackOverflowError"),
  MEMORY("memory"),
  /** Such as where a file of the program was taken away while it is read. */
  MACHINE("InternalError");

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
        throw new OutOfMemoryError("no memory, for a test");
      case MACHINE:
        throw new InternalError("for a test");
      default:
        throw new ArrayIndexOutOfBoundsException(1);
    }
  }
}
