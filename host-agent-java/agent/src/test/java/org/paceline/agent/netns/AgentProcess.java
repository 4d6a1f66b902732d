package org.paceline.agent.netns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The agent as a process of its own in a namespace, as it runs on a host. */
final class AgentProcess implements AutoCloseable {
  private static final List<String> MEMORY =
      List.of("-Xms16m", "-Xmn8m", "-Xmx96m", "-XX:-UsePerfData", "-XX:+ExitOnOutOfMemoryError");

  private final Process process;
  private final Path output;

  private AgentProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static AgentProcess start(
      String namespace,
      List<String> before,
      Path directory,
      String config,
      String rules,
      String... options)
      throws IOException {
    Files.writeString(directory.resolve("rules.yaml"), rules);
    Path file = Files.writeString(directory.resolve("agent.yaml"), config);
    // As its service has it.
    List<String> words = new ArrayList<>(List.of("nice", "-n", "-10"));
    words.addAll(Sh.agent(before, MEMORY, "run", "--config", file.toString()));
    words.addAll(List.of(options));
    Path output = Files.createTempFile(directory, "agent", ".log");
    Process process =
        new ProcessBuilder(Sh.inside(namespace, words.toArray(String[]::new)))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new AgentProcess(process, output);
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      // A test that fails leaves nothing behind.
      process.destroyForcibly().waitFor();
      throw new AssertionError("the agent does not end");
    }
    return process.exitValue();
  }

  /** What it has said by then; a deadline that a busy machine keeps. */
  String awaitOutput(String text) throws IOException, InterruptedException {
    for (int i = 0; i < 600 && process.isAlive() && !output().contains(text); i++) {
      Thread.sleep(100);
    }
    if (!output().contains(text)) {
      throw new AssertionError("(" + text + ") is not in what the agent said: " + output());
    }
    return output();
  }

  String output() throws IOException {
    return Files.readString(output, StandardCharsets.UTF_8);
  }

  /** Time of processors that it has taken so far, without what it has started. */
  double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
  }

  /** SIGTERM. */
  int stop() throws InterruptedException {
    process.destroy();
    return awaitExit();
  }

  /**
   * SIGSTOP, or SIGCONT, to it and all that it has started; to it first: what ends while it stands
   * still is not gone before it has heard of that.
   */
  void signal(String name) throws IOException, InterruptedException {
    // nsenter has become the agent: it keeps its process.
    Sh.run("kill", "-" + name, Long.toString(process.pid()));
    List<String> others = process.descendants().map(child -> Long.toString(child.pid())).toList();
    Sh.run("sh", "-c", "kill -" + name + " " + String.join(" ", others) + " 2>&1 || true");
  }

  /** Files, sockets and the like that it and what it has started have open, without numbers. */
  List<String> open() throws IOException, InterruptedException {
    String pids =
        Stream.concat(Stream.of(process.pid()), process.descendants().map(ProcessHandle::pid))
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    String each = "echo $(cat /proc/$at/comm): $(readlink $file)";
    String all =
        "for at in " + pids + "; do for file in /proc/$at/fd/*; do " + each + "; done; done";
    // What is closed meanwhile is named by nothing.
    return Sh.run("sh", "-c", all + " 2>/dev/null; true")
        .replaceAll("[0-9]+", "n")
        .lines()
        // Java opens those when it first looks for a class in them.
        .filter(line -> !line.endsWith(".jar"))
        .sorted()
        .toList();
  }

  /** SIGKILL, which no process can do anything about. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitExit();
  }

  /** SIGKILL to this process and to it, at once: neither can do anything about the other's end. */
  void killWith(long other) throws IOException, InterruptedException {
    Sh.run("kill", "-KILL", Long.toString(other), Long.toString(process.pid()));
    awaitExit();
  }

  @Override
  public void close() throws InterruptedException {
    if (process.isAlive()) {
      stop();
    }
  }
}
