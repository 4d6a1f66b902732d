package org.paceline.agent.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * What {@link Traffic} does with names: questions to DNS and Java's own TLS, and who answers them.
 */
final class NamedTraffic {
  private static final int MINUTE = 60;
  // In the middle of what comes before the name.
  private static final int CUT = 60;

  private NamedTraffic() {}

  /** Whatever name is asked for, this address has it. */
  static void answerDns(String address) throws IOException {
    byte[] own = InetAddress.getByName(address).getAddress();
    try (DatagramSocket socket = new DatagramSocket(53, InetAddress.getByName(address))) {
      System.out.println("ready");
      while (true) {
        DatagramPacket question = new DatagramPacket(new byte[512], 512);
        socket.receive(question);
        int end = 12;
        while (question.getData()[end] != 0) {
          end += question.getData()[end] + 1;
        }
        ByteBuffer answer = ByteBuffer.allocate(512).put(question.getData(), 0, end + 5);
        answer.putShort(2, (short) 0x8180).putShort(6, (short) 1).putInt(8, 0);
        answer.putShort((short) 0xc00c).putInt(0x00010001).putInt(MINUTE);
        answer.putShort((short) own.length).put(own);
        socket.send(
            new DatagramPacket(answer.array(), answer.position(), question.getSocketAddress()));
      }
    }
  }

  /** Takes all that comes, says nothing. */
  static void sink(int port) throws IOException {
    try (ServerSocket server = new ServerSocket(port)) {
      System.out.println("ready");
      while (true) {
        Socket socket = server.accept();
        Traffic.daemon(() -> Traffic.drain(socket));
      }
    }
  }

  /** Words of its input: a command and what for. */
  static void obey(String server) throws Exception {
    BufferedReader words =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    Socket socket = new Socket();
    for (Optional<String> line = Optional.ofNullable(words.readLine());
        line.isPresent();
        line = Optional.ofNullable(words.readLine())) {
      String[] word = line.get().split(" ", -1);
      switch (word[0]) {
        case "connect" -> socket = new Socket(word[1], Integer.parseInt(word[2]));
        case "mark" -> socket.setTrafficClass(Integer.parseInt(word[1]));
        case "hello" -> hello(socket, word[1]);
        case "split" -> split(socket, word[1]);
        case "lookup" -> System.out.print(lookup(server, word[1]));
        default -> throw new IllegalArgumentException(word[0]);
      }
      System.out.println();
    }
  }

  /** The first address of the answer. */
  private static String lookup(String server, String name) throws IOException {
    ByteBuffer question = ByteBuffer.allocate(512);
    question.putShort((short) 4_711).putShort((short) 0x0100).putShort((short) 1).position(12);
    for (String label : name.split("\\.", -1)) {
      question.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
    }
    question.put((byte) 0).putInt(0x00010001);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.send(
          new DatagramPacket(
              question.array(), question.position(), InetAddress.getByName(server), 53));
      DatagramPacket answer = new DatagramPacket(new byte[512], 512);
      socket.receive(answer);
      byte[] address = new byte[4];
      ByteBuffer.wrap(answer.getData()).get(answer.getLength() - address.length, address);
      return InetAddress.getByAddress(address).getHostAddress();
    }
  }

  private static void hello(Socket socket, String name) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket secure = (SSLSocket) factory.createSocket(socket, name, socket.getPort(), true);
    Traffic.daemon(
        () -> {
          try {
            // Nobody will answer.
            secure.startHandshake();
          } catch (IOException e) {
            return;
          }
        });
  }

  private static void split(Socket socket, String name) throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine(name, socket.getPort());
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    socket.setTcpNoDelay(true);
    socket.getOutputStream().write(hello.array(), 0, CUT);
    socket.getOutputStream().write(hello.array(), CUT, hello.position() - CUT);
  }
}
