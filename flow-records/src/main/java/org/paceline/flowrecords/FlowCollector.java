package org.paceline.flowrecords;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.paceline.intents.address.IpAddress;

/**
 * Receives datagrams of exporters at a UDP port and has them decoded, in a thread of its own. What
 * comes faster than it is decoded waits in the socket's buffer; what finds no room there shows in
 * the exporters' sequence numbers.
 */
public final class FlowCollector implements AutoCloseable {
  /** What is asked for; the kernel gives at most net.core.rmem_max. */
  private static final int BUFFER_BYTES = 16 << 20;

  private static final int LARGEST_DATAGRAM = 1 << 16;
  private static final long PAUSE_MILLIS = 1_000;

  private final DatagramSocket socket;
  private final Function<IpAddress, Optional<FlowDecoder>> decoders;
  private final Consumer<Throwable> faults;
  private final Thread thread;
  private final AtomicLong refused = new AtomicLong();

  private FlowCollector(
      DatagramSocket socket,
      Function<IpAddress, Optional<FlowDecoder>> decoders,
      Consumer<Throwable> faults) {
    this.socket = socket;
    this.decoders = decoders;
    this.faults = faults;
    this.thread = new Thread(this::receive, "flow-collector");
    thread.setDaemon(true);
  }

  /**
   * Begins to receive.
   *
   * @param at port 0 for any that is free
   * @param exporters whose datagrams are taken; empty for everybody's
   * @param faults hears what is thrown where a datagram is received or taken in; the next one is
   * @throws IOException if the port cannot be had
   */
  public static FlowCollector open(
      InetSocketAddress at,
      Set<IpAddress> exporters,
      FlowDecoder decoder,
      Consumer<Throwable> faults)
      throws IOException {
    Set<IpAddress> taken = Set.copyOf(exporters);
    Optional<FlowDecoder> all = Optional.of(decoder);
    return open(
        at, from -> taken.isEmpty() ? all : all.filter(any -> taken.contains(from)), faults);
  }

  /**
   * The same with several decoders.
   *
   * @param decoders who takes an exporter's datagrams; empty where nobody does
   * @throws IOException if the port cannot be had
   */
  public static FlowCollector open(
      InetSocketAddress at,
      Function<IpAddress, Optional<FlowDecoder>> decoders,
      Consumer<Throwable> faults)
      throws IOException {
    DatagramSocket socket = new DatagramSocket(at);
    try {
      socket.setReceiveBufferSize(BUFFER_BYTES);
    } catch (SocketException e) {
      socket.close();
      throw e;
    }
    FlowCollector collector = new FlowCollector(socket, decoders, faults);
    collector.thread.start();
    return collector;
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** Datagrams of others than the exporters, which were dropped. */
  public long refused() {
    return refused.get();
  }

  private void receive() {
    DatagramPacket packet = new DatagramPacket(new byte[LARGEST_DATAGRAM], LARGEST_DATAGRAM);
    while (!socket.isClosed()) {
      try {
        packet.setLength(LARGEST_DATAGRAM);
        socket.receive(packet);
        take(packet);
      } catch (IOException e) {
        if (!socket.isClosed()) {
          faults.accept(e);
          pause();
        }
      } catch (RuntimeException | Error bug) {
        faults.accept(bug);
      }
    }
  }

  private void take(DatagramPacket packet) {
    IpAddress from = IpAddress.of(packet.getAddress());
    decoders
        .apply(from)
        .ifPresentOrElse(
            decoder -> decoder.decode(from, packet.getData(), packet.getLength()),
            refused::incrementAndGet);
  }

  /** What the kernel refuses it may refuse again at once. */
  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends to receive. When it returns, no more records come. */
  @Override
  public void close() {
    socket.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
