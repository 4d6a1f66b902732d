package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPSolverParameters.DoubleParam;
import com.google.ortools.linearsolver.MPVariable;
import java.time.Duration;

/** One mixed-integer program in OR-Tools' MPSolver; its foreign statuses end here. */
final class Mip implements AutoCloseable {
  static final double INFINITY = Double.POSITIVE_INFINITY;

  private final MPSolver solver;

  /** How a search ended. */
  enum Status {
    OPTIMAL,
    /** The time was up: there is a solution, and maybe a better one. */
    FEASIBLE,
    INFEASIBLE,
    /** The time was up before there was a solution or a proof that there is none. */
    UNDECIDED
  }

  /** What a search found. */
  static final class Answer {
    final Status status;
    final double value;
    final double bound;

    private Answer(Status status, double value, double bound) {
      this.status = status;
      this.value = value;
      this.bound = bound;
    }

    boolean hasSolution() {
      return status == Status.OPTIMAL || status == Status.FEASIBLE;
    }
  }

  Mip(MipSolver kind) {
    OrTools.require();
    MPSolver created = MPSolver.createSolver(kind.name());
    if (created == null) {
      throw new IllegalStateException("This build of OR-Tools has no (" + kind + ").");
    }
    solver = created;
    solver.suppressOutput();
    solver.objective().setMaximization();
  }

  MPVariable number(double least, double most, String name) {
    return solver.makeNumVar(least, most, name);
  }

  MPVariable integer(double least, double most, String name) {
    return solver.makeIntVar(least, most, name);
  }

  MPVariable binary(String name) {
    return integer(0, 1, name);
  }

  MPConstraint row(double least, double most, String name) {
    return solver.makeConstraint(least, most, name);
  }

  /** A row that is exactly {@code value}. */
  MPConstraint equal(double value, String name) {
    return row(value, value, name);
  }

  MPConstraint atMost(double value, String name) {
    return row(-INFINITY, value, name);
  }

  MPConstraint atLeast(double value, String name) {
    return row(value, INFINITY, name);
  }

  /** The objective, without terms. */
  MPObjective newObjective() {
    MPObjective objective = solver.objective();
    objective.clear();
    objective.setMaximization();
    return objective;
  }

  int variables() {
    return solver.numVariables();
  }

  int constraints() {
    return solver.numConstraints();
  }

  /** Solves from scratch, so that what was solved before leaves no trace in the answer. */
  Answer maximise(Duration limit, double relativeGap) {
    // A limit of 0 would mean none.
    solver.setTimeLimit(Math.max(1, limit.toMillis()));
    MPSolverParameters parameters = new MPSolverParameters();
    parameters.setDoubleParam(DoubleParam.RELATIVE_MIP_GAP, relativeGap);
    parameters.setIntegerParam(
        MPSolverParameters.IntegerParam.INCREMENTALITY,
        MPSolverParameters.IncrementalityValues.INCREMENTALITY_OFF.swigValue());
    MPSolver.ResultStatus status;
    try {
      status = solver.solve(parameters);
    } catch (IllegalArgumentException e) {
      // HiGHS at its time limit without a solution: status 99, which OR-Tools has no name for.
      return new Answer(Status.UNDECIDED, Double.NaN, Double.NaN);
    }
    switch (status) {
      case OPTIMAL:
        return answer(Status.OPTIMAL);
      case FEASIBLE:
        return answer(Status.FEASIBLE);
      case INFEASIBLE:
        return new Answer(Status.INFEASIBLE, Double.NaN, Double.NaN);
      case NOT_SOLVED:
        return new Answer(Status.UNDECIDED, Double.NaN, Double.NaN);
      case UNBOUNDED:
      case ABNORMAL:
      case MODEL_INVALID:
      default:
        throw new IllegalStateException(
            String.format(
                "The mixed-integer solver gave up with (%s) on %d variables and %d constraints.",
                status, solver.numVariables(), solver.numConstraints()));
    }
  }

  private Answer answer(Status status) {
    double value = solver.objective().value();
    double bound = solver.objective().bestBound();
    return new Answer(status, value, Double.isFinite(bound) ? Math.max(bound, value) : INFINITY);
  }

  @Override
  public void close() {
    solver.delete();
  }
}
