package org.paceline.agent.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.paceline.agent.application.Claims;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketEnd;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.agent.sockets.ProcessTable;
import org.paceline.agent.sockets.SocketRow;
import org.paceline.agent.sockets.SocketTableReader;
import org.paceline.agent.status.SocketKnowledge;
import org.paceline.agent.tracking.DscpMarkings;

/** The sockets of this host that can send now, read without touching anything. */
final class OpenSockets {
  private final RuleSet rules;
  private final SocketKnowledge known;
  private final ProcessTable processes =
      new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);

  /**
   * One of them.
   *
   * @param facts its owner is, of an accepted socket, the process that holds it
   */
  record One(SocketFacts facts, Peer peer, Optional<Claims.Claimed> claim) {}

  /** To whom a socket sends. */
  enum Peer {
    /** The one that it is connected to. */
    CONNECTED,
    /** Whoever it may be. */
    ANYBODY,
    /** One of whom the running agent has a conversation with a socket for anybody. */
    SEEN
  }

  /** Which are wanted. */
  private interface Wanted {
    boolean test(Flow flow, long inode);
  }

  OpenSockets(RuleSet rules, SocketKnowledge known) {
    this.rules = rules;
    this.known = known;
  }

  /**
   * Of one that is not connected, itself, and what it is known to send to whom.
   *
   * @param which a process, or an address with a port; all without it
   * @throws CannotRun where that is neither
   */
  List<One> read(Optional<String> which) throws IOException {
    Wanted wanted = which.map(this::wanted).orElse((flow, inode) -> true);
    List<One> found = new ArrayList<>();
    try (DscpMarkings markings = DscpMarkings.open(rules)) {
      for (SocketRow row : new SocketTableReader(Path.of("/proc/net")).read()) {
        Flow flow = row.flow();
        if (row.kind() == SocketRow.Kind.SENDING) {
          if (!flow.remote().isLoopbackAddress() && wanted.test(flow, row.inode())) {
            found.add(one(row, flow, Peer.CONNECTED, markings));
          }
        } else if (flow.transport() == Transport.UDP && !flow.local().isLoopbackAddress()) {
          List<Flow> sent = sentBy(row.inode());
          boolean itself = wanted.test(flow, row.inode());
          if (itself) {
            found.add(one(row, flow, Peer.ANYBODY, markings));
          }
          sent.stream()
              .filter(to -> itself || wanted.test(to, row.inode()))
              .forEach(to -> found.add(one(row, to, Peer.SEEN, markings)));
        }
      }
    }
    return found;
  }

  private List<Flow> sentBy(long inode) {
    return known.peers().entrySet().stream()
        .filter(peer -> peer.getValue() == inode)
        .map(peer -> peer.getKey())
        .toList();
  }

  private One one(SocketRow row, Flow flow, Peer peer, DscpMarkings markings) {
    ProcessInfo owner = processes.find(row.inode()).orElse(ProcessInfo.UNKNOWN);
    return new One(
        new SocketFacts(
            flow,
            owner.withUser(processes.userName(row.uid())),
            Optional.ofNullable(known.names().get(flow)),
            markings.of(flow)),
        peer,
        Optional.ofNullable(known.claims().get(row.inode())));
  }

  /** A process has its sockets whoever else shares them, such as the one that it forked from. */
  private Wanted wanted(String which) {
    if (which.matches("\\d{1,9}")) {
      Set<Long> inodes = processes.socketsOf(Long.parseLong(which));
      return (flow, inode) -> inodes.contains(inode);
    }
    try {
      InetSocketAddress end = SocketEnd.parse(which);
      Predicate<InetAddress> isLocal =
          isOwn(end.getAddress())
              ? local -> local.isAnyLocalAddress() || local.equals(end.getAddress())
              : end.getAddress()::equals;
      return (flow, inode) ->
          (flow.localPort() == end.getPort() && isLocal.test(flow.local()))
              || end.equals(new InetSocketAddress(flow.remote(), flow.remotePort()));
    } catch (IllegalArgumentException e) {
      throw new CannotRun(
          "("
              + which
              + ") is no process and no socket. Maybe 1234, 192.0.2.1:443 or [2001:db8::1]:443.");
    }
  }

  /** Whoever is bound to all of this host's addresses is bound to that one, too. */
  private static boolean isOwn(InetAddress address) {
    try {
      return Optional.ofNullable(NetworkInterface.getByInetAddress(address)).isPresent();
    } catch (SocketException e) {
      return false;
    }
  }
}
