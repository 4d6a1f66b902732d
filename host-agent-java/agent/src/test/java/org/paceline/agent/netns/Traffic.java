package org.paceline.agent.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.paceline.client.PacelineClient;

/**
 * What runs in a namespace as a process of its own: servers that send all they can, and clients.
 */
public final class Traffic {
  private Traffic() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "serve" -> serve(arguments[1], Integer.parseInt(arguments[2]));
      case "fetch" ->
          fetch(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
      case "pour" ->
          pour(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
      case "fetch-slowly" ->
          fetchSlowly(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
      case "datagrams" ->
          datagrams(arguments[1], Integer.parseInt(arguments[2]), arguments[3], 1_400);
      case "fragments" ->
          datagrams(arguments[1], Integer.parseInt(arguments[2]), arguments[3], 4_000);
      case "receive" -> receive(arguments[1], Integer.parseInt(arguments[2]));
      case "hear" ->
          hear(
              arguments[1],
              Integer.parseInt(arguments[2]),
              arguments[3],
              Integer.parseInt(arguments[4]));
      case "number" ->
          NumberedTraffic.send(
              new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])),
              Long.parseLong(arguments[3]));
      case "hear-numbers" -> NumberedTraffic.hear(Integer.parseInt(arguments[1]));
      case "words" -> words(Integer.parseInt(arguments[1]), arguments[2]);
      case "claiming-words" ->
          claimingWords(
              Integer.parseInt(arguments[1]), arguments[2], Path.of(arguments[3]), arguments[4]);
      case "claiming-serve" ->
          claimingServe(
              arguments[1], Integer.parseInt(arguments[2]), Path.of(arguments[3]), arguments[4]);
      case "get" -> get(arguments[1]);
      case "answer-dns" -> NamedTraffic.answerDns(arguments[1]);
      case "sink" -> NamedTraffic.sink(Integer.parseInt(arguments[1]));
      case "by-name" -> NamedTraffic.obey(arguments[1]);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void serve(String address, int port) throws IOException {
    try (ServerSocket server = new ServerSocket()) {
      server.setReuseAddress(true);
      server.bind(new InetSocketAddress(address, port));
      System.out.println("ready");
      while (true) {
        Socket socket = server.accept();
        daemon(() -> pour(socket));
      }
    }
  }

  /** Tells the agent itself what it does, and more when asked by its input. */
  private static void claimingServe(String address, int port, Path agent, String intent)
      throws IOException {
    PacelineClient client = PacelineClient.connect(agent);
    client.claim(intent);
    daemon(
        () -> {
          try {
            serve(address, port);
          } catch (IOException e) {
            System.out.println(e);
          }
        });
    BufferedReader words =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (true) {
      switch (words.readLine()) {
        case "grants" -> System.out.println(client.grants());
        case "report" -> {
          client.report(Map.of("rtt_ms", 12.5));
          System.out.println("reported");
        }
        default -> {
          client.close();
          System.out.println("closed");
        }
      }
    }
  }

  private static void pour(Socket socket) {
    byte[] block = new byte[16_384];
    try (socket) {
      while (true) {
        socket.getOutputStream().write(block);
      }
    } catch (IOException e) {
      return;
    }
  }

  private static void fetch(String address, int port, int sockets) throws Exception {
    for (int i = 0; i < sockets; i++) {
      fetchOne(address, port);
    }
    System.out.println("ready");
    // Until whoever started this closes its input.
    System.in.read();
  }

  /** A client that sends all it can, by as many sockets. */
  private static void pour(String address, int port, int sockets) throws Exception {
    // All connect before one sends: what is sent would push a SYN off the queue for a minute.
    List<Socket> connected = new ArrayList<>();
    for (int i = 0; i < sockets; i++) {
      connected.add(new Socket(address, port));
    }
    for (Socket socket : connected) {
      daemon(() -> pour(socket));
    }
    System.out.println("ready");
    System.in.read();
  }

  /** One after the other, faster than anybody looks for who they are. */
  private static void fetchSlowly(String address, int port, int sockets) throws Exception {
    for (int i = 0; i < sockets; i++) {
      fetchOne(address, port);
      Thread.sleep(20);
    }
    System.out.println("ready");
    System.in.read();
  }

  private static void fetchOne(String address, int port) throws IOException {
    Socket socket = new Socket(address, port);
    daemon(() -> drain(socket));
  }

  static void drain(Socket socket) {
    byte[] block = new byte[65_536];
    try (socket) {
      while (socket.getInputStream().read(block) >= 0) {
        continue;
      }
    } catch (IOException e) {
      return;
    }
  }

  /** One connection, and what it has brought when asked. */
  private static void receive(String address, int port) throws Exception {
    Socket socket = new Socket(address, port);
    AtomicLong bytes = new AtomicLong();
    daemon(
        () -> {
          byte[] block = new byte[65_536];
          try (socket) {
            for (int read = 0; read >= 0; read = socket.getInputStream().read(block)) {
              bytes.addAndGet(read);
            }
          } catch (IOException e) {
            return;
          }
        });
    count(bytes);
  }

  /** Datagrams of one peer, and what they have brought when asked. */
  private static void hear(String address, int port, String from, int fromPort) throws Exception {
    DatagramSocket socket = new DatagramSocket(port, InetAddress.getByName(address));
    socket.connect(InetAddress.getByName(from), fromPort);
    AtomicLong bytes = new AtomicLong();
    daemon(
        () -> {
          DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
          while (true) {
            try {
              socket.receive(packet);
              bytes.addAndGet(packet.getLength());
            } catch (IOException e) {
              // Nobody was there when this socket last said something.
              continue;
            }
          }
        });
    count(bytes);
  }

  /** The time and the bytes until then, for each line of input. */
  private static void count(AtomicLong bytes) throws IOException {
    System.out.println("ready");
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (asked.readLine() != null) {
      System.out.println(System.nanoTime() + " " + bytes.get());
    }
  }

  private static void datagrams(String from, int port, String to, int bytes) throws Exception {
    try (DatagramSocket socket = new DatagramSocket(port, InetAddress.getByName(from))) {
      // The usual size, also where the host's default was raised: it is what holds a sender back.
      socket.setSendBufferSize(106_496);
      socket.connect(InetAddress.getByName(to), 9);
      System.out.println("ready");
      byte[] payload = new byte[bytes];
      while (true) {
        try {
          socket.send(new DatagramPacket(payload, payload.length));
        } catch (IOException e) {
          // Nobody listens at the other end, which this socket is told now and then.
          continue;
        }
      }
    }
  }

  /** One socket for whoever it may be; when asked to, ten datagrams a second to somebody. */
  private static void words(int port, String to) throws Exception {
    try (DatagramSocket socket = new DatagramSocket(port)) {
      System.out.println("ready");
      System.in.read();
      System.out.println("talks");
      DatagramPacket packet = new DatagramPacket(new byte[9], 9, InetAddress.getByName(to), 9);
      while (true) {
        socket.send(packet);
        Thread.sleep(100);
      }
    }
  }

  /** The same, and tells the agent itself what that socket does when asked to. */
  private static void claimingWords(int port, String to, Path agent, String intent)
      throws Exception {
    DatagramSocket socket = new DatagramSocket(port);
    DatagramPacket packet = new DatagramPacket(new byte[9], 9, InetAddress.getByName(to), 9);
    PacelineClient client = PacelineClient.connect(agent);
    System.out.println("ready");
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    asked.readLine();
    daemon(
        () -> {
          while (true) {
            try {
              socket.send(packet);
              Thread.sleep(100);
            } catch (IOException | InterruptedException e) {
              // Nobody listens at the other end, which this socket is told now and then.
              continue;
            }
          }
        });
    System.out.println("talks");
    asked.readLine();
    client.claim(intent, socket);
    System.out.println("claimed");
    asked.readLine();
    client.close();
    System.out.println("closed");
    asked.readLine();
  }

  /** What a web server says. */
  private static void get(String url) throws IOException {
    try (InputStream body = URI.create(url).toURL().openStream()) {
      body.transferTo(System.out);
    }
  }

  static void daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }
}
