package org.paceline.bench.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** What talks in the namespaces, each as a process of its own that says "ready" first. */
final class Load {
  static final int STREAMS = 8080;
  static final int BURSTS = 8081;
  static final int IDLE = 9000;
  static final int DATAGRAMS = 9;
  static final int ECHO = 7;
  static final int METRICS = 9560;

  /** What each of BURSTS sends at once, every 1 to 3 s. */
  static final int BURST_BYTES = 8_000;

  private Load() {}

  public static void main(String[] words) throws Exception {
    int number = Integer.parseInt(words[1]);
    switch (words[0]) {
      case "pour" -> pour();
      case "drain" -> drain(Hosts.ADDRESSES * number, STREAMS);
      case "bursts" -> bursts();
      case "take-bursts" -> drain(number, BURSTS);
      case "datagrams" -> datagrams();
      case "echo" -> echo();
      case "ping" -> ping(number);
      case "scrape" -> scrape();
      case "idle" -> idle(number, Integer.parseInt(words[2]));
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private static void ready() {
    System.out.println("ready");
  }

  /**
   * Accepts on both ports, and sends all it can to whoever asks for streams, on every processor:
   * what one alone can send is less than is granted in sum.
   */
  private static void pour() throws IOException {
    List<Selector> pouring = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Selector selector = Selector.open();
      pouring.add(selector);
      new Thread(() -> pour(selector)).start();
    }
    Selector accepting = Selector.open();
    for (int port : new int[] {STREAMS, IDLE}) {
      ServerSocketChannel server = ServerSocketChannel.open();
      server.bind(new InetSocketAddress(Hosts.SENDER, port), 4_096);
      server.configureBlocking(false);
      server.register(accepting, SelectionKey.OP_ACCEPT);
    }
    ready();
    while (true) {
      accepting.select(
          key -> {
            try {
              accept((ServerSocketChannel) key.channel(), pouring);
            } catch (IOException e) {
              key.cancel();
            }
          });
    }
  }

  private static void accept(ServerSocketChannel server, List<Selector> pouring)
      throws IOException {
    for (SocketChannel one = server.accept(); one != null; one = server.accept()) {
      one.configureBlocking(false);
      boolean streams = server.socket().getLocalPort() == STREAMS;
      Selector next = pouring.remove(0);
      pouring.add(next);
      one.register(next, streams ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
      next.wakeup();
    }
  }

  private static void pour(Selector selector) {
    ByteBuffer block = ByteBuffer.allocateDirect(65_536);
    while (true) {
      try {
        selector.select(
            key -> {
              try {
                if (key.isReadable()) {
                  end(key, block);
                } else {
                  ((SocketChannel) key.channel()).write(block.clear());
                }
              } catch (IOException e) {
                key.cancel();
              }
            });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void end(SelectionKey key, ByteBuffer block) throws IOException {
    if (((SocketChannel) key.channel()).read(block.clear()) < 0) {
      key.channel().close();
    }
  }

  /** Whoever connects gets a burst, is left alone for a moment, and gets the next. */
  private static void bursts() throws Exception {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(Hosts.SENDER, BURSTS), 4_096);
    server.configureBlocking(false);
    ByteBuffer burst = ByteBuffer.allocateDirect(BURST_BYTES);
    Random random = new Random(1);
    NavigableMap<Long, SocketChannel> due = new TreeMap<>();
    ready();
    while (true) {
      for (SocketChannel one = server.accept(); one != null; one = server.accept()) {
        one.configureBlocking(false);
        putOff(due, one, random.nextInt(2_000));
      }
      while (!due.isEmpty() && due.firstKey() <= System.nanoTime()) {
        SocketChannel one = due.pollFirstEntry().getValue();
        try {
          // What does not fit into the socket's buffer is left out: the last is still waiting then.
          one.write(burst.clear());
          putOff(due, one, 1_000 + random.nextInt(2_000));
        } catch (IOException e) {
          one.close();
        }
      }
      Thread.sleep(1);
    }
  }

  private static void putOff(
      NavigableMap<Long, SocketChannel> due, SocketChannel one, int milliseconds) {
    long when = System.nanoTime() + milliseconds * 1_000_000L;
    while (due.putIfAbsent(when, one) != null) {
      when++;
    }
  }

  /** As many sockets, from each of the receiver's addresses in turn. */
  private static void drain(int sockets, int port) throws IOException {
    Selector selector = Selector.open();
    for (int i = 0; i < sockets; i++) {
      SocketChannel one = SocketChannel.open();
      one.bind(new InetSocketAddress(Hosts.address(i % Hosts.ADDRESSES), 0));
      one.connect(new InetSocketAddress(Hosts.SENDER, port));
      one.configureBlocking(false);
      one.register(selector, SelectionKey.OP_READ);
    }
    ready();
    ByteBuffer block = ByteBuffer.allocateDirect(1 << 20);
    while (true) {
      selector.select(
          key -> {
            try {
              ((SocketChannel) key.channel()).read(block.clear());
            } catch (IOException e) {
              key.cancel();
            }
          });
    }
  }

  /** To each of the receiver's addresses, as fast as the socket takes them. */
  private static void datagrams() throws IOException {
    for (int i = 0; i < Hosts.ADDRESSES; i++) {
      DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName(Hosts.SENDER));
      // The usual size, also where the host's default was raised: it is what holds a sender back.
      socket.setSendBufferSize(106_496);
      socket.connect(InetAddress.getByName(Hosts.address(i)), DATAGRAMS);
      new Thread(() -> send(socket)).start();
    }
    ready();
  }

  private static void send(DatagramSocket socket) {
    DatagramPacket packet = new DatagramPacket(new byte[1_400], 1_400);
    while (true) {
      try {
        socket.send(packet);
      } catch (IOException e) {
        // Nobody listens at the other end, of which this socket is told now and then.
        continue;
      }
    }
  }

  private static void echo() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(ECHO, InetAddress.getByName(Hosts.RECEIVER))) {
      ready();
      DatagramPacket packet = new DatagramPacket(new byte[64], 64);
      while (true) {
        socket.receive(packet);
        socket.send(packet);
      }
    }
  }

  /** Every 20 ms; says each round trip's milliseconds, or "lost". */
  private static void ping(int count) throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName(Hosts.SENDER))) {
      socket.connect(InetAddress.getByName(Hosts.RECEIVER), ECHO);
      socket.setSoTimeout(1_000);
      ready();
      DatagramPacket packet = new DatagramPacket(new byte[64], 64);
      for (int i = 0; i < count; i++) {
        Thread.sleep(20);
        long sent = System.nanoTime();
        socket.send(packet);
        try {
          socket.receive(packet);
          System.out.printf(Locale.ROOT, "%.3f%n", (System.nanoTime() - sent) / 1e6);
        } catch (SocketTimeoutException e) {
          System.out.println("lost");
        }
      }
    }
  }

  /** Once a second. */
  private static void scrape() throws Exception {
    URI metrics = URI.create("http://127.0.0.1:" + METRICS + "/metrics");
    ready();
    while (true) {
      try (InputStream answer = metrics.toURL().openStream()) {
        answer.readAllBytes();
      }
      Thread.sleep(1_000);
    }
  }

  /** Sockets that say nothing; as many a second are closed and others opened. */
  private static void idle(int count, int changesPerSecond) throws Exception {
    Deque<SocketChannel> open = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      open.add(one());
    }
    ready();
    while (true) {
      Thread.sleep(1_000);
      for (int i = 0; i < changesPerSecond; i++) {
        open.remove().close();
        open.add(one());
      }
    }
  }

  private static SocketChannel one() throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.bind(new InetSocketAddress(Hosts.RECEIVER, 0));
    channel.connect(new InetSocketAddress(Hosts.SENDER, IDLE));
    return channel;
  }
}
