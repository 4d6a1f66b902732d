package org.paceline.agent.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.paceline.agent.config.ControllerAddress;
import org.paceline.agent.config.TlsFiles;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.ExitCode;
import org.paceline.agent.session.Enrolment;
import org.paceline.agent.session.HostCertificateFiles;
import org.paceline.protocol.EnrolmentTokenText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Has the controller make this host's certificate, and says what agent.yaml then needs. */
@Command(
    name = "enrol",
    mixinStandardHelpOptions = true,
    versionProvider = AgentVersion.class,
    description =
        "Makes a key, which stays here, and has the controller sign it, once for each token; says"
            + " what agent.yaml then needs.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:enrolled", "2:not, and the message says why"})
public final class EnrolCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--controller",
      required = true,
      description = "host, or host:port; 9559 unless given")
  private String controller = "";

  @Option(
      names = "--directory",
      defaultValue = "/var/lib/paceline",
      description = "where the certificate and its key are kept; ${DEFAULT-VALUE} unless given")
  private Path directory = Path.of("");

  @Parameters(
      paramLabel = "TOKEN",
      description =
          "as the controller showed it; - to read it from the input, where no list shows it")
  private String token = "";

  @Override
  public Integer call() throws IOException {
    ControllerAddress address = address();
    EnrolmentTokenText read =
        EnrolmentTokenText.parse(given())
            .orElseThrow(
                () ->
                    new CannotRun(
                        "This is no token: it begins with (paceline-) and has 64 signs after that."
                            + " Maybe copy it once more, or ask an admin for another one."));
    String host = Enrolment.enrol(address.host(), address.port(), read, directory);
    TlsFiles files = HostCertificateFiles.in(directory.toAbsolutePath());
    spec.commandLine()
        .getOut()
        .printf(
            "This host is enrolled as (%s). What agent.yaml needs:%n"
                + "controller: \"%s\"%nhostId: \"%s\"%n"
                + "tls: {authority: \"%s\", certificate: \"%s\", key: \"%s\"}%n",
            host, controller, host, files.authority(), files.certificate(), files.key());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private ControllerAddress address() {
    try {
      return ControllerAddress.parse(controller);
    } catch (IllegalArgumentException e) {
      throw new CannotRun(String.valueOf(e.getMessage()));
    }
  }

  private String given() throws IOException {
    if (!token.equals("-")) {
      return token.strip();
    }
    String line =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    return line == null ? "" : line.strip();
  }
}
