package org.paceline.cli.state;

import java.util.Collection;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.AgentInfo;

/** The agents that are attached. */
@Service
@Command(
    scope = "paceline",
    name = "agents",
    description = "The host agents that are attached",
    detailedDescription = "classpath:help/network.txt")
public final class AgentsCommand extends PacelineCommand<NetworkService> {
  public AgentsCommand() {
    super(UseCases::network);
  }

  @Override
  protected Table table(NetworkService use) {
    return table(use.agents());
  }

  static Table table(Collection<AgentInfo> agents) {
    Table table =
        new Table("host", "addresses", "enforces by", "version", "from", "since (UTC)", "before");
    for (AgentInfo agent : agents) {
      table.row(
          agent.host(),
          String.join(" ", agent.addresses()),
          agent.enforcer(),
          agent.agentVersion(),
          agent.peer(),
          agent.since().toString(),
          agent.peerAgreement().map(AgentsCommand::text).orElse(""));
    }
    table.conclude(
        agents.size() + " agents are attached.", agents.isEmpty() ? Tone.NOTABLE : Tone.GOOD);
    return table;
  }

  private static String text(AgentInfo.PeerAgreement before) {
    return "shared with " + before.peers() + " peers since " + before.since();
  }
}
