package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPSolverParameters.DoubleParam;
import com.google.ortools.linearsolver.MPVariable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One mixed-integer program in OR-Tools' MPSolver; its foreign statuses end here.
 *
 * <p>A solver looks at the clock only now and then, HiGHS hardly while it presolves, and cannot be
 * interrupted. So it works on a thread of its own, and when it is late by more than {@link #GRACE}
 * it is left alone: the answer is that nothing was decided, and its memory is freed when it ends.
 */
final class Mip implements AutoCloseable {
  static final double INFINITY = Double.POSITIVE_INFINITY;

  /** How long after its limit a solver may still hand over what it has. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** Searches that were left alone and go on. */
  private static final AtomicInteger LATE = new AtomicInteger();

  private final MPSolver solver;
  private final boolean linear;

  /** The last search; the native memory is not to be freed before it ends. */
  private CompletableFuture<?> run = CompletableFuture.completedFuture(false);

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
    this(kind.name(), false);
    if (kind == MipSolver.HIGHS) {
      // Or it greets on standard output. What this returns says nothing; that it works is tested.
      solver.setSolverSpecificParametersAsString("output_flag=false");
    }
  }

  private Mip(String kind, boolean linear) {
    this.linear = linear;
    OrTools.require();
    MPSolver created = MPSolver.createSolver(kind);
    if (created == null) {
      throw new IllegalStateException("This build of OR-Tools has no (" + kind + ").");
    }
    solver = created;
    solver.suppressOutput();
    solver.objective().setMaximization();
  }

  /** For a linear programme: by the simplex method, which leaves dual values. */
  static Mip linear() {
    return new Mip("GLOP", true);
  }

  /** Whether a search that was left alone goes on. */
  static boolean isOneLate() {
    return LATE.get() > 0;
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

  /**
   * At most the limit and {@link #GRACE}. Solves from scratch, so that what was solved before
   * leaves no trace in the answer.
   */
  Answer maximise(Duration limit, double relativeGap) {
    // A limit of 0 would mean none.
    solver.setTimeLimit(Math.max(1, limit.toMillis()));
    MPSolverParameters parameters = new MPSolverParameters();
    parameters.setDoubleParam(DoubleParam.RELATIVE_MIP_GAP, relativeGap);
    parameters.setIntegerParam(
        MPSolverParameters.IntegerParam.INCREMENTALITY,
        MPSolverParameters.IncrementalityValues.INCREMENTALITY_OFF.swigValue());
    Optional<MPSolver.ResultStatus> ended = solve(parameters, limit.plus(GRACE));
    if (ended.isEmpty()) {
      return new Answer(Status.UNDECIDED, Double.NaN, Double.NaN);
    }
    MPSolver.ResultStatus status = ended.get();
    switch (status) {
      case OPTIMAL:
        return answer(Status.OPTIMAL);
      case FEASIBLE:
        return answer(Status.FEASIBLE);
      case INFEASIBLE:
        return new Answer(Status.INFEASIBLE, Double.NaN, Double.NaN);
      case NOT_SOLVED:
        return new Answer(Status.UNDECIDED, Double.NaN, Double.NaN);
      case ABNORMAL:
        if (linear) {
          // The simplex method lost its way among numbers of very different size.
          return new Answer(Status.UNDECIDED, Double.NaN, Double.NaN);
        }
        throw gaveUp(status);
      case UNBOUNDED:
      case MODEL_INVALID:
      default:
        throw gaveUp(status);
    }
  }

  private IllegalStateException gaveUp(MPSolver.ResultStatus status) {
    return new IllegalStateException(
        String.format(
            "The mixed-integer solver gave up with (%s) on %d variables and %d constraints.",
            status, solver.numVariables(), solver.numConstraints()));
  }

  /** Empty where time ran out without a status. */
  private Optional<MPSolver.ResultStatus> solve(MPSolverParameters parameters, Duration patience) {
    CompletableFuture<MPSolver.ResultStatus> mine = new CompletableFuture<>();
    run = mine;
    Thread thread =
        new Thread(
            () -> {
              try {
                mine.complete(solver.solve(parameters));
              } catch (RuntimeException | Error e) {
                mine.completeExceptionally(e);
              }
            },
            "mixed-integer solver");
    // Whoever has what was asked for may leave without waiting for it.
    thread.setDaemon(true);
    thread.start();
    try {
      return Optional.of(mine.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      leaveAlone(mine);
      return Optional.empty();
    } catch (InterruptedException e) {
      leaveAlone(mine);
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException) {
        // HiGHS at its time limit without a solution: status 99, which OR-Tools has no name for.
        return Optional.empty();
      }
      throw new IllegalStateException("The mixed-integer solver failed.", e.getCause());
    }
  }

  private static void leaveAlone(CompletableFuture<?> search) {
    LATE.incrementAndGet();
    search.whenComplete((status, failure) -> LATE.decrementAndGet());
  }

  private Answer answer(Status status) {
    double value = solver.objective().value();
    double bound = solver.objective().bestBound();
    return new Answer(status, value, Double.isFinite(bound) ? Math.max(bound, value) : INFINITY);
  }

  @Override
  public void close() {
    run.whenComplete((status, failure) -> solver.delete());
  }
}
