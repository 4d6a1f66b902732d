package org.paceline.agent.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.FaultyFile;
import org.paceline.agent.daemon.NamespaceLock;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.Trait;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.ExitCode;
import org.paceline.agent.status.SocketKnowledge;
import org.paceline.agent.status.SocketKnowledgeText;
import org.paceline.agent.status.StatusSocket;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says which rule names which socket, without touching anything. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    versionProvider = AgentVersion.class,
    description = "Says which rule names each socket that is open now; nothing is changed.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:said", "2:the files are not right, or there is no such process or socket"})
public final class ExplainCommand implements Callable<Integer> {
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
    AgentConfig read;
    try {
      read = AgentConfig.read(config);
    } catch (FaultyFile e) {
      e.faults().forEach(spec.commandLine().getErr()::println);
      return ExitCode.REFUSED;
    }
    RuleSet rules = read.rules();
    Optional<String> silent = Optional.empty();
    SocketKnowledge known = SocketKnowledge.NOTHING;
    try {
      known =
          SocketKnowledgeText.read(
              StatusSocket.ask(NamespaceLock.statusFile(), StatusSocket.KNOWN));
    } catch (IOException e) {
      silent = Optional.of(NamespaceLock.statusFile() + ": " + e.getMessage());
    }
    List<OpenSockets.One> sockets = new OpenSockets(rules, known).read(which);
    silent.ifPresent(why -> sayWhatIsNotKnown(why, read, sockets));
    if (sockets.isEmpty()) {
      throw new CannotRun(
          which.map(w -> "No socket of (" + w + ") can send.").orElse("No socket can send.")
              + " Maybe look at the right network namespace: see ss -tunp.");
    }
    for (OpenSockets.One socket : sockets) {
      spec.commandLine().getOut().print(ExplainText.of(socket, rules));
      // Who sends to a socket that is not connected, it does not show: no rule names that.
      if (rules.canName(Direction.IN) && socket.peer() == OpenSockets.Peer.CONNECTED) {
        spec.commandLine().getOut().print(ExplainText.of(socket.facts().incoming(), rules));
      }
    }
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  /** What only an agent that was there can have heard. */
  private void sayWhatIsNotKnown(String why, AgentConfig read, List<OpenSockets.One> sockets) {
    List<String> unknown = new ArrayList<>();
    if (read.local().applications().isPresent()) {
      unknown.add("what applications claim, which goes before the rules");
    }
    if (read.rules().asking(Trait.REMOTE_NAME) > 0) {
      unknown.add("names of destinations (remoteName)");
    }
    if (sockets.stream().anyMatch(socket -> socket.peer() == OpenSockets.Peer.ANYBODY)) {
      unknown.add("to whom sockets send that are not connected");
    }
    if (!unknown.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              "Only a running agent knows "
                  + String.join("; ", unknown)
                  + "; none answers here ("
                  + why
                  + "). Maybe start it, or ask as root.");
    }
  }
}
