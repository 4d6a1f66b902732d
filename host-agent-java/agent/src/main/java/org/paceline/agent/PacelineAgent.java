package org.paceline.agent;

import org.paceline.agent.command.CheckCommand;
import org.paceline.agent.command.EnrolCommand;
import org.paceline.agent.command.ExplainCommand;
import org.paceline.agent.command.RestoreCommand;
import org.paceline.agent.command.RunCommand;
import org.paceline.agent.command.StatusCommand;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program. */
@Command(
    name = "paceline-agent",
    mixinStandardHelpOptions = true,
    versionProvider = AgentVersion.class,
    description =
        "Knows who talks on this host, tells the controller, and paces every conversation at the"
            + " rate that it was granted.",
    subcommands = {
      RunCommand.class,
      EnrolCommand.class,
      CheckCommand.class,
      ExplainCommand.class,
      StatusCommand.class,
      RestoreCommand.class
    },
    synopsisSubcommandLabel = "(run | enrol | check | explain | status)",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped as asked, or the files are right",
      "1:a fault of the agent itself",
      "2:something a person has to put right: the message says what; nothing stays installed",
      "3:there was no memory left"
    })
public final class PacelineAgent {
  private PacelineAgent() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new PacelineAgent())
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (failure instanceof CannotRun) {
                command.getErr().println("paceline-agent: " + failure.getMessage());
                return ExitCode.REFUSED;
              }
              failure.printStackTrace(command.getErr());
              return ExitCode.FAULT;
            });
  }
}
