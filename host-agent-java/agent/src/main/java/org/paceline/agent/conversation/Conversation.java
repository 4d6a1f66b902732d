package org.paceline.agent.conversation;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RemoteName;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.agent.sockets.TcpInfo;
import org.paceline.protocol.PortMatches;

/**
 * What this host sends to one address under one intent, or receives from it, while it lasts. Owned
 * by one thread.
 */
public final class Conversation {
  private static final int REMEMBERED = 64;
  private static final int MOST_SEARCHES = 5;

  /** Its addresses are the same in all of them. */
  private static final Comparator<ClassKey> BY_PORTS =
      Comparator.comparing(ClassKey::transport)
          .thenComparing(ClassKey::localPort)
          .thenComparing(ClassKey::remotePort);

  private final String id;
  private final ConversationKey key;
  private final String device;
  private final int minor;
  private final ClassKey first;
  private ProcessInfo owner;
  private int searches;
  private final String remoteName;
  private final long firstSeenUnixNanos;
  private final Set<ClassKey> classKeys = new HashSet<>();
  private final SortedSet<ClassKey> moreMatches = new TreeSet<>(BY_PORTS);
  private boolean matchesAll;
  private final Set<Flow> flows = new HashSet<>();
  private final Queue<Flow> departed = new ArrayDeque<>();
  private long grantedBitsPerSecond;
  private long ceilingBitsPerSecond;
  private int borrowRank;
  private long lastAliveNanos;
  private long lastSentBytes;
  private long lastSentNanos;
  private long countedBytes;
  private long countedNanos;
  private long measuredBitsPerSecond;
  private final Map<Flow, TcpInfo> sockets = new HashMap<>();
  private Optional<TcpInfo> tcp = Optional.empty();

  /**
   * What holds its rate.
   *
   * @param minor the number of its class on that interface
   */
  record Place(String device, int minor) {}

  Conversation(
      String id,
      ConversationKey key,
      Place place,
      ClassKey first,
      SocketFacts facts,
      long unixNanos,
      long nanos) {
    this.id = id;
    this.key = key;
    this.device = place.device();
    this.minor = place.minor();
    this.first = first;
    this.owner = facts.owner();
    this.remoteName = facts.remoteName().map(RemoteName::text).orElse("");
    this.firstSeenUnixNanos = unixNanos;
    this.lastAliveNanos = nanos;
    this.lastSentNanos = nanos;
  }

  public String id() {
    return id;
  }

  public ConversationKey key() {
    return key;
  }

  /** Whether this host receives it. */
  public boolean incoming() {
    return key.direction() == Direction.IN;
  }

  /**
   * The interface that holds its rate: the one it leaves by, or the agent's own for incoming ones.
   */
  public String device() {
    return device;
  }

  /** The number of its class on that interface. */
  public int minor() {
    return minor;
  }

  /** By what its first socket is sorted. */
  public ClassKey first() {
    return first;
  }

  public ProcessInfo owner() {
    return owner;
  }

  /** Whether its process is not known, and was not looked for in vain too often. */
  public boolean isOwnerWanted() {
    return owner.pid() == 0 && searches < MOST_SEARCHES;
  }

  /**
   * What a search has found.
   *
   * @return whether more is known than before
   */
  public boolean isOwnedBy(ProcessInfo found) {
    searches++;
    if (found.pid() == 0) {
      return false;
    }
    owner = found;
    return true;
  }

  /** Of the other end, as it was heard by then; else empty. */
  public String remoteName() {
    return remoteName;
  }

  public long firstSeenUnixNanos() {
    return firstSeenUnixNanos;
  }

  public Set<ClassKey> classKeys() {
    return classKeys;
  }

  /**
   * One of its sockets sends, or receives, what this matches.
   *
   * @return whether this changes what is to be told of it
   */
  public boolean matches(ClassKey ports) {
    if (matchesAll || ports.equals(first) || !moreMatches.add(ports)) {
      return false;
    }
    if (moreMatches.size() > PortMatches.MOST) {
      // For good: with each socket that comes and goes the rules of all others would change.
      matchesAll = true;
      moreMatches.clear();
    }
    return true;
  }

  /**
   * None of its sockets has this match any more.
   *
   * @return whether this changes what is to be told of it
   */
  public boolean matchesNoMore(ClassKey ports) {
    return moreMatches.remove(ports);
  }

  /** Besides that of its first socket, in a fixed order. */
  public Set<ClassKey> moreMatches() {
    return moreMatches;
  }

  /** Too many matches to tell: it is known by its addresses alone. */
  public boolean matchesAll() {
    return matchesAll;
  }

  /** Its sockets, as far as they are known. */
  public Set<Flow> flows() {
    return flows;
  }

  /** A socket that it had; the latest are remembered. */
  public void departed(Flow flow) {
    if (departed.size() == REMEMBERED) {
      departed.remove();
    }
    departed.add(flow);
  }

  public Collection<Flow> departed() {
    return departed;
  }

  /** 0 without a grant. */
  public long grantedBitsPerSecond() {
    return grantedBitsPerSecond;
  }

  /** The most that it may send while it borrows; 0 where it may not. */
  public long ceilingBitsPerSecond() {
    return ceilingBitsPerSecond;
  }

  /** Who borrows first: 0 before all others. */
  public int borrowRank() {
    return borrowRank;
  }

  /** Without anything to borrow. */
  public void grant(long bitsPerSecond) {
    grant(bitsPerSecond, 0, 0);
  }

  public void grant(long bitsPerSecond, long ceilingBitsPerSecond, int borrowRank) {
    grantedBitsPerSecond = bitsPerSecond;
    this.ceilingBitsPerSecond = ceilingBitsPerSecond;
    this.borrowRank = borrowRank;
  }

  public void borrowsNoMore() {
    ceilingBitsPerSecond = 0;
  }

  /** All that was sent so far, at each report. */
  public void sent(long bytes, long nanos) {
    if (countedNanos != 0 && nanos > countedNanos) {
      double bits = 8.0 * Math.max(0, bytes - countedBytes);
      measuredBitsPerSecond = Math.round(bits * 1e9 / (nanos - countedNanos));
    }
    countedBytes = bytes;
    countedNanos = nanos;
    if (bytes != lastSentBytes) {
      lastSentBytes = bytes;
      lastSentNanos = nanos;
    }
  }

  /** Between the last two reports. */
  public long measuredBitsPerSecond() {
    return measuredBitsPerSecond;
  }

  /** Those of its sockets that were asked about; what is known of others stays. */
  public void tcpIs(Map<Flow, TcpInfo> found) {
    sockets.keySet().retainAll(flows);
    long more = 0;
    long busy = 0;
    long farEnd = 0;
    boolean any = false;
    for (Flow flow : flows) {
      TcpInfo now = found.get(flow);
      if (now != null) {
        // Less than before is another socket's with the same ports.
        Optional<TcpInfo> before =
            Optional.ofNullable(sockets.put(flow, now))
                .filter(known -> known.retransmittedSegments() <= now.retransmittedSegments())
                .filter(known -> known.busyMicros() <= now.busyMicros());
        more += now.retransmittedSegments() - before.map(TcpInfo::retransmittedSegments).orElse(0L);
        busy += now.busyMicros() - before.map(TcpInfo::busyMicros).orElse(0L);
        farEnd += now.farEndMicros() - before.map(TcpInfo::farEndMicros).orElse(0L);
        any = true;
      }
    }
    if (any) {
      // Those of sockets that are gone still count.
      tcp =
          Optional.of(
              new TcpInfo(
                  tcp.map(TcpInfo::retransmittedSegments).orElse(0L) + more,
                  medianRtt(),
                  busy,
                  Math.max(0, farEnd)));
    }
  }

  private long medianRtt() {
    long[] known =
        sockets.values().stream()
            .mapToLong(TcpInfo::smoothedRttMicros)
            .filter(micros -> micros > 0)
            .sorted()
            .toArray();
    return known.length == 0 ? 0 : known[(known.length - 1) / 2];
  }

  /**
   * Segments sent again by all sockets it has had, the (lower) median of the present ones' round
   * trips, and what they were busy between the last two readings; empty where the kernel was not
   * asked yet, or has none of TCP.
   */
  public Optional<TcpInfo> tcp() {
    return tcp;
  }

  public long lastSentNanos() {
    return lastSentNanos;
  }

  public long lastAliveNanos() {
    return lastAliveNanos;
  }

  /** It had a socket then; what is known already is not taken back. */
  public void aliveAt(long nanos) {
    if (nanos - lastAliveNanos > 0) {
      lastAliveNanos = nanos;
    }
  }
}
