package org.paceline.agent.pace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.SocketHolders;
import org.paceline.agent.sense.TcpInfoReader;
import org.paceline.agent.sense.TcpSocket;

/**
 * Tells sockets of other processes how fast they may send, and reads from the kernel what they
 * hold. What a socket is told is written down before, for whoever has to take it back.
 */
final class SocketLimits implements Closeable {
  private final TcpInfoReader kernel;
  private final SocketHolders holders = new SocketHolders(Path.of("/proc"));

  private SocketLimits(TcpInfoReader kernel) {
    this.kernel = kernel;
  }

  static SocketLimits open() throws IOException {
    return new SocketLimits(TcpInfoReader.open());
  }

  private record Order(PacedSocket socket, SocketRates.Shared of, long value) {
    boolean lowers() {
      return Long.compareUnsigned(value, socket.told()) < 0;
    }
  }

  /** Reads what these hold. */
  void look(Collection<PacedSocket> sockets) throws IOException {
    Map<String, List<PacedSocket>> byDevice = new LinkedHashMap<>();
    for (PacedSocket socket : sockets) {
      byDevice.computeIfAbsent(socket.device(), device -> new ArrayList<>()).add(socket);
    }
    for (Map.Entry<String, List<PacedSocket>> on : byDevice.entrySet()) {
      Map<Flow, TcpSocket> found =
          kernel.sockets(on.getValue().stream().map(PacedSocket::flow).toList(), on.getKey());
      on.getValue().forEach(one -> one.isSeen(Optional.ofNullable(found.get(one.flow()))));
    }
  }

  /**
   * Tells the sockets of these what is due, and those that have left what was their own.
   *
   * @return what could not be done, and why
   */
  List<String> settle(
      Collection<SocketRates.Shared> classes, Collection<PacedSocket> left, SocketRecords records)
      throws IOException {
    List<PacedSocket> all = new ArrayList<>(left);
    classes.forEach(shared -> all.addAll(shared.sockets()));
    look(all);
    List<Order> orders = new ArrayList<>();
    for (SocketRates.Shared shared : classes) {
      shared.sockets().forEach(socket -> orders.add(new Order(socket, shared, shared.due(socket))));
    }
    orders.removeIf(o -> !isReachable(o.socket()) || o.value() == o.socket().told());
    List<PacedSocket> free = new ArrayList<>(left);
    free.removeIf(socket -> !isReachable(socket) || socket.own() == socket.told());
    long now = System.nanoTime();
    List<PacedSocket> tried = new ArrayList<>(free);
    orders.stream().map(Order::socket).filter(s -> s.isToBeTried(now)).forEach(tried::add);
    find(tried, now);
    List<String> complaints = new ArrayList<>();
    try {
      records.add(
          orders.stream()
              .filter(o -> o.socket().holder().isPresent())
              .map(o -> o.socket().record(o.of(), o.value()))
              .toList());
      // First what gives: together they never have more than their conversation.
      orders.sort(Comparator.comparing(Order::lowers).reversed());
      orders.forEach(o -> tell(o.socket(), o.value(), now));
    } catch (IOException e) {
      complaints.add("What sockets had before cannot be written down: " + e.getMessage() + ".");
    }
    free.forEach(socket -> tell(socket, socket.own(), now));
    left.stream()
        .filter(socket -> !isReachable(socket) || socket.told() == socket.own())
        .forEach(socket -> records.forget(socket.cookie()));
    orders.forEach(o -> o.socket().trouble().ifPresent(complaints::add));
    return complaints;
  }

  /** A socket that nobody has accepted yet sends nothing; one that was closed keeps what it had. */
  private static boolean isReachable(PacedSocket socket) {
    return socket.seen().filter(seen -> seen.inode() != 0).isPresent();
  }

  /** By whom these can be told, where that is not known. */
  private void find(Collection<PacedSocket> sockets, long now) {
    Map<Long, PacedSocket> missing = new HashMap<>();
    for (PacedSocket socket : sockets) {
      if (socket.holder().isEmpty()) {
        socket.seen().ifPresent(seen -> missing.put(seen.inode(), socket));
      }
    }
    if (!missing.isEmpty()) {
      Map<Long, SocketHolders.Holder> found = holders.find(missing.keySet());
      missing.forEach(
          (inode, socket) -> {
            socket.isHeldBy(Optional.ofNullable(found.get(inode)));
            if (socket.holder().isEmpty()) {
              socket.fails("no process was found that has this socket", now);
            }
          });
    }
  }

  private static void tell(PacedSocket socket, long value, long now) {
    if (socket.holder().isEmpty()) {
      return;
    }
    try {
      ForeignSocket.limit(socket.holder().get(), socket.cookie(), value);
      socket.isTold(value);
    } catch (IOException e) {
      // It may be another process's, or another file, by now.
      socket.fails(String.valueOf(e.getMessage()), now);
    }
  }

  /**
   * Of those that an agent has written down there, the ones that still hold what they were told.
   */
  List<SocketRecord> holding(Path file, Collection<String> devices) throws IOException {
    Map<String, List<SocketRecord>> byDevice = new HashMap<>();
    for (SocketRecord one : SocketRecords.read(file).values()) {
      byDevice.computeIfAbsent(one.device(), device -> new ArrayList<>()).add(one);
    }
    List<SocketRecord> holding = new ArrayList<>();
    for (Map.Entry<String, List<SocketRecord>> on : byDevice.entrySet()) {
      if (devices.contains(on.getKey())) {
        Map<Flow, TcpSocket> found =
            kernel.sockets(on.getValue().stream().map(SocketRecord::flow).toList(), on.getKey());
        on.getValue().stream()
            .filter(
                one -> Optional.ofNullable(found.get(one.flow())).filter(one::holdsIn).isPresent())
            .forEach(holding::add);
      }
    }
    return holding;
  }

  /** Gives sockets back what they had before an agent that has gone without doing so. */
  static void restore(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (SocketLimits limits = open()) {
      Set<String> devices = new HashSet<>();
      SocketRecords.read(file).values().forEach(one -> devices.add(one.device()));
      List<PacedSocket> sockets =
          limits.holding(file, devices).stream().map(PacedSocket::inherited).toList();
      limits.look(sockets);
      List<PacedSocket> open = sockets.stream().filter(SocketLimits::isReachable).toList();
      long now = System.nanoTime();
      limits.find(open, now);
      open.forEach(socket -> tell(socket, socket.own(), now));
    }
    Files.deleteIfExists(file);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
