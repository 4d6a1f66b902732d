package org.paceline.agent.tracking;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RemoteName;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.peer.DestinationNames;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.agent.sockets.ProcessTable;
import org.paceline.agent.sockets.SocketRow;
import org.paceline.agent.sockets.SocketTableReader;

/** The sockets of this host as last read, and who owns them. Owned by one thread. */
public final class SocketTable {
  /** Whose owner was not found by then has none that can be. */
  private static final Duration SEARCHED = Duration.ofSeconds(10);

  private record Bound(Transport transport, int port) {}

  private final SocketTableReader table;
  private final ProcessTable processes;
  private final InterfaceAddresses addresses;
  private final RuleSet rules;
  private final DestinationNames names;
  private final DscpMarkings markings;
  private final Map<Flow, Long> ownerless = new HashMap<>();
  private long readNanos;
  private Map<Flow, SocketRow> sending = Map.of();
  private final SocketTableChanges changes = new SocketTableChanges();
  private Map<Bound, List<SocketRow>> waiting = Map.of();

  public SocketTable(
      SocketTableReader table,
      ProcessTable processes,
      List<ManagedInterface> interfaces,
      RuleSet rules,
      DestinationNames names,
      DscpMarkings markings) {
    this.table = table;
    this.processes = processes;
    this.addresses = new InterfaceAddresses(interfaces, System::nanoTime);
    this.rules = rules;
    this.names = names;
    this.markings = markings;
  }

  public void read() throws IOException {
    long now = System.nanoTime();
    take(table.read(), now);
  }

  /** The same where anything has changed, and whether it has. */
  boolean readWhereChanged() throws IOException {
    long now = System.nanoTime();
    Optional<List<SocketRow>> rows = table.readWhereChanged();
    rows.ifPresent(some -> take(some, now));
    return rows.isPresent();
  }

  /** Whether no connection has come or gone since the last reading. */
  boolean streamsStandStill() {
    return table.streamsStandStill();
  }

  /** The next reading is a whole one. */
  void distrust() {
    table.distrust();
  }

  private void take(List<SocketRow> rows, long now) {
    readNanos = now;
    Map<Flow, SocketRow> connected = new HashMap<>();
    Map<Bound, List<SocketRow>> bound = new HashMap<>();
    for (SocketRow row : rows) {
      switch (row.kind()) {
        case SENDING -> connected.put(row.flow(), row);
        case WAITING ->
            bound.computeIfAbsent(bound(row.flow()), any -> new ArrayList<>(1)).add(row);
        case OVER -> {}
      }
    }
    changes.between(sending, connected);
    sending = connected;
    waiting = bound;
  }

  /** Which sockets that can send have come and gone. */
  SocketTableChanges changes() {
    return changes;
  }

  /** The sockets that can send. */
  Set<Flow> sending() {
    return Collections.unmodifiableSet(sending.keySet());
  }

  /** Those of these that can send by a managed interface, each with that interface. */
  Map<Flow, String> sendingByInterface(Collection<Flow> which) {
    Map<Flow, String> found = new LinkedHashMap<>();
    for (Flow flow : which) {
      if (isConnected(flow)) {
        deviceOf(flow).ifPresent(device -> found.put(flow, device));
      }
    }
    return found;
  }

  /** Nothing where it goes to this host itself. */
  private Optional<String> deviceOf(Flow flow) {
    Optional<String> device = addresses.device(flow.local());
    return device.isPresent() && addresses.isOwn(flow.remote()) ? Optional.empty() : device;
  }

  boolean manages(String device) {
    return addresses.manages(device);
  }

  /** Whether the table as last read has a socket that this flow can come from. */
  boolean hasSocket(Flow flow) {
    return isConnected(flow) || hasBound(flow);
  }

  /** Whether this very flow is in the table; a UDP flow may be of a socket for many peers. */
  boolean isKnown(Flow flow) {
    return isConnected(flow) || (flow.transport() == Transport.UDP && hasBound(flow));
  }

  boolean isConnected(Flow flow) {
    return sending.containsKey(flow.outgoing());
  }

  /** Of the socket that the flow is of, or that has listened for it; 0 where there is none. */
  long inode(Flow flow) {
    return Optional.ofNullable(sending.get(flow.outgoing()))
        .filter(row -> row.inode() != 0)
        .or(() -> listener(flow))
        .map(SocketRow::inode)
        .orElse(0L);
  }

  /** Of all sockets. */
  Set<Long> inodes() {
    Set<Long> inodes = new HashSet<>();
    sending.values().forEach(row -> inodes.add(row.inode()));
    waiting.values().forEach(rows -> rows.forEach(row -> inodes.add(row.inode())));
    return inodes;
  }

  public Set<Long> socketsOf(long pid) {
    return processes.socketsOf(pid);
  }

  /** Whether it is what this process itself tells its controller, or the rest of such a stream. */
  boolean isOwnChannel(Flow flow) {
    if (!rules.mayBeTheAgents(flow)) {
      return false;
    }
    long inode = inode(flow);
    return inode == 0 || processes.socketsOf(ProcessHandle.current().pid()).contains(inode);
  }

  /** The process that holds one of these, searched for where none is known. */
  ProcessInfo holder(Collection<Flow> flows) {
    for (Flow flow : flows) {
      Optional<ProcessInfo> found = processes.find(inode(flow));
      if (found.isPresent()) {
        String user =
            Optional.ofNullable(sending.get(flow.outgoing()))
                .filter(row -> row.inode() != 0)
                .or(() -> listener(flow))
                .map(row -> processes.userName(row.uid()))
                .orElse("");
        return found.get().withUser(user);
      }
    }
    return ProcessInfo.UNKNOWN;
  }

  private static Bound bound(Flow flow) {
    return new Bound(flow.transport(), flow.localPort());
  }

  /**
   * The socket for many peers that a flow comes from, or by which it was accepted: of those with
   * its port the one with its address, or else one for all addresses.
   */
  private Optional<SocketRow> listener(Flow flow) {
    List<SocketRow> rows = waiting.getOrDefault(bound(flow), List.of());
    return rows.stream()
        .filter(row -> row.flow().local().equals(flow.local()))
        .findFirst()
        .or(() -> rows.stream().filter(row -> row.flow().local().isAnyLocalAddress()).findFirst())
        .or(() -> rows.stream().findFirst());
  }

  /**
   * The sockets with just these ends: one that is connected, or without a peer's port those for
   * many peers, of which several may share an address.
   */
  public Set<Long> inodesOf(Flow flow) {
    Set<Long> inodes = new HashSet<>();
    if (isConnected(flow)) {
      inodes.add(inode(flow));
    } else if (flow.remotePort() == 0) {
      for (SocketRow row : waiting.getOrDefault(bound(flow), List.of())) {
        InetAddress at = row.flow().local();
        boolean all = at.isAnyLocalAddress() && flow.local().isAnyLocalAddress();
        if (all || at.equals(flow.local())) {
          inodes.add(row.inode());
        }
      }
    }
    inodes.remove(0L);
    return inodes;
  }

  private boolean hasBound(Flow flow) {
    return waiting.containsKey(bound(flow));
  }

  /** What is known of the socket, as far as the rules ask for it. */
  SocketFacts facts(Flow flow) {
    SocketFacts packets =
        new SocketFacts(flow, ProcessInfo.UNKNOWN, names.of(flow), markings.of(flow));
    return packets.withOwner(owner(packets));
  }

  /** The destination's name, where it was heard. */
  public Optional<RemoteName> remoteName(Flow flow) {
    return names.of(flow);
  }

  /** What is known of sockets that are no more is forgotten, but for these. */
  void keepTraits(Predicate<Flow> also) {
    Predicate<Flow> open = flow -> isConnected(flow) || also.test(flow);
    names.keep(open, readNanos);
    markings.keep(open);
    ownerless.keySet().removeIf(open.negate());
  }

  /** The sockets of which more is known than when they were named, or something else. */
  Set<Flow> knownAnew() {
    Set<Flow> anew = markings.lookAgain();
    long now = System.nanoTime();
    ownerless.values().removeIf(end -> end - now <= 0);
    ownerless.keySet().removeIf(flow -> processes.find(inode(flow)).isPresent() && anew.add(flow));
    return anew;
  }

  /**
   * Of all sockets that can send, those whose destination was heard of.
   *
   * @param also what sockets that are not connected send
   */
  public Map<Flow, RemoteName> remoteNames(Set<Flow> also) {
    Map<Flow, RemoteName> known = new HashMap<>();
    Stream.concat(sending.keySet().stream(), also.stream())
        .forEach(flow -> names.of(flow).ifPresent(name -> known.put(flow, name)));
    return known;
  }

  /** What sockets that are not connected send in these, each with its socket's inode. */
  public Map<Flow, Long> peers(Collection<Conversation> conversations) {
    Map<Flow, Long> peers = new HashMap<>();
    for (Conversation conversation : conversations) {
      for (Flow flow : conversation.flows()) {
        if (flow.transport() == Transport.UDP && !isConnected(flow) && inode(flow) != 0) {
          peers.put(flow, inode(flow));
        }
      }
    }
    return peers;
  }

  /**
   * Who owns the socket. What a server has accepted is its listener's, so that only listeners and
   * clients need a search through open files, and only where a rule asks.
   */
  private ProcessInfo owner(SocketFacts packets) {
    Flow flow = packets.flow();
    Optional<SocketRow> row = Optional.ofNullable(sending.get(flow.outgoing()));
    Optional<SocketRow> listener = listener(flow);
    Optional<ProcessInfo> owner = row.flatMap(r -> processes.remembered(r.inode()));
    if (owner.isEmpty()) {
      owner = listener.flatMap(l -> processes.remembered(l.inode()));
    }
    if (owner.isEmpty() && rules.needsOwner(packets)) {
      owner = listener.or(() -> row).flatMap(r -> processes.find(r.inode()));
      if (owner.isEmpty()) {
        // Asked again with the next scan, whatever happens until then.
        table.distrust();
        ownerless.putIfAbsent(flow.outgoing(), System.nanoTime() + SEARCHED.toNanos());
      }
    }
    Optional<SocketRow> known = row.filter(r -> r.inode() != 0).or(() -> listener);
    String user = known.map(r -> processes.userName(r.uid())).orElse("");
    return owner.orElse(ProcessInfo.UNKNOWN).withUser(user);
  }

  /** Finds the owners of listening sockets ahead of their first client. */
  void learnListeners() {
    waiting.values().stream()
        .flatMap(List::stream)
        .filter(row -> row.inode() != 0 && processes.remembered(row.inode()).isEmpty())
        .findFirst()
        .ifPresent(row -> processes.find(row.inode()));
  }
}
