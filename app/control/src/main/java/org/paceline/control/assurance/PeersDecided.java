package org.paceline.control.assurance;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;

/**
 * Hosts that had gone by their peers when they attached: the plan did not hold there, and nobody
 * saw it. One alarm an agent, for a while. A short absence of the controller raises none.
 */
public final class PeersDecided {
  private static final Duration LEAST = Duration.ofMinutes(1);
  private static final Duration SHOWN = Duration.ofMinutes(10);

  private final Supplier<? extends Collection<AgentInfo>> agents;
  private final Clock clock;

  /**
   * @param agents those that are attached
   */
  public PeersDecided(Supplier<? extends Collection<AgentInfo>> agents, Clock clock) {
    this.agents = agents;
    this.clock = clock;
  }

  public List<Alarm> look() {
    Instant now = clock.instant();
    return agents.get().stream()
        .filter(agent -> now.isBefore(agent.since().plus(SHOWN)))
        .flatMap(agent -> alarm(agent).stream())
        .collect(Collectors.toUnmodifiableList());
  }

  private static Optional<Alarm> alarm(AgentInfo agent) {
    return agent
        .peerAgreement()
        .filter(before -> !before.since().plus(LEAST).isAfter(agent.since()))
        .map(before -> Alarm.ofPeers(agent.host(), sentence(agent, before), agent.since()));
  }

  private static String sentence(AgentInfo agent, AgentInfo.PeerAgreement before) {
    return "The host ("
        + agent.host()
        + ") reached no controller since "
        + before.since()
        + " by its clock, until it attached at "
        + agent.since()
        + ". No grant held there meanwhile: "
        + (before.peers() == 0
            ? "it heard no peer, and had its links alone. Maybe compare its key with its peers', see"
                + " whether multicast passes between them, and see"
            : "it shared its links with (" + before.peers() + ") peers. Maybe see")
        + " in its agent's log why it reached none.";
  }
}
