package org.paceline.agent.ports;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.pacing.RootQueue;
import org.paceline.agent.posix.Command;

/**
 * Divides ports as it is told, and says how they are divided. What an agent that was killed has
 * left is gone on with: a division holds nobody back, so it may stay while nobody watches it. Owned
 * by one thread.
 */
public final class PortDivider implements Closeable {
  private final Map<String, Duration> ports;
  private final PortReader reader;
  private final Map<String, Beginning> watched = new HashMap<>();

  /** When queues were made or found. */
  private record Beginning(Instant at, long nanos) {
    static Beginning now() {
      return new Beginning(Instant.now(), System.nanoTime());
    }

    Duration running() {
      return Duration.ofNanos(System.nanoTime() - nanos);
    }
  }

  /**
   * @param ports the interfaces, each with the time that a full buffer takes to be sent
   */
  public PortDivider(Map<String, Duration> ports) throws IOException {
    this.ports = new LinkedHashMap<>(ports);
    this.reader = new PortReader();
  }

  /** The ports that are wholly divided, with what the kernel shows. */
  public Map<String, DividedPort> divided() throws IOException {
    Map<String, DividedPort> divided = new LinkedHashMap<>();
    for (Map.Entry<String, Duration> port : ports.entrySet()) {
      String name = port.getKey();
      PortReader.Reading now = read(name, port.getValue());
      if (now.shares().isEmpty()) {
        watched.remove(name);
        continue;
      }
      Beginning since = watched.computeIfAbsent(name, any -> Beginning.now());
      divided.put(
          name,
          new DividedPort(
              now.shares().get(), now.elephants(), now.others(), since.at(), since.running()));
    }
    return divided;
  }

  /** What an agent of an earlier version has left is made complete, and loses nothing. */
  private PortReader.Reading read(String port, Duration buffer) throws IOException {
    PortReader.Reading found = reader.read(port, buffer);
    if (found.standing() != PortReader.Standing.EARLIER) {
      return found;
    }
    String script = PortTree.completion(port, found.shares().orElseThrow(), buffer);
    Command.feed(script, "tc", "-batch", "-");
    return reader.read(port, buffer);
  }

  /**
   * Gives the port these shares; nothing happens where it has them.
   *
   * @return why it has not; empty where it has
   */
  public Optional<String> divide(String port, PortShares shares) throws IOException {
    Duration buffer = ports.get(port);
    if (buffer == null) {
      return Optional.of("This agent does not divide the port (" + port + ").");
    }
    if (Netlink.index(port).isEmpty()) {
      return Optional.of("There is no interface (" + port + ").");
    }
    PortReader.Reading now = read(port, buffer);
    if (now.shares().equals(Optional.of(shares))) {
      return Optional.empty();
    }
    Optional<RootQueue> foreign =
        now.standing() == PortReader.Standing.UNDIVIDED ? RootQueue.of(port) : Optional.empty();
    if (foreign.isPresent()) {
      return Optional.of(
          "The interface ("
              + port
              + ") has a queue of somebody else's ("
              + foreign.get().name()
              + "). Maybe take it away: tc qdisc del dev "
              + port
              + " root.");
    }
    if (now.standing() != PortReader.Standing.DIVIDED) {
      watched.remove(port);
    }
    Command.Outcome outcome = Command.feed(script(port, now, shares, buffer), "tc", "-batch", "-");
    if (!reader.read(port, buffer).shares().equals(Optional.of(shares))) {
      return Optional.of(
          outcome.ok() ? "It is read back otherwise than told." : oneLine(outcome.output()));
    }
    return Optional.empty();
  }

  private static String script(
      String port, PortReader.Reading now, PortShares shares, Duration buffer) {
    return switch (now.standing()) {
      case UNDIVIDED -> PortTree.creation(port, shares, buffer);
      case BROKEN, EARLIER -> PortTree.removal(port) + PortTree.creation(port, shares, buffer);
      case DIVIDED ->
          now.shares().filter(held -> held.dscp() == shares.dscp()).isPresent()
              ? PortTree.change(port, shares, buffer)
              : PortTree.changeWithFilters(port, shares, buffer);
    };
  }

  private static String oneLine(String text) {
    return text.trim().replace('\n', ' ');
  }

  /** The port is one queue again, as the kernel makes it by itself. */
  public void clear(String port) throws IOException {
    if (ports.containsKey(port)
        && reader.read(port, Duration.ZERO).standing() != PortReader.Standing.UNDIVIDED) {
      watched.remove(port);
      Command.feed(PortTree.removal(port), "tc", "-batch", "-");
    }
  }

  /** Clears all. */
  @Override
  public void close() throws IOException {
    try {
      for (String port : ports.keySet()) {
        clear(port);
      }
    } finally {
      reader.close();
    }
  }
}
