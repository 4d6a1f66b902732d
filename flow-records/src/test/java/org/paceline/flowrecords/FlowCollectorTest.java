package org.paceline.flowrecords;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

final class FlowCollectorTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final List<FlowRecord> records = new CopyOnWriteArrayList<>();
  private final List<Throwable> faults = new CopyOnWriteArrayList<>();
  private final FlowDecoder decoder = new FlowDecoder(records::add);

  @Test
  void takesWhatItsExportersSend() throws IOException, InterruptedException {
    try (FlowCollector collector = FlowCollector.open(ANY_PORT, Set.of(), decoder, faults::add)) {
      for (int sequence = 0; sequence < 100; sequence++) {
        send(collector, sequence);
        // Two that are under way from two processors at once may overtake each other.
        while (decoder.counts().datagrams() <= sequence) {
          Thread.sleep(1);
        }
      }
      assertThat(collector.refused()).isZero();
    }
    assertThat(records).hasSize(100);
    assertThat(decoder.counts().lostRecords()).isZero();
  }

  @Test
  void dropsWhatOthersSendAndCountsIt() throws IOException, InterruptedException {
    Set<IpAddress> other = Set.of(IpAddress.parse("192.0.2.1"));
    try (FlowCollector collector = FlowCollector.open(ANY_PORT, other, decoder, faults::add)) {
      send(collector, 0);
      while (collector.refused() == 0) {
        Thread.sleep(5);
      }
    }
    assertThat(records).isEmpty();
    assertThat(decoder.counts().datagrams()).isZero();
  }

  @Test
  void whateverTheTakingOfOneThrowsTheNextIsTaken() throws IOException, InterruptedException {
    FlowDecoder failing =
        new FlowDecoder(
            record -> {
              if (faults.isEmpty()) {
                throw new StackOverflowError("for a test");
              }
              records.add(record);
            });
    try (FlowCollector collector = FlowCollector.open(ANY_PORT, Set.of(), failing, faults::add)) {
      for (int sequence = 0; records.isEmpty(); sequence++) {
        send(collector, sequence);
        Thread.sleep(5);
      }
    }
    assertThat(faults).singleElement().isInstanceOf(StackOverflowError.class);
  }

  private static void send(FlowCollector collector, int sequence) throws IOException {
    byte[] datagram =
        Datagrams.netFlow5(1, sequence, 0)
            .record5("10.0.0.1", "10.0.1.1", 1, Datagrams.UPTIME, Datagrams.UPTIME)
            .bytes();
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.send(
          new DatagramPacket(
              datagram,
              datagram.length,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), collector.port())));
    }
  }
}
