package org.paceline.bench.kernel;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.milp.AggregatedKnapsackMilp;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.milp.PaperMilp;
import org.paceline.bench.workload.OneLink;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;

/** One bottleneck, from the problem to the solution with its certificate, by three solvers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
// The collector that the commands run with: for throughput, as one solve is all that they are for.
@Fork(
    value = 1,
    jvmArgs = {"-Xmx3g", "-XX:+UseParallelGC"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class OneLinkKernel {
  /** How long the paper's program may take. */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  /** What there is to solve; {@link #problem(String)} reads it. */
  @Param({"free-80"})
  public String workload = "";

  private Problem problem = OneLink.sixTypes(10);

  /** Makes the problem that a workload's name stands for. */
  @Setup
  public void problem() {
    problem = problem(workload);
  }

  /** The problem of a name such as {@code free-80}, {@code types-1000000}. */
  public static Problem problem(String workload) {
    String kind = workload.substring(0, workload.indexOf('-'));
    int applications = Integer.parseInt(workload.substring(kind.length() + 1));
    return switch (kind) {
      case "free" -> OneLink.paper(applications, Sharing.FREE);
      case "pertype" -> OneLink.paper(applications, Sharing.SAME_UTILITY_PER_TYPE);
      case "types" -> OneLink.sixTypes(applications);
      case "entries" -> OneLink.singleEntries(applications);
      case "functions" -> OneLink.manyFunctions(1_000, applications, 1);
      default -> throw new IllegalArgumentException("There is no workload (" + workload + ").");
    };
  }

  /** Exactly, with the code of this project. */
  @Benchmark
  public Outcome solve() {
    return new OneBottleneck().solve(problem, SolveOptions.DEFAULT);
  }

  /** As an aggregated knapsack in HiGHS. */
  @Benchmark
  public Outcome knapsack() {
    return new AggregatedKnapsackMilp(MipSolver.HIGHS).solve(problem, SolveOptions.DEFAULT);
  }

  /** As the paper's program in HiGHS, which is not worth warming up but for loading the library. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @Warmup(iterations = 0)
  @Measurement(iterations = 1)
  public Outcome paper(Loaded loaded) {
    return new PaperMilp(MipSolver.HIGHS)
        .solve(problem, SolveOptions.builder().timeLimit(LIMIT).build());
  }

  /** OR-Tools' native library, loaded. */
  @State(Scope.Benchmark)
  public static class Loaded {
    /** Solves something small. */
    @Setup
    public void load() {
      new AggregatedKnapsackMilp(MipSolver.HIGHS)
          .solve(OneLink.paper(10, Sharing.FREE), SolveOptions.DEFAULT);
    }
  }
}
