package org.paceline.flowrecords;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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

  private final DatagramSocket socket;
  private final Set<IpAddress> exporters;
  private final FlowDecoder decoder;
  private final Thread thread;
  private final AtomicLong refused = new AtomicLong();

  private FlowCollector(DatagramSocket socket, Set<IpAddress> exporters, FlowDecoder decoder) {
    this.socket = socket;
    this.exporters = Set.copyOf(exporters);
    this.decoder = decoder;
    this.thread = new Thread(this::receive, "flow-collector");
    thread.setDaemon(true);
  }

  /**
   * Begins to receive.
   *
   * @param at port 0 for any that is free
   * @param exporters whose datagrams are taken; empty for everybody's
   * @throws IOException if the port cannot be had
   */
  public static FlowCollector open(
      InetSocketAddress at, Set<IpAddress> exporters, FlowDecoder decoder) throws IOException {
    DatagramSocket socket = new DatagramSocket(at);
    try {
      socket.setReceiveBufferSize(BUFFER_BYTES);
    } catch (SocketException e) {
      socket.close();
      throw e;
    }
    FlowCollector collector = new FlowCollector(socket, exporters, decoder);
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
      } catch (IOException e) {
        if (socket.isClosed()) {
          return;
        }
        throw new UncheckedIOException(e);
      }
      IpAddress from = IpAddress.of(packet.getAddress());
      if (exporters.isEmpty() || exporters.contains(from)) {
        decoder.decode(from, packet.getData(), packet.getLength());
      } else {
        refused.incrementAndGet();
      }
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
