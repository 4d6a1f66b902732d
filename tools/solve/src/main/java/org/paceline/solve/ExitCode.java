package org.paceline.solve;

/** What the command's exit status says; the same as in its help and docs/solve.md. */
enum ExitCode {
  SOLVED(0),
  INTERNAL_ERROR(1),
  BAD_INPUT(2),
  INFEASIBLE(3),
  UNDECIDED(4);

  private final int status;

  ExitCode(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }
}
