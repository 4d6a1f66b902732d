package org.paceline.agent.tracking;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.sockets.InterfaceCounts;
import org.paceline.agent.sockets.ProcessInfo;

/**
 * What leaves by the managed interfaces and is no conversation's: what the interfaces count, less
 * what the conversations' classes count. Who sends most of it, where that is by TCP, is looked for
 * only while it is notable. Owned by one thread.
 */
public final class UnmanagedTrafficCounter {
  /** In a second; less is what every host says to its neighbours. */
  private static final long NOTABLE_BYTES = 125_000;

  /** Who sends most is among the first so many sockets, or is not found. */
  private static final int MOST_ASKED = 2_000;

  private final Path counters;
  private final List<String> devices;
  private final SocketTable socketTable;
  private final Conversations conversations;
  private final TcpHealth tcp;
  private Optional<Sample> last = Optional.empty();
  private Map<Conversation, Long> counted = Map.of();
  private Map<Flow, Long> sentBySocket = Map.of();
  private long sentBytes;
  private Optional<Sender> most = Optional.empty();

  private record Sample(long interfaces, long nanos) {}

  /** Who sends most of it, and to whom. */
  public record Sender(ProcessInfo process, Flow flow) {}

  /**
   * @param counters normally /proc/net/dev, which is the namespace of who reads it
   */
  public UnmanagedTrafficCounter(
      Path counters,
      List<String> devices,
      SocketTable socketTable,
      Conversations conversations,
      TcpHealth tcp) {
    this.counters = counters;
    this.devices = List.copyOf(devices);
    this.socketTable = socketTable;
    this.conversations = conversations;
    this.tcp = tcp;
  }

  /** Bytes of frames since the first count. */
  public long sentBytes() {
    return sentBytes;
  }

  /** Empty where little is sent so, or nobody was found. */
  public Optional<Sender> most() {
    return most;
  }

  /**
   * Counts what was sent since the last time.
   *
   * @param statistics as just read
   */
  public void count(Map<Conversation, ClassStatistics> statistics) throws IOException {
    long nanos = System.nanoTime();
    Map<String, InterfaceCounts> counts = InterfaceCounts.read(counters);
    long interfaces =
        devices.stream()
            .map(device -> Optional.ofNullable(counts.get(device)))
            .mapToLong(one -> one.map(InterfaceCounts::sentBytes).orElse(0L))
            .sum();
    long managed = 0;
    Map<Conversation, Long> now = new HashMap<>();
    for (Map.Entry<Conversation, ClassStatistics> each : statistics.entrySet()) {
      if (!each.getKey().incoming()) {
        long sent = each.getValue().sentBytes();
        now.put(each.getKey(), sent);
        managed += Math.max(0, sent - counted.getOrDefault(each.getKey(), 0L));
      }
    }
    counted = now;
    Optional<Sample> before = last;
    last = Optional.of(new Sample(interfaces, nanos));
    if (before.isEmpty()) {
      return;
    }
    // Packets that the queue cuts are counted with more headers than the interface saw.
    long more = Math.max(0, interfaces - before.get().interfaces() - managed);
    sentBytes += more;
    double seconds = Math.max(1, nanos - before.get().nanos()) / 1e9;
    most = more / seconds >= NOTABLE_BYTES ? search() : Optional.empty();
  }

  private Optional<Sender> search() {
    Map<String, List<Flow>> byDevice = new HashMap<>();
    List<Flow> others =
        socketTable.sending().stream()
            .filter(flow -> !conversations.knows(flow))
            .limit(MOST_ASKED)
            .toList();
    socketTable
        .sendingByInterface(others)
        .forEach(
            (flow, device) -> byDevice.computeIfAbsent(device, d -> new ArrayList<>()).add(flow));
    Map<Flow, Long> sent = new HashMap<>();
    byDevice.forEach(
        (device, flows) ->
            tcp.sockets(flows, device)
                .forEach((flow, socket) -> sent.put(flow, socket.sentBytes())));
    Map<Flow, Long> earlier = sentBySocket;
    sentBySocket = sent;
    return sent.entrySet().stream()
        .max(Comparator.comparingLong(s -> s.getValue() - earlier.getOrDefault(s.getKey(), 0L)))
        .map(Map.Entry::getKey)
        .map(flow -> new Sender(socketTable.holder(Set.of(flow)), flow));
  }
}
