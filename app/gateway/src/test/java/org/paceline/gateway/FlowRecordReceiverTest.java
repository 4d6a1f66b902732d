package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.Nobody;
import org.paceline.control.ingress.ExporterCounts;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.control.settings.SettingValues;
import org.paceline.control.work.Faults;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** Datagrams over loopback, from 127.0.0.1 and 127.0.0.2. */
final class FlowRecordReceiverTest {
  private static final IpAddress ROUTER = IpAddress.parse("127.0.0.1");
  private static final int HEADER = 24;
  private static final int RECORD = 48;

  private final FlowRecordReceiver receiver =
      new FlowRecordReceiver(new Faults(new Nobody.NoJournal()));
  private final List<FlowRecord> records = Collections.synchronizedList(new ArrayList<>());
  private final int port = freePort();

  @AfterEach
  void close() {
    receiver.close();
  }

  private static int freePort() {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void receive(String exporters) {
    Map<String, String> set = new HashMap<>();
    set.put("bindAddress", "127.0.0.1");
    set.put("flowPort", Integer.toString(port));
    set.put("flowExporters", exporters);
    receiver.receive(
        ElephantListSettings.of(SettingValues.byDefault().with(set)),
        (exporter, record) -> {
          assertThat(exporter).isEqualTo(ROUTER);
          records.add(record);
        });
  }

  private void send(String from, byte[] datagram) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(from, 0))) {
      socket.send(
          new DatagramPacket(datagram, datagram.length, InetAddress.getByName("127.0.0.1"), port));
    }
  }

  /** NetFlow 5 with one record of 1,000 bytes from 10.0.0.1 to 10.0.0.2. */
  private static byte[] netFlow5() {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER + RECORD);
    bytes.putShort((short) 5).putShort((short) 1);
    bytes.putInt(60_000).putInt(1_700_000_000).putInt(0);
    bytes.position(HEADER);
    bytes.putInt(0x0a00_0001).putInt(0x0a00_0002);
    bytes.position(HEADER + 16);
    bytes.putInt(1).putInt(1_000).putInt(30_000).putInt(50_000);
    return bytes.array();
  }

  private static void eventually(BooleanSupplier holds) throws InterruptedException {
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in two minutes").isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  private ExporterCounts counts() {
    return receiver.counts().getOrDefault(ROUTER, ExporterCounts.NONE);
  }

  @Test
  void takesWhatTheExportersSendAndCountsTheRest() throws Exception {
    receive(ROUTER.toString());
    send("127.0.0.1", netFlow5());
    send("127.0.0.1", new byte[] {1, 2, 3});
    send("127.0.0.2", netFlow5());
    eventually(() -> counts().datagrams() == 2 && receiver.refused() == 1);
    assertThat(counts().records()).isEqualTo(1);
    assertThat(counts().malformed()).isEqualTo(1);
    assertThat(records).hasSize(1);
    assertThat(records.get(0).bytes()).isEqualTo(1_000);
    // Other settings than these do not disturb it.
    receive(ROUTER.toString());
    assertThat(counts().datagrams()).isEqualTo(2);
  }

  @Test
  void withoutExportersNoPortIsOpenAndClosingLeavesNone() throws Exception {
    receive("");
    new DatagramSocket(port, InetAddress.getByName("127.0.0.1")).close();
    // The controller's own counters send no datagrams.
    receive(ElephantListSettings.COUNTERS.toString());
    new DatagramSocket(port, InetAddress.getByName("127.0.0.1")).close();
    receive(ROUTER.toString());
    receiver.close();
    new DatagramSocket(port, InetAddress.getByName("127.0.0.1")).close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("flow-collector");
    receive(ROUTER.toString());
    assertThat(receiver.counts()).as("it is closed").isEmpty();
  }

  @Test
  void aPortThatIsTakenIsSaidAndTriedAgainWithTheNextSettings() throws Exception {
    try (DatagramSocket taken = new DatagramSocket(port, InetAddress.getByName("127.0.0.1"))) {
      receive(ROUTER.toString());
      assertThat(receiver.trouble().orElse("")).contains("cannot be had").contains("" + port);
      assertThat(taken.isClosed()).isFalse();
    }
    receive(ROUTER.toString());
    assertThat(receiver.trouble()).isEmpty();
    send("127.0.0.1", netFlow5());
    eventually(() -> counts().records() == 1);
  }
}
