package org.paceline.agent.enforce.socket;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.Flow;

/** A conversation's sockets, and the rate that they have together; 0: none. */
final class SharedRate {
  // What is done for each of a thousand sockets, twenty times a second, has no stream and no lambda
  // that captures: the agent's small compiler makes each by a call into the virtual machine.
  private final int minor;
  private final Map<Flow, PacedSocket> sockets = new LinkedHashMap<>();
  private final Set<ClassKey> datagrams = new HashSet<>();
  private String device = "";
  private long rate;
  private long sentBefore;

  SharedRate(int minor) {
    this.minor = minor;
  }

  int minor() {
    return minor;
  }

  String device() {
    return device;
  }

  /** In bits of frames per second. */
  long rate() {
    return rate;
  }

  /**
   * @param by the interface that all of it leaves by
   */
  void grant(String by, long bitsPerSecond) {
    device = by;
    rate = bitsPerSecond;
    sockets.values().forEach(socket -> socket.isOn(by));
  }

  boolean isHeldOn(String by) {
    return rate > 0 && device.equals(by);
  }

  Collection<PacedSocket> sockets() {
    return sockets.values();
  }

  void add(PacedSocket socket) {
    socket.isOn(device);
    sockets.put(socket.flow(), socket);
  }

  /** What it has sent stays counted here. */
  Optional<PacedSocket> remove(Flow flow) {
    Optional<PacedSocket> removed = Optional.ofNullable(sockets.remove(flow));
    if (removed.isPresent()) {
      sentBefore += removed.get().sentBytes();
      removed.get().countsAnew();
    }
    return removed;
  }

  void addDatagrams(ClassKey key) {
    datagrams.add(key);
  }

  void letDatagramsGo(ClassKey key) {
    datagrams.remove(key);
  }

  boolean sendsDatagrams() {
    return !datagrams.isEmpty();
  }

  boolean isEmpty() {
    return rate == 0 && sockets.isEmpty() && datagrams.isEmpty();
  }

  /** What each of those that the kernel knows may send, in bytes of frames per second. */
  long share() {
    int alive = 0;
    for (PacedSocket socket : sockets.values()) {
      alive += socket.seen().isPresent() ? 1 : 0;
    }
    return rate / Byte.SIZE / Math.max(1, alive);
  }

  /**
   * What this one is to hold, in bytes of payload per second; unlimited, but for what it had
   * itself, where there is no rate.
   *
   * @param share as {@link #share} says
   */
  long due(PacedSocket socket, long share) {
    if (rate == 0) {
      return socket.own();
    }
    long payload = socket.seen().isPresent() ? socket.seen().get().payloadRate(share) : 1;
    return socket.within(Math.max(1, payload));
  }

  boolean isHeld() {
    long share = share();
    for (PacedSocket socket : sockets.values()) {
      if (socket.isReachable() && socket.told() != due(socket, share)) {
        return false;
      }
    }
    return datagrams.isEmpty();
  }

  /** Who accepts a socket is not told of: it has to be looked at again. */
  boolean isAwaited() {
    for (PacedSocket socket : sockets.values()) {
      if (socket.seen().isPresent() && !socket.isReachable()) {
        return true;
      }
    }
    return false;
  }

  /** As far as it holds: a part of its packets beyond it is all of it. */
  ClassStatistics statistics() {
    long sent = sentBefore;
    for (PacedSocket socket : sockets.values()) {
      sent += socket.sentBytes();
    }
    return new ClassStatistics(minor, ClassRate.of(isHeld() ? rate : 0), sent, 0, 0, 0);
  }
}
