package org.paceline.bench.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The agent as its package starts it, on the sender. */
final class RealAgent implements AutoCloseable {
  private static final String RULES =
      "rules:\n"
          + rule("stream", "tcp", "localPort", Load.STREAMS)
          + rule("datagrams", "udp", "remotePort", Load.DATAGRAMS)
          + rule("ping", "udp", "remotePort", Load.ECHO)
          + rule("idle", "tcp", "localPort", Load.IDLE)
          + "    group: socket\n";
  private static final double SECONDS_PER_TICK = 0.01;

  private final Process process;
  private final Path log;

  /** What it and its helpers take from the host. */
  record Usage(double cpuSeconds, long residentKilobytes, long programKilobytes) {}

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
  static RealAgent start(Path jar, String namespace, int port, Path directory, String options)
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
    Process process =
        new ProcessBuilder(
                Hosts.inside(
                    namespace,
                    "nice",
                    "-n",
                    "-10",
                    "java",
                    "-Xms16m",
                    "-Xmn8m",
                    "-Xmx96m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-UsePerfData",
                    "-jar",
                    jar.toString(),
                    "run",
                    "--config",
                    config.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new RealAgent(process, log);
  }

  Usage usage() throws IOException {
    double ticks = 0;
    long resident = 0;
    List<ProcessHandle> all =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    for (ProcessHandle one : all) {
      Path proc = Path.of("/proc/" + one.pid());
      if (!Files.exists(proc)) {
        continue;
      }
      String stat = Files.readString(proc.resolve("stat"), StandardCharsets.UTF_8);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      // Its own time and that of its ended children.
      for (int i = 11; i <= 14; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      resident += resident(proc);
    }
    return new Usage(
        ticks * SECONDS_PER_TICK, resident, resident(Path.of("/proc/" + process.pid())));
  }

  private static long resident(Path proc) throws IOException {
    return Files.readAllLines(proc.resolve("status"), StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
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
