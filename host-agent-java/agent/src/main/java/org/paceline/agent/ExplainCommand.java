package org.paceline.agent;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.FaultyFile;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketEnd;
import org.paceline.agent.naming.Trait;
import org.paceline.agent.sense.Direction;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.ProcessInfo;
import org.paceline.agent.sense.ProcessTable;
import org.paceline.agent.sense.RemoteName;
import org.paceline.agent.sense.SocketFacts;
import org.paceline.agent.sense.SocketRow;
import org.paceline.agent.sense.SocketTableReader;
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
    List<SocketFacts> sockets = sockets(rules);
    if (sockets.isEmpty()) {
      throw new Refused(
          which.map(w -> "No socket of (" + w + ") can send.").orElse("No socket can send.")
              + " Maybe look at the right network namespace: see ss -tunp.");
    }
    for (SocketFacts socket : sockets) {
      spec.commandLine().getOut().print(ExplainText.of(socket, rules));
      if (rules.canName(Direction.IN)) {
        spec.commandLine().getOut().print(ExplainText.of(socket.incoming(), rules));
      }
    }
    spec.commandLine().getOut().flush();
    return PacelineAgent.OK;
  }

  /** What only an agent that was there can have heard. */
  private Map<Flow, RemoteName> names(RuleSet rules) throws IOException {
    if (rules.asking(Trait.REMOTE_NAME) == 0) {
      return Map.of();
    }
    try {
      return RemoteNamesText.read(StatusSocket.ask(NamespaceLock.statusFile(), StatusSocket.NAMES));
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("Rules ask for remoteName, which only a running agent hears: none runs here.");
      return Map.of();
    }
  }

  /** A process has its sockets whoever else shares them, such as the one that it forked from. */
  private Predicate<SocketRow> wanted(ProcessTable processes) {
    if (which.isEmpty()) {
      return row -> true;
    }
    String text = which.get();
    if (text.matches("\\d{1,9}")) {
      Set<Long> inodes = processes.socketsOf(Long.parseLong(text));
      return row -> inodes.contains(row.inode());
    }
    try {
      InetSocketAddress end = SocketEnd.parse(text);
      return row ->
          end.equals(new InetSocketAddress(row.flow().local(), row.flow().localPort()))
              || end.equals(new InetSocketAddress(row.flow().remote(), row.flow().remotePort()));
    } catch (IllegalArgumentException e) {
      throw new Refused(
          "("
              + text
              + ") is no process and no socket. Maybe 1234, 192.0.2.1:443 or [2001:db8::1]:443.");
    }
  }

  /** What can send now, with its owner: of an accepted socket, the process that holds it. */
  private List<SocketFacts> sockets(RuleSet rules) throws IOException {
    ProcessTable processes =
        new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);
    Predicate<SocketRow> wanted = wanted(processes);
    Map<Flow, RemoteName> names = names(rules);
    List<SocketFacts> sockets = new ArrayList<>();
    try (Markings markings = Markings.open(rules)) {
      for (SocketRow row : new SocketTableReader(Path.of("/proc/net")).read()) {
        boolean sends = row.kind() == SocketRow.Kind.SENDING;
        if (sends && !row.flow().remote().isLoopbackAddress() && wanted.test(row)) {
          ProcessInfo owner = processes.find(row.inode()).orElse(ProcessInfo.UNKNOWN);
          sockets.add(
              new SocketFacts(
                  row.flow(),
                  owner.withUser(processes.userName(row.uid())),
                  Optional.ofNullable(names.get(row.flow())),
                  markings.of(row.flow())));
        }
      }
    }
    return sockets;
  }
}
