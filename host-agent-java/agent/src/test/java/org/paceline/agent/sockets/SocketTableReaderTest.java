package org.paceline.agent.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

class SocketTableReaderTest {

  @Test
  void theKernelsOwnTableShowsASocketThatThisTestOpens() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      Flow flow =
          new Flow(
              Transport.TCP,
              client.getLocalAddress(),
              client.getLocalPort(),
              client.getInetAddress(),
              client.getPort());

      var rows = new SocketTableReader(Path.of("/proc/net")).read();

      assertThat(rows)
          .anySatisfy(
              row -> {
                assertThat(row.flow()).isEqualTo(flow);
                assertThat(row.kind()).isEqualTo(SocketRow.Kind.SENDING);
              })
          .anySatisfy(
              row -> {
                assertThat(row.kind()).isEqualTo(SocketRow.Kind.WAITING);
                assertThat(row.flow().localPort()).isEqualTo(server.getLocalPort());
              });
      long inode =
          rows.stream().filter(row -> row.flow().equals(flow)).findFirst().orElseThrow().inode();
      var processes = new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);
      assertThat(processes.find(inode).orElseThrow().pid())
          .isEqualTo((int) ProcessHandle.current().pid());
    }
  }

  @Test
  void theListSaysWhatTheTextSays() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        ServerSocket both = new ServerSocket(0, 1, InetAddress.getByName("::1"));
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept();
        Socket waiting = new Socket(both.getInetAddress(), both.getLocalPort());
        Socket over = new Socket(server.getInetAddress(), server.getLocalPort())) {
      over.shutdownOutput();
      Set<Integer> own =
          Set.of(
              server.getLocalPort(),
              both.getLocalPort(),
              client.getLocalPort(),
              waiting.getLocalPort(),
              over.getLocalPort());
      // Until nothing changes in between: an answer to the end of a connection may be under way.
      List<SocketRow> before;
      List<SocketRow> list;
      List<SocketRow> text = List.of();
      do {
        before = text;
        list = own(own, SocketTableReader.ofThisNamespace());
        text = own(own, new SocketTableReader(Path.of("/proc/net")));
      } while (!text.equals(before));

      // Two listeners, and both ends of three connections.
      assertThat(list).hasSize(8).containsExactlyInAnyOrderElementsOf(text);
      assertThat(accepted.isConnected()).isTrue();
    }
  }

  private static List<SocketRow> own(Set<Integer> ports, SocketTableReader reader)
      throws Exception {
    return reader.read().stream()
        .filter(row -> row.flow().transport() == Transport.TCP)
        .filter(row -> ports.contains(row.flow().localPort()))
        .toList();
  }

  @Test
  void anIpv4AddressInAnIpv6SocketIsTheIpv4Address() throws Exception {
    String line =
        "  0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000200007F:A2B4 01"
            + " 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0";

    Flow flow = SocketTableReader.parse(Transport.TCP, line).orElseThrow().flow();

    assertThat(flow.local()).isEqualTo(InetAddress.getByName("127.0.0.1"));
    assertThat(flow.remote()).isEqualTo(InetAddress.getByName("127.0.0.2"));
    assertThat(flow.localPort()).isEqualTo(8080);
  }

  @Test
  void whileTheKernelCountsNothingNewTheTableIsNotReadAgain(@TempDir Path proc) throws Exception {
    var reader = new SocketTableReader(proc);
    counters(proc, 1);
    Files.writeString(proc.resolve("tcp"), "head\n" + connection(4_711));
    assertThat(reader.readWhereChanged().orElseThrow()).hasSize(1);

    assertThat(reader.readWhereChanged()).isEmpty();
    counters(proc, 2);
    assertThat(reader.readWhereChanged()).isPresent();
    Files.writeString(proc.resolve("udp"), "head\n" + connection(4_712));
    assertThat(reader.readWhereChanged().orElseThrow()).hasSize(2);
    assertThat(reader.readWhereChanged()).isEmpty();
  }

  @Test
  void whatTheKernelDoesNotCountIsReadAgain(@TempDir Path proc) throws Exception {
    var reader = new SocketTableReader(proc);
    Files.writeString(proc.resolve("tcp"), "head\n" + connection(4_711));
    reader.readWhereChanged();
    assertThat(reader.readWhereChanged()).as("without counters").isPresent();
    counters(proc, 1);
    reader.readWhereChanged();
    reader.distrust();
    assertThat(reader.readWhereChanged()).as("distrusted").isPresent();
    reader.read();
    assertThat(reader.readWhereChanged()).as("read for something else").isPresent();
    Files.writeString(proc.resolve("tcp"), "head\n" + connection(0));
    counters(proc, 2);
    reader.readWhereChanged();
    assertThat(reader.readWhereChanged()).as("not accepted yet").isPresent();
  }

  @Test
  void connectionsStandStillWhileTheKernelCountsNoneAndAllAreAccepted(@TempDir Path proc)
      throws Exception {
    var reader = new SocketTableReader(proc);
    assertThat(reader.streamsStandStill()).as("nothing was read").isFalse();
    counters(proc, 1);
    Files.writeString(proc.resolve("tcp"), "head\n" + connection(4_711));
    reader.readWhereChanged();

    assertThat(reader.streamsStandStill()).isTrue();
    counters(proc, 2);
    assertThat(reader.streamsStandStill()).as("one more").isFalse();
    reader.readWhereChanged();
    assertThat(reader.streamsStandStill()).isTrue();
    Files.delete(proc.resolve("snmp"));
    assertThat(reader.streamsStandStill()).as("not counted any more").isFalse();
    counters(proc, 3);
    Files.writeString(proc.resolve("tcp"), "head\n" + connection(0));
    reader.readWhereChanged();
    assertThat(reader.streamsStandStill()).as("not accepted yet").isFalse();
  }

  @Test
  void nowAndThenTheTableIsReadWhateverIsCounted(@TempDir Path proc) throws Exception {
    var reader = new SocketTableReader(proc);
    counters(proc, 1);
    Files.writeString(proc.resolve("tcp"), "head\n" + connection(4_711));
    reader.readWhereChanged();

    int left = 100;
    while (reader.readWhereChanged().isEmpty() && left > 0) {
      left--;
    }

    assertThat(left).isPositive();
  }

  @Test
  void thisKernelsCountersShowEveryConnection() throws Exception {
    var before = TcpActivity.read(Path.of("/proc/net")).orElseThrow();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var listening = TcpActivity.read(Path.of("/proc/net")).orElseThrow();
      assertThat(listening).isNotEqualTo(before);
      try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
          Socket accepted = server.accept()) {
        assertThat(client.isConnected() && accepted.isConnected()).isTrue();
        assertThat(TcpActivity.read(Path.of("/proc/net")).orElseThrow()).isNotEqualTo(listening);
      }
    }
  }

  private static void counters(Path proc, int opened) throws Exception {
    Files.writeString(
        proc.resolve("snmp"),
        "Ip: Forwarding\nIp: 1\nTcp: ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab\n"
            + "Tcp: "
            + opened
            + " 0 0 0 1\n");
    Files.writeString(proc.resolve("sockstat"), "sockets: used 9\nTCP: inuse 1 orphan 0 tw 0\n");
  }

  private static String connection(long inode) {
    return "  0: 0100007F:1F90 0200007F:A2B4 01 00000000:00000000 00:00000000 00000000  1000"
        + "        0 "
        + inode
        + " 1 0\n";
  }

  @Property(seed = "20")
  void anyTextIsReadWithoutHarm(@ForAll String line) {
    assertThatCode(() -> SocketTableReader.parse(Transport.TCP, line)).doesNotThrowAnyException();
  }
}
