package org.paceline.agent.naming;

import java.util.Optional;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.ProcessInfo;
import org.paceline.agent.sense.Transport;
import org.paceline.intents.tree.IntentPath;

/**
 * One line of the rules file: the conditions that are present must all hold.
 *
 * @param place where the rule stands in its file, for messages
 * @param intent what a socket that matches belongs to; empty: such a socket is left alone
 */
public record Rule(
    String place, Optional<IntentPath> intent, Conditions conditions, Grouping grouping) {

  /** Which sockets of one intent between the same two addresses share a conversation. */
  public enum Grouping {
    /** All: the six connections of one browser are one conversation. */
    ADDRESS,
    /** None: each socket is a conversation of its own. */
    SOCKET
  }

  /** What a rule asks of a socket and of the process that owns it. */
  public record Conditions(
      Optional<Transport> protocol,
      Optional<PortRanges> localPort,
      Optional<PortRanges> remotePort,
      Optional<AddressRange> localAddress,
      Optional<AddressRange> remoteAddress,
      Optional<Glob> process,
      Optional<Glob> user,
      Optional<Glob> cgroup) {
    public static final Conditions NONE =
        new Conditions(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    boolean askWhoOwnsIt() {
      return process.isPresent() || user.isPresent() || cgroup.isPresent();
    }

    /** All that can be told from the packet alone, but for the ports. */
    boolean addressesMatch(Flow flow) {
      return protocol.map(flow.transport()::equals).orElse(true)
          && localAddress.map(range -> range.contains(flow.local())).orElse(true)
          && remoteAddress.map(range -> range.contains(flow.remote())).orElse(true);
    }

    boolean localPortMatches(Flow flow) {
      return localPort.map(ports -> ports.contains(flow.localPort())).orElse(true);
    }

    boolean remotePortMatches(Flow flow) {
      return remotePort.map(ports -> ports.contains(flow.remotePort())).orElse(true);
    }

    boolean packetMatches(Flow flow) {
      return addressesMatch(flow) && localPortMatches(flow) && remotePortMatches(flow);
    }

    boolean ownerMatches(ProcessInfo owner) {
      return process
              .map(glob -> glob.matches(owner.name()) || glob.matches(owner.executable()))
              .orElse(true)
          && user.map(glob -> glob.matches(owner.user())).orElse(true)
          && cgroup.map(glob -> glob.matches(owner.cgroup())).orElse(true);
    }
  }

  public boolean matches(Flow flow, ProcessInfo owner) {
    return conditions.packetMatches(flow) && conditions.ownerMatches(owner);
  }
}
