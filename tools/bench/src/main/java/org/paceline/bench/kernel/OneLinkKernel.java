package org.paceline.bench.kernel;

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
import org.paceline.bench.workload.OneLink;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;

/** One bottleneck, from the problem to the solution with its certificate. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class OneLinkKernel {
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

  /** Solves it. */
  @Benchmark
  public Outcome solve() {
    return new OneBottleneck().solve(problem, SolveOptions.DEFAULT);
  }
}
