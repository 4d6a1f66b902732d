package org.paceline.agent.sense;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

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
  void anIpv4AddressInAnIpv6SocketIsTheIpv4Address() throws Exception {
    String line =
        "  0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000200007F:A2B4 01"
            + " 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0";

    Flow flow = SocketTableReader.parse(Transport.TCP, line).orElseThrow().flow();

    assertThat(flow.local()).isEqualTo(InetAddress.getByName("127.0.0.1"));
    assertThat(flow.remote()).isEqualTo(InetAddress.getByName("127.0.0.2"));
    assertThat(flow.localPort()).isEqualTo(8080);
  }

  @Property
  void anyTextIsReadWithoutHarm(@ForAll String line) {
    assertThatCode(() -> SocketTableReader.parse(Transport.TCP, line)).doesNotThrowAnyException();
  }
}
