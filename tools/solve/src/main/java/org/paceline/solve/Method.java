package org.paceline.solve;

import java.util.Locale;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.AutoAllocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.milp.PaperMilp;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/** The ways to solve that the command offers. */
enum Method {
  /** By the problem: exact where it applies, else network. */
  AUTO {
    @Override
    Outcome solve(Problem problem, SolveOptions options) {
      return new AutoAllocator(network()).solve(problem, options);
    }
  },
  /** One bottleneck, to the proven optimum. */
  EXACT {
    @Override
    Outcome solve(Problem problem, SolveOptions options) throws Refusal {
      return new OneBottleneck()
          .attempt(problem, options)
          .orElseThrow(
              () ->
                  new Refusal(
                      "the problem ("
                          + problem.name()
                          + ") has more than one bottleneck or more than one path, which the"
                          + " method exact cannot solve. Maybe use --method auto."));
    }
  },
  /** Many bottlenecks, with a certified gap; small ones to the proven optimum. */
  NETWORK {
    @Override
    Outcome solve(Problem problem, SolveOptions options) {
      return network().solve(problem, options);
    }
  },
  /** The paper's mixed-integer program in HiGHS: a referee for small problems. */
  MILP {
    @Override
    Outcome solve(Problem problem, SolveOptions options) throws Refusal {
      try (NativeOutput aside = NativeOutput.toStandardError()) {
        return new PaperMilp(MipSolver.HIGHS).solve(problem, options);
      } catch (IllegalArgumentException e) {
        throw new Refusal(String.valueOf(e.getMessage()));
      }
    }
  };

  private static Allocator network() {
    return new NetworkAllocator(Optional.of(new CpSatCore()));
  }

  abstract Outcome solve(Problem problem, SolveOptions options) throws Refusal;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
