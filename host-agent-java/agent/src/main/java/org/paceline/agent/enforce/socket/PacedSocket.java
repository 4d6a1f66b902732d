package org.paceline.agent.enforce.socket;

import java.util.Optional;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.sockets.SocketHolders;
import org.paceline.agent.sockets.TcpSocket;

/** One TCP socket of a conversation, as far as the agent has dealt with it. Owned by one thread. */
final class PacedSocket {
  private static final long FIRST_PAUSE_NANOS = 50_000_000L;
  private static final long LAST_PAUSE_NANOS = 10_000_000_000L;
  // Every report reads all of them.
  private static final long KNOWN_NANOS = 2_000_000_000L;

  private final Flow flow;
  private String device;
  private long cookie;
  private long own = TcpSocket.ANY_RATE;
  private long told = TcpSocket.ANY_RATE;
  private long sentBytes;
  private long uncountedBytes;
  private Optional<TcpSocket> seen = Optional.empty();
  private long readNanos;
  private Optional<SocketHolders.Holder> holder = Optional.empty();
  private Optional<String> trouble = Optional.empty();
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long triedNanos;

  /**
   * @param device by which it sends
   */
  PacedSocket(Flow flow, String device) {
    this.flow = flow;
    this.device = device;
  }

  /** As an agent that was killed has left it. */
  static PacedSocket inherited(SocketRecord left) {
    PacedSocket socket = new PacedSocket(left.flow(), left.device());
    socket.cookie = left.cookie();
    socket.own = left.own();
    socket.told = left.told();
    return socket;
  }

  Flow flow() {
    return flow;
  }

  String device() {
    return device;
  }

  void isOn(String other) {
    device = other;
  }

  long cookie() {
    return cookie;
  }

  /** What the kernel shows of it; empty where it is over. */
  Optional<TcpSocket> seen() {
    return seen;
  }

  /** Read anew. */
  void isSeen(Optional<TcpSocket> now, long nanos) {
    if (now.isPresent()) {
      TcpSocket socket = now.get();
      if (socket.cookie() != cookie) {
        cookie = socket.cookie();
        isHeldBy(Optional.empty());
        uncountedBytes = socket.sentFrameBytes() - sentBytes;
        isOwn(socket.greatestRate());
      } else if (socket.greatestRate() != told) {
        isOwn(socket.greatestRate());
      }
      sentBytes = Math.max(sentBytes, socket.sentFrameBytes() - uncountedBytes);
    }
    seen = now;
    readNanos = nanos;
  }

  /** What it holds without having been told: its application has said so. */
  void isOwn(long rate) {
    told = rate;
    own = rate;
  }

  /**
   * A socket that nobody has accepted yet sends nothing; one that was closed keeps what it had. The
   * kernel knows such a socket, but nobody has it open.
   */
  boolean isReachable() {
    return seen.isPresent() && seen.get().inode() != 0;
  }

  /** Whether what was read of it is enough to tell it a rate: whether it is still there, shows. */
  boolean isKnown(long nanos) {
    return isReachable() && nanos - readNanos < KNOWN_NANOS;
  }

  /** What it is to hold where its conversation leaves it this: never more than it had itself. */
  long within(long payloadBytesPerSecond) {
    return Long.compareUnsigned(own, payloadBytesPerSecond) < 0 ? own : payloadBytesPerSecond;
  }

  /** What it had before any agent. */
  long own() {
    return own;
  }

  /** What it was read to hold last. */
  long told() {
    return told;
  }

  void isTold(long value) {
    told = value;
    trouble = Optional.empty();
    pauseNanos = FIRST_PAUSE_NANOS;
  }

  Optional<SocketHolders.Holder> holder() {
    return holder;
  }

  void isHeldBy(Optional<SocketHolders.Holder> found) {
    holder = found;
  }

  /** It could not be told: it is tried again, ever more seldom. */
  void fails(String why, long nanos) {
    holder = Optional.empty();
    trouble = Optional.of(flow + ": " + why + ".");
    triedNanos = nanos;
    pauseNanos = Math.min(2 * pauseNanos, LAST_PAUSE_NANOS);
  }

  /** Why it could not be told when that was tried last. */
  Optional<String> trouble() {
    return trouble;
  }

  boolean isToBeTried(long nanos) {
    return trouble.isEmpty() || nanos - triedNanos >= pauseNanos;
  }

  /** It is another conversation's from now on. */
  void countsAnew() {
    uncountedBytes += sentBytes;
    sentBytes = 0;
  }

  /** Of its frames, since it was seen first. */
  long sentBytes() {
    return sentBytes;
  }

  SocketRecord record(SharedRate of, long value) {
    return new SocketRecord(cookie, of.device(), of.minor(), of.rate(), value, own, flow);
  }
}
