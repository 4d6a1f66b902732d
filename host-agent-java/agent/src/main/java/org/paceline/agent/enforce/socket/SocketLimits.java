package org.paceline.agent.enforce.socket;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.sockets.SocketHolders;
import org.paceline.agent.sockets.TcpInfoReader;
import org.paceline.agent.sockets.TcpSocket;

/**
 * Tells sockets of other processes how fast they may send, and reads from the kernel what they
 * hold. What a socket is told is written down before, for whoever has to take it back.
 */
public final class SocketLimits implements Closeable {
  private final TcpInfoReader kernel;
  private final SocketHolders holders = new SocketHolders(Path.of("/proc"));
  private final ForeignSockets foreign = new ForeignSockets();

  private SocketLimits(TcpInfoReader kernel) {
    this.kernel = kernel;
  }

  static SocketLimits open() throws IOException {
    return new SocketLimits(TcpInfoReader.open());
  }

  private record Order(PacedSocket socket, SharedRate of, long value, boolean lowers) {
    Order(PacedSocket socket, SharedRate of, long value) {
      this(socket, of, value, Long.compareUnsigned(value, socket.told()) < 0);
    }
  }

  /** Reads what these hold. */
  void look(Collection<PacedSocket> sockets) throws IOException {
    Map<String, List<PacedSocket>> byDevice = new LinkedHashMap<>();
    for (PacedSocket socket : sockets) {
      byDevice.computeIfAbsent(socket.device(), device -> new ArrayList<>()).add(socket);
    }
    long now = System.nanoTime();
    for (Map.Entry<String, List<PacedSocket>> on : byDevice.entrySet()) {
      List<Flow> flows = new ArrayList<>();
      for (PacedSocket one : on.getValue()) {
        flows.add(one.flow());
      }
      Map<Flow, TcpSocket> found = kernel.sockets(flows, on.getKey());
      for (PacedSocket one : on.getValue()) {
        one.isSeen(Optional.ofNullable(found.get(one.flow())), now);
      }
    }
  }

  /**
   * Tells the sockets of these what is due, and those that have left what was their own.
   *
   * @return what could not be done, and why
   */
  List<String> settle(
      Collection<SharedRate> classes, Collection<PacedSocket> left, SocketRecords records)
      throws IOException {
    long now = System.nanoTime();
    List<PacedSocket> unknown = new ArrayList<>(left);
    for (SharedRate shared : classes) {
      for (PacedSocket socket : shared.sockets()) {
        if (!socket.isKnown(now)) {
          unknown.add(socket);
        }
      }
    }
    look(unknown);
    List<String> complaints = new ArrayList<>();
    try {
      List<PacedSocket> changed = tell(classes, now, records);
      if (!changed.isEmpty()) {
        // They are gone, or their applications have told them something since they were read.
        look(changed);
        tell(classes, now, records);
      }
    } catch (IOException e) {
      complaints.add("What sockets had before cannot be written down: " + e.getMessage() + ".");
    }
    release(left, now, records);
    for (SharedRate shared : classes) {
      for (PacedSocket socket : shared.sockets()) {
        if (socket.isReachable()) {
          socket.trouble().ifPresent(complaints::add);
        }
      }
    }
    return complaints;
  }

  /** Those that are not as they were thought to be. */
  private List<PacedSocket> tell(Collection<SharedRate> classes, long now, SocketRecords records)
      throws IOException {
    List<Order> orders = new ArrayList<>();
    List<PacedSocket> strangers = new ArrayList<>();
    for (SharedRate shared : classes) {
      long share = shared.share();
      for (PacedSocket socket : shared.sockets()) {
        long due = shared.due(socket, share);
        if (socket.isReachable() && socket.told() != due) {
          orders.add(new Order(socket, shared, due));
          if (socket.holder().isEmpty() && socket.isToBeTried(now)) {
            strangers.add(socket);
          }
        }
      }
    }
    find(strangers, now);
    List<SocketRecord> written = new ArrayList<>();
    for (Order order : orders) {
      if (order.socket().holder().isPresent()) {
        written.add(order.socket().record(order.of(), order.value()));
      }
    }
    records.add(written);
    List<PacedSocket> changed = new ArrayList<>();
    // First who gives: together they never have more than their conversation.
    for (boolean lowering : List.of(true, false)) {
      for (Order order : orders) {
        if (order.lowers() == lowering && !tell(order.socket(), order.value(), now)) {
          changed.add(order.socket());
        }
      }
    }
    return changed;
  }

  private void release(Collection<PacedSocket> left, long now, SocketRecords records) {
    List<PacedSocket> free = new ArrayList<>(left);
    free.removeIf(socket -> !socket.isReachable() || socket.own() == socket.told());
    find(free, now);
    free.forEach(socket -> tell(socket, socket.own(), now));
    left.stream()
        .filter(socket -> !socket.isReachable() || socket.told() == socket.own())
        .forEach(socket -> records.forget(socket.cookie()));
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

  /** False where it is not as it was thought to be; true also where nobody is known to have it. */
  private boolean tell(PacedSocket socket, long value, long now) {
    if (socket.holder().isEmpty()) {
      return true;
    }
    try {
      long held = foreign.limit(socket.holder().get(), socket.cookie(), socket.told(), value);
      if (held == value) {
        socket.isTold(value);
      } else {
        socket.isOwn(held);
      }
      return held == value;
    } catch (IOException e) {
      // It may be another process's, or another file, by now.
      socket.fails(String.valueOf(e.getMessage()), now);
      return false;
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
  public static void restore(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (SocketLimits limits = open()) {
      Set<String> devices = new HashSet<>();
      SocketRecords.read(file).values().forEach(one -> devices.add(one.device()));
      List<PacedSocket> sockets =
          limits.holding(file, devices).stream().map(PacedSocket::inherited).toList();
      limits.look(sockets);
      List<PacedSocket> open = sockets.stream().filter(PacedSocket::isReachable).toList();
      long now = System.nanoTime();
      limits.find(open, now);
      open.forEach(socket -> limits.tell(socket, socket.own(), now));
    }
    Files.deleteIfExists(file);
  }

  @Override
  public void close() {
    foreign.close();
    kernel.close();
  }
}
