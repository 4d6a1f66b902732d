package org.paceline.agent.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/** Numbered datagrams, and who counts which of them come. */
final class NumberedTraffic {
  private static final int PAYLOAD = 1_000;

  private NumberedTraffic() {}

  /** Datagrams at a rate, of which none is sent later to make up for others that were late. */
  static void send(InetSocketAddress to, long bitsPerSecond) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      System.out.println("ready");
      long pause = (long) (PAYLOAD * 8e9 / bitsPerSecond);
      ByteBuffer payload = ByteBuffer.allocate(PAYLOAD);
      for (long number = 0; true; number++) {
        socket.send(new DatagramPacket(payload.putLong(0, number).array(), PAYLOAD, to));
        LockSupport.parkNanos(pause);
      }
    }
  }

  /** For each line of input how many have come, how many did not, and how many came late. */
  static void hear(int port) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(port)) {
      socket.setReceiveBufferSize(1 << 22);
      Traffic.daemon(() -> hear(socket));
      System.out.println("ready");
      BufferedReader asked =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (asked.readLine() != null) {
        System.out.println(count());
      }
    }
  }

  private static long first = -1;
  private static long last = -1;
  private static long received;
  private static long late;

  private static synchronized void take(long number) {
    if (first < 0) {
      first = number;
      last = number - 1;
    }
    received++;
    late += number < last ? 1 : 0;
    last = Math.max(last, number);
  }

  private static synchronized String count() {
    return received + " " + (last - first + 1 - received) + " " + late;
  }

  private static void hear(DatagramSocket socket) {
    DatagramPacket packet = new DatagramPacket(new byte[PAYLOAD], PAYLOAD);
    try {
      while (true) {
        socket.receive(packet);
        take(ByteBuffer.wrap(packet.getData()).getLong());
      }
    } catch (IOException e) {
      System.out.println(e);
    }
  }
}
