package org.paceline.agent.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.paceline.agent.daemon.NamespaceLock;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.ExitCode;
import org.paceline.agent.status.StatusSocket;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what the agent of this network namespace does. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = AgentVersion.class,
    description = "Shows every conversation with its granted, installed and measured rate.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:said", "2:no agent runs in this network namespace"})
public final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Path file = NamespaceLock.statusFile();
    try {
      spec.commandLine().getOut().print(StatusSocket.ask(file, StatusSocket.STATUS));
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    } catch (IOException e) {
      throw new CannotRun(
          "No agent of this network namespace answers at "
              + file
              + " ("
              + e.getMessage()
              + "). Maybe it runs in another namespace, or is not started.");
    }
  }
}
