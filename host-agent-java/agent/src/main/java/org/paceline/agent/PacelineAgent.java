package org.paceline.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program. */
@Command(
    name = "paceline-agent",
    mixinStandardHelpOptions = true,
    versionProvider = PacelineAgent.Version.class,
    description =
        "Knows who talks on this host, tells the controller, and paces every conversation at the"
            + " rate that it was granted.",
    subcommands = {
      RunCommand.class,
      CheckCommand.class,
      ExplainCommand.class,
      StatusCommand.class,
      RestoreCommand.class
    },
    synopsisSubcommandLabel = "(run | check | explain | status)",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped as asked, or the files are right",
      "1:a fault of the agent itself",
      "2:something a person has to put right: the message says what; nothing stays installed",
      "3:there was no memory left"
    })
public final class PacelineAgent {
  static final int OK = 0;
  static final int FAULT = 1;
  static final int REFUSED = 2;

  private PacelineAgent() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new PacelineAgent())
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (failure instanceof Refused) {
                command.getErr().println("paceline-agent: " + failure.getMessage());
                return REFUSED;
              }
              failure.printStackTrace(command.getErr());
              return FAULT;
            });
  }

  /** Of the build. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"paceline-agent " + number()};
    }

    static String number() {
      Properties properties = new Properties();
      try (InputStream stream = PacelineAgent.class.getResourceAsStream("version.properties")) {
        properties.load(Objects.requireNonNull(stream, "version.properties is missing"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return properties.getProperty("version");
    }
  }
}
