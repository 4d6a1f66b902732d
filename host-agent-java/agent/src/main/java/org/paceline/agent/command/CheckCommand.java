package org.paceline.agent.command;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.FaultyFile;
import org.paceline.agent.config.PeerSettings;
import org.paceline.agent.config.SwitchConfig;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.peer.PeerNameCapture;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads the files and says what is wrong with them, or what the agent will do. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = AgentVersion.class,
    description = "Reads the configuration and its rules; shows every fault with its place.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the files are right", "2:they are not"})
public final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--config", required = true, description = "the configuration file")
  private Path config = Path.of("paceline-agent.yaml");

  @Override
  public Integer call() {
    try {
      Optional<SwitchConfig> ports = SwitchConfig.read(config);
      if (ports.isPresent()) {
        spec.commandLine().getOut().println(text(ports.get()));
        return ExitCode.OK;
      }
      AgentConfig read = AgentConfig.read(config);
      for (Rule rule : read.rules().rules()) {
        spec.commandLine()
            .getOut()
            .println(
                rule.place() + ": " + rule.intent().map(Object::toString).orElse("left alone"));
      }
      try (PeerNameCapture peerNames = PeerNameCapture.open(read.rules())) {
        peerNames
            .trouble()
            .ifPresent(trouble -> spec.commandLine().getErr().println("Here " + trouble));
      }
      spec.commandLine()
          .getOut()
          .println(
              "OK: host "
                  + read.hostId()
                  + ", "
                  + read.controller()
                      .map(controller -> "controller " + controller.text())
                      .orElse("no controller")
                  + read.peers().map(CheckCommand::peers).orElse("")
                  + ", "
                  + read.rules().rules().size()
                  + " rules");
      return ExitCode.OK;
    } catch (FaultyFile e) {
      e.faults().forEach(spec.commandLine().getErr()::println);
      return ExitCode.REFUSED;
    }
  }

  private static String text(SwitchConfig ports) {
    return "OK: host "
        + ports.hostId()
        + ", controller "
        + ports.controller().text()
        + ", "
        + ports.switches().stream()
            .map(one -> one.device() + " with ports " + String.join(", ", one.ports()))
            .collect(Collectors.joining("; "));
  }

  private static String peers(PeerSettings peers) {
    return ", peers by "
        + peers.group().getAddress().getHostAddress()
        + ":"
        + peers.group().getPort()
        + " that share "
        + peers.links().stream()
            .map(
                link ->
                    link.name()
                        + (link.air().isPresent() ? ", the air" : " of " + link.capacity())
                        + (link.estimated().isPresent() ? " at most, estimated," : ""))
            .collect(Collectors.joining(" and "))
        + ", which settles at "
        + String.format(
            Locale.ROOT,
            "%.2f",
            peers.loop().adaptive().orElse(peers.loop().virtual() * peers.loop().utilisation()))
        + " of it";
  }
}
