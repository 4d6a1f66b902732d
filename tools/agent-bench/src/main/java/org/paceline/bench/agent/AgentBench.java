package org.paceline.bench.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tools/paceline bench agent}. */
@Command(
    name = "paceline bench agent",
    description =
        "Measures a real host agent on real queues in network namespaces of its own: what arrives"
            + " against what was granted with 50 conversations that send all they can, a ping"
            + " beside them, how soon rates are in the kernel with 5,000, and what 1,000 cost."
            + " Takes about ten minutes; needs root.")
final class AgentBench implements Callable<Integer> {
  enum Part {
    RATES,
    AT_ONCE,
    SOCKETS,
    MANY,
    FOOTPRINT,
    BORROWING,
    OPTIONS,
    STARTS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Option(
      names = "--agent",
      paramLabel = "JAR",
      description = "The agent (default ${DEFAULT-VALUE}).")
  private Path agent = Path.of("host-agent-java/agent/target/paceline-agent.jar");

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description = "Leave out the other parts: ${COMPLETION-CANDIDATES}.")
  private Set<Part> parts = new LinkedHashSet<>(Arrays.asList(Part.values()));

  @Option(
      names = "--seconds",
      description = "Of each measurement of rates and costs (default ${DEFAULT-VALUE}).")
  private int seconds = 10;

  @Option(
      names = "--enforcer",
      paramLabel = "KIND",
      description =
          "What paces in rates, many, footprint and options, as in the agent's configuration"
              + " (default ${DEFAULT-VALUE}).")
  private String enforcer = "auto";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where table.md and result.json go (default ${DEFAULT-VALUE}).")
  private Path out = Path.of("out", "bench-agent");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("unused") // picocli acts on it.
  private boolean help;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!Files.exists(agent)) {
      System.err.println(
          "There is no agent (" + agent + "). Maybe: mvn package -pl host-agent-java/agent -am");
      return 2;
    }
    Table table = new Table();
    table.say("load average " + Files.readString(Path.of("/proc/loadavg")).trim());
    Path scratch = Files.createTempDirectory("paceline-agent-bench");
    for (Part part : parts) {
      try (Hosts hosts = new Hosts()) {
        measure(part, hosts, scratch, table);
      }
    }
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Files.createDirectories(out);
    Files.write(out.resolve("table.md"), table.lines());
    Claim.write(table.claims(), out.resolve("result.json"));
    System.out.println("written to " + out);
    return 0;
  }

  private void measure(Part part, Hosts hosts, Path scratch, Table table)
      throws IOException, InterruptedException {
    Program program = Program.of(agent);
    if (part == Part.STARTS) {
      new StartsPart(hosts, program, scratch, table).run();
      return;
    }
    // Each part with an agent of its own, that none pays for another's conversations.
    try (Gateway gateway = new Gateway(Hosts.CONTROLLER);
        RealAgent real =
            RealAgent.start(
                program, hosts.sender, gateway.port(), scratch, options(part, scratch))) {
      gateway.awaitAgent();
      switch (part) {
        case AT_ONCE -> new RatesPart(hosts, gateway, real, seconds, table).oneByOne();
        case SOCKETS -> new RatesPart(hosts, gateway, real, seconds, table).bySockets();
        case MANY -> new ManyPart(hosts, gateway, table).run();
        case FOOTPRINT -> new FootprintPart(hosts, gateway, real, seconds, table).run();
        case BORROWING -> new FootprintPart(hosts, gateway, real, seconds, table).borrowing();
        case OPTIONS -> new FootprintPart(hosts, gateway, real, seconds, table).options();
        default -> new RatesPart(hosts, gateway, real, seconds, table).run();
      }
    }
  }

  private String options(Part part, Path scratch) {
    String chosen = "enforcer: " + enforcer + "\n";
    return switch (part) {
      case AT_ONCE -> "packetsAtOnce: 1\n";
      case SOCKETS -> "enforcer: socket\n";
      case OPTIONS -> RealAgent.everything(scratch) + chosen;
      default -> chosen;
    };
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new AgentBench())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  /** What was found, said as soon as it is known. */
  static final class Table {
    private final List<String> lines = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();

    void say(String line) {
      lines.add(line);
      System.out.println(line);
    }

    void head(String columns) {
      say("");
      say("| " + columns + " |");
      say("|" + " --- |".repeat(columns.split("\\|", -1).length));
    }

    void row(String format, Object... values) {
      say("| " + String.format(Locale.ROOT, format, values) + " |");
    }

    void claim(Claim claim) {
      claims.add(claim);
    }

    List<String> lines() {
      return List.copyOf(lines);
    }

    List<Claim> claims() {
      return List.copyOf(claims);
    }
  }
}
