package org.paceline.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.FaultyFile;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.ProcessInfo;
import org.paceline.agent.sense.ProcessTable;
import org.paceline.agent.sense.SocketRow;
import org.paceline.agent.sense.SocketTableReader;
import org.paceline.intents.tree.IntentPath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says which rule names which socket, without touching anything. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    versionProvider = PacelineAgent.Version.class,
    description = "Says which rule names each socket that is open now; nothing is changed.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:said", "2:the files are not right, or there is no such process or socket"})
final class ExplainCommand implements Callable<Integer> {
  private record Line(Flow flow, ProcessInfo owner) {}

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--config", required = true, description = "the configuration file")
  private Path config = Path.of("paceline-agent.yaml");

  @Parameters(
      arity = "0..1",
      paramLabel = "PID|SOCKET",
      description = "only this process's, or those at this ADDRESS:PORT; all without it")
  private Optional<String> which = Optional.empty();

  @Override
  public Integer call() throws IOException {
    RuleSet rules;
    try {
      rules = AgentConfig.read(config).rules();
    } catch (FaultyFile e) {
      e.faults().forEach(spec.commandLine().getErr()::println);
      return PacelineAgent.REFUSED;
    }
    Predicate<Line> wanted = wanted();
    List<Line> lines = lines().stream().filter(wanted).toList();
    if (lines.isEmpty()) {
      throw new Refused(
          which.map(w -> "No socket of (" + w + ") can send.").orElse("No socket can send.")
              + " Maybe look at the right network namespace: see ss -tunp.");
    }
    for (Line line : lines) {
      spec.commandLine().getOut().println(text(line, rules));
    }
    return PacelineAgent.OK;
  }

  private Predicate<Line> wanted() {
    if (which.isEmpty()) {
      return line -> true;
    }
    String text = which.get();
    if (text.matches("\\d{1,9}")) {
      return line -> line.owner().pid() == Integer.parseInt(text);
    }
    if (text.matches("\\S+:\\d{1,5}")) {
      return line ->
          text.equals(line.flow().local().getHostAddress() + ":" + line.flow().localPort())
              || text.equals(
                  line.flow().remote().getHostAddress() + ":" + line.flow().remotePort());
    }
    throw new Refused("(" + text + ") is no process and no socket. Maybe 1234 or 192.0.2.1:443.");
  }

  /** What can send now, with its owner: of an accepted socket, the process that holds it. */
  private static List<Line> lines() throws IOException {
    ProcessTable processes =
        new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);
    List<Line> lines = new ArrayList<>();
    for (SocketRow row : new SocketTableReader(Path.of("/proc/net")).read()) {
      if (row.kind() == SocketRow.Kind.SENDING && !row.flow().remote().isLoopbackAddress()) {
        ProcessInfo owner = processes.find(row.inode()).orElse(ProcessInfo.UNKNOWN);
        lines.add(new Line(row.flow(), owner.withUser(processes.userName(row.uid()))));
      }
    }
    return lines;
  }

  private static String text(Line line, RuleSet rules) {
    Optional<Rule> rule =
        rules.rules().stream().filter(r -> r.matches(line.flow(), line.owner())).findFirst();
    String verdict =
        rules
            .name(line.flow(), line.owner())
            .map(
                name ->
                    name.intent().equals(IntentPath.ROOT)
                        ? "managed without an intent"
                        : name.intent().toString())
            .orElse("left alone");
    String process =
        line.owner().pid() == 0
            ? "unknown process"
            : line.owner().name() + " (" + line.owner().pid() + ")";
    return line.flow()
        + ", "
        + process
        + ", user "
        + line.owner().user()
        + ": "
        + verdict
        + ", "
        + rule.map(Rule::place).orElse("no rule matches");
  }
}
