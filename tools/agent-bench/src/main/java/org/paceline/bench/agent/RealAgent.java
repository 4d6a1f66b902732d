package org.paceline.bench.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The agent as its package starts it, on the sender. */
final class RealAgent implements AutoCloseable {
  private static final String RULES =
      "rules:\n"
          + rule("stream", "tcp", "localPort", Load.STREAMS)
          + rule("bursts", "tcp", "localPort", Load.BURSTS)
          + "    group: socket\n"
          + rule("datagrams", "udp", "remotePort", Load.DATAGRAMS)
          + rule("ping", "udp", "remotePort", Load.ECHO)
          + rule("idle", "tcp", "localPort", Load.IDLE)
          + "    group: socket\n";

  private final Process process;
  private final Path log;

  private RealAgent(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  private static String rule(String intent, String protocol, String end, int port) {
    return "  - intent: bench/"
        + intent
        + "\n    match: {protocol: "
        + protocol
        + ", "
        + end
        + ": \""
        + port
        + "\"}\n";
  }

  /** What an operator may switch on: Prometheus' endpoint, and the socket for applications. */
  static String everything(Path directory) {
    return "metrics: 127.0.0.1:"
        + Load.METRICS
        + "\napplications:\n  socket: "
        + directory.resolve("applications.sock")
        + "\n";
  }

  /**
   * @param options lines of configuration beyond what it needs
   */
  static RealAgent start(
      Program program, String namespace, int port, Path directory, String options)
      throws IOException {
    Files.writeString(directory.resolve("rules.yaml"), RULES);
    Path config = directory.resolve("agent.yaml");
    Files.writeString(
        config,
        "controller: "
            + Hosts.CONTROLLER
            + ":"
            + port
            + "\nhostId: bench\ninterfaces: [pbs0]\nrules: rules.yaml\n"
            + options);
    Path log = directory.resolve("agent.log");
    List<String> words = new ArrayList<>(List.of("nice", "-n", "-10"));
    words.addAll(program.started("-Xms16m", "-Xmn8m", "-Xmx96m", "-XX:-UsePerfData"));
    words.addAll(List.of("-jar", program.jar().toString(), "run", "--config", config.toString()));
    Process process =
        new ProcessBuilder(Hosts.inside(namespace, words.toArray(String[]::new)))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new RealAgent(process, log);
  }

  Usage usage() throws IOException {
    return Usage.of(process.toHandle());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the agent did not end:\n" + Files.readString(log));
    }
  }
}
