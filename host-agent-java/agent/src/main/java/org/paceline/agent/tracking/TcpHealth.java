package org.paceline.agent.tracking;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.sockets.TcpInfo;
import org.paceline.agent.sockets.TcpInfoReader;
import org.paceline.agent.sockets.TcpSocket;

/**
 * What the kernel knows of conversations' TCP sockets: round trips, and what was sent again. It is
 * asked with a report, every few seconds at most, and only about conversations that have sent since
 * the last time: nothing of this changes without a packet. Owned by one thread.
 */
public final class TcpHealth implements Closeable {
  private static final Duration PAUSE = Duration.ofSeconds(4);

  private final Console console;
  private Optional<TcpInfoReader> reader = Optional.empty();
  private boolean refused;
  private long lastNanos = System.nanoTime();

  public TcpHealth(Console console) {
    this.console = console;
  }

  /** Where it is time, asks about those of these that have sent. */
  public void read(Collection<Conversation> all) {
    long now = System.nanoTime();
    if (refused || now - lastNanos < PAUSE.toNanos()) {
      return;
    }
    Map<String, Set<Flow>> asked = new LinkedHashMap<>();
    for (Conversation one : all) {
      // What has left just before the last time may have been acknowledged just after it.
      if (!one.incoming() && one.lastSentNanos() - lastNanos >= -PAUSE.toNanos()) {
        asked.computeIfAbsent(one.device(), device -> new HashSet<>()).addAll(one.flows());
      }
    }
    lastNanos = now;
    if (asked.isEmpty()) {
      return;
    }
    try {
      Map<Flow, TcpInfo> found = new HashMap<>();
      for (Map.Entry<String, Set<Flow>> device : asked.entrySet()) {
        found.putAll(reader().read(device.getValue(), device.getKey()));
      }
      all.forEach(one -> one.tcpIs(found));
    } catch (IOException e) {
      refused = true;
      close();
      console.say("round trips and what is sent again are not reported: " + e.getMessage());
    }
  }

  /** What those of these that are there have sent; nothing where the kernel does not tell. */
  Map<Flow, TcpSocket> sockets(Collection<Flow> flows, String device) {
    try {
      return refused ? Map.of() : reader().sockets(flows, device);
    } catch (IOException e) {
      return Map.of();
    }
  }

  private TcpInfoReader reader() throws IOException {
    if (reader.isEmpty()) {
      reader = Optional.of(TcpInfoReader.open());
    }
    return reader.get();
  }

  @Override
  public void close() {
    reader.ifPresent(TcpInfoReader::close);
    reader = Optional.empty();
  }
}
