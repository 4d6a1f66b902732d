package org.paceline.bench.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What starts take, with the archive of the agent's classes and without it, in turns. */
final class StartsPart {
  private static final int REPEATS = 15;

  private final Hosts hosts;
  private final Program program;
  private final Path scratch;
  private final AgentBench.Table table;

  /** Processor time of a process, of all that it has started, and wall clock. */
  private record Cost(double processorMillis, double wallMillis) {}

  private interface Start {
    Cost of(Program program) throws IOException, InterruptedException;
  }

  StartsPart(Hosts hosts, Program program, Path scratch, AgentBench.Table table) {
    this.hosts = hosts;
    this.program = program;
    this.scratch = scratch;
    this.table = table;
  }

  void run() throws IOException, InterruptedException {
    table.head(
        "started "
            + REPEATS
            + " times each | mean processor ms without archive | with | ratio"
            + " | median wall ms without | with | ratio");
    measure("a command (--version), to its end", this::command);
    measure("the agent, until it calls the controller", this::agent);
  }

  private void measure(String what, Start start) throws IOException, InterruptedException {
    List<Cost> without = new ArrayList<>();
    List<Cost> with = new ArrayList<>();
    for (int i = 0; i < REPEATS; i++) {
      without.add(start.of(program.withoutArchive()));
      with.add(start.of(program));
    }
    double before = mean(without);
    double after = mean(with);
    double slow = median(without);
    double fast = median(with);
    table.row(
        "%s | %.0f | %.0f | %.2f | %.0f | %.0f | %.2f",
        what, before, after, after / before, slow, fast, fast / slow);
  }

  private static double mean(List<Cost> costs) {
    return costs.stream().mapToDouble(Cost::processorMillis).average().orElseThrow();
  }

  private static double median(List<Cost> costs) {
    return Figures.of(costs.stream().mapToDouble(Cost::wallMillis).toArray()).at(0.5);
  }

  private Cost command(Program started) throws IOException, InterruptedException {
    List<String> words = started.started("-Xms16m", "-Xmn8m", "-Xmx96m", "-XX:-UsePerfData");
    words.addAll(List.of("-jar", started.jar().toString(), "--version"));
    double before = Usage.secondsOfEnded();
    long begun = System.nanoTime();
    Process process =
        new ProcessBuilder(words).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (process.waitFor() != 0) {
      throw new IOException("the command (" + words + ") failed");
    }
    return cost(Usage.secondsOfEnded() - before, begun);
  }

  private Cost agent(Program started) throws IOException, InterruptedException {
    try (Gateway gateway = new Gateway(Hosts.CONTROLLER)) {
      long begun = System.nanoTime();
      try (RealAgent agent = RealAgent.start(started, hosts.sender, gateway.port(), scratch, "")) {
        gateway.awaitAgent();
        return cost(agent.usage().cpuSeconds(), begun);
      }
    }
  }

  private static Cost cost(double processorSeconds, long begun) {
    return new Cost(processorSeconds * 1e3, (System.nanoTime() - begun) / 1e6);
  }
}
