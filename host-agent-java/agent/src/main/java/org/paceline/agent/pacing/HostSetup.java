package org.paceline.agent.pacing;

import java.util.List;
import java.util.Optional;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;

/**
 * What is known of this host before anything is installed on it.
 *
 * @param interfaces to pace on
 * @param inherited what an agent that was killed has left; empty: begin anew
 * @param state a file that names what was changed, removed at the end
 */
public record HostSetup(
    List<ManagedInterface> interfaces,
    EnforcerChoice choice,
    Optional<InheritedState> inherited,
    StateFile state) {
  public HostSetup {
    interfaces = List.copyOf(interfaces);
  }

  List<String> deviceNames() {
    return interfaces.stream().map(ManagedInterface::name).toList();
  }
}
