package org.paceline.agent.peer;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RemoteName;

/**
 * The names of what this host talks to, as it was heard to ask for them. What a socket's own TLS
 * says goes before what DNS has said of its address. A socket keeps the name that it had first, for
 * the same address may be another name's a moment later; only TLS corrects it. For all threads.
 */
public final class DestinationNames {
  private static final int MOST = 16_384;
  // Programs keep an answer a little longer than they may; nobody needs it for ever.
  private static final long SHORTEST_SECONDS = 60;
  private static final long LONGEST_SECONDS = 86_400;

  private final LongSupplier nanoClock;
  private final Map<InetAddress, Heard> byAddress = new Bounded<>();
  private final Map<Flow, Heard> bySocket = new Bounded<>();
  private Set<Flow> newSockets = new HashSet<>();
  private Set<InetAddress> newAddresses = new HashSet<>();

  /**
   * @param nanos until when it holds, or for a socket, since when
   */
  private record Heard(RemoteName name, long nanos) {}

  /** The eldest goes first. */
  private static final class Bounded<K> extends LinkedHashMap<K, Heard> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, Heard> eldest) {
      return size() > MOST;
    }
  }

  public DestinationNames(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** What has been heard since the last time that this was asked. */
  public record News(Set<Flow> sockets, Set<InetAddress> addresses) {
    public boolean isEmpty() {
      return sockets.isEmpty() && addresses.isEmpty();
    }

    public boolean isAbout(Flow flow) {
      return sockets.contains(flow.outgoing()) || addresses.contains(flow.remote());
    }
  }

  synchronized void dns(DnsMessage answer) {
    RemoteName name = new RemoteName(answer.question(), answer.aliases(), RemoteName.Source.DNS);
    long seconds = Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, answer.seconds()));
    long until = nanoClock.getAsLong() + Duration.ofSeconds(seconds).toNanos();
    for (InetAddress address : answer.addresses()) {
      // Anew, for it to be the youngest.
      byAddress.remove(address);
      byAddress.put(address, new Heard(name, until));
      if (newAddresses.size() < MOST) {
        newAddresses.add(address);
      }
    }
  }

  synchronized void tls(Flow flow, String serverName) {
    RemoteName name = new RemoteName(serverName, List.of(), RemoteName.Source.TLS);
    bySocket.remove(flow);
    bySocket.put(flow, new Heard(name, nanoClock.getAsLong()));
    if (newSockets.size() < MOST) {
      newSockets.add(flow);
    }
  }

  /** The name of the other end, from now on this socket's. */
  public synchronized Optional<RemoteName> of(Flow either) {
    Flow flow = either.outgoing();
    Optional<Heard> own = Optional.ofNullable(bySocket.get(flow));
    if (own.isEmpty()) {
      long now = nanoClock.getAsLong();
      own =
          Optional.ofNullable(byAddress.get(flow.remote()))
              .filter(heard -> heard.nanos() - now > 0)
              .map(heard -> new Heard(heard.name(), now));
      own.ifPresent(heard -> bySocket.put(flow, heard));
    }
    return own.map(Heard::name);
  }

  public synchronized News takeNews() {
    News news = new News(newSockets, newAddresses);
    newSockets = new HashSet<>();
    newAddresses = new HashSet<>();
    return news;
  }

  synchronized boolean hasNews() {
    return !newSockets.isEmpty() || !newAddresses.isEmpty();
  }

  /**
   * Sockets that are no more lose their names.
   *
   * @param nanos when it was looked for what is open: who has got its name since may be younger
   */
  public synchronized void keep(Predicate<Flow> open, long nanos) {
    bySocket.entrySet().removeIf(e -> e.getValue().nanos() - nanos < 0 && !open.test(e.getKey()));
  }

  /** How many sockets and addresses have one. */
  public synchronized String text() {
    return bySocket.size() + " sockets, " + byAddress.size() + " addresses";
  }
}
