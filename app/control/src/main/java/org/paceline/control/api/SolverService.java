package org.paceline.control.api;

import java.util.Optional;
import java.util.function.Supplier;
import org.paceline.control.audit.Refused;
import org.paceline.control.port.ProblemFile;
import org.paceline.intents.problem.Problem;

/** Problems to be solved beside the plan: one that somebody sends, or the present one. */
public final class SolverService {
  private final ProblemFile file;
  private final Supplier<Optional<Problem>> present;

  /**
   * @param present what the plan in force was made for
   */
  public SolverService(ProblemFile file, Supplier<Optional<Problem>> present) {
    this.file = file;
    this.present = present;
  }

  /** How a problem is read that somebody sends. */
  public ProblemFile problemFile() {
    return file;
  }

  /**
   * What the plan in force was made for, as one problem.
   *
   * @throws Refused if nothing was planned yet
   */
  public Problem presentProblem() {
    return present
        .get()
        .orElseThrow(
            () ->
                new Refused(
                    "Nothing is planned, as nobody talks. Maybe send a problem to be solved."));
  }
}
