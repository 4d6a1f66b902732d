package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.edt.EdtShaper;
import org.paceline.agent.enforce.htb.HtbShaper;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.enforce.socket.SocketLimits;
import org.paceline.agent.enforce.socket.SocketShaper;
import org.paceline.agent.posix.Command;
import org.paceline.agent.runtime.CannotRunYet;

/** An agent that was killed on this host: what it left is taken over, or removed. */
public final class KilledAgent {
  private KilledAgent() {}

  /**
   * Takes from the guardian what an agent that was killed has left. What cannot be gone on with is
   * removed, so that a refusal from now on leaves the host clean.
   */
  public static Optional<InheritedState> takeOver(
      EnforcerChoice choice, List<ManagedInterface> interfaces, StateFile state)
      throws IOException {
    List<ManagedInterface> left = state.leftBehind();
    boolean taken = state.takeOver();
    if (!taken && state.cleaning().isPresent()) {
      throw new CannotRunYet("An earlier agent's guardian has begun to clean up.");
    }
    if (taken && names(left).equals(names(interfaces))) {
      Optional<InheritedState> found = read(choice.kind(), interfaces, state);
      if (found.isPresent()) {
        return Optional.of(choice.limitsIncoming() ? withIncoming(found.get()) : found.get());
      }
    }
    List<ManagedInterface> all = new ArrayList<>(left);
    interfaces.stream().filter(i -> !names(left).contains(i.name())).forEach(all::add);
    SocketLimits.restore(state.sockets());
    Command.run("sh", "-c", Guardian.removal(all));
    state.forget();
    return Optional.empty();
  }

  private static InheritedState withIncoming(InheritedState outgoing) throws IOException {
    return IngressShaper.left().map(outgoing::with).orElse(outgoing);
  }

  private static Set<String> names(List<ManagedInterface> interfaces) {
    return interfaces.stream().map(ManagedInterface::name).collect(Collectors.toSet());
  }

  /** Empty where an interface has no root of ours any more: there is nothing to go on with. */
  private static Optional<InheritedState> read(
      EnforcerKind kind, List<ManagedInterface> interfaces, StateFile state) throws IOException {
    return switch (kind) {
      case EDT -> EdtShaper.left(interfaces);
      case HTB -> HtbShaper.left(interfaces);
      case SOCKET -> SocketShaper.left(interfaces, state.sockets());
      case NONE -> Optional.empty();
    };
  }
}
