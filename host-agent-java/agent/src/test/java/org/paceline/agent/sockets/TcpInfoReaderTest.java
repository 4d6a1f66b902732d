package org.paceline.agent.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

/** Real sockets on loopback, and what the kernel says of them. */
class TcpInfoReaderTest {
  private TcpInfoReader reader;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/proc/net/tcp")), "Skipped: only Linux's kernel can be asked.");
    reader = TcpInfoReader.open();
  }

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void everySocketHasARoundTripOfItsOwn() throws Exception {
    connected("127.0.0.1", "127.0.0.1");
  }

  @Test
  void anIpv4ConnectionOfAnIpv6SocketIsFoundByWhatIsOnTheWire() throws Exception {
    // The unspecified address makes Java's a socket of both families.
    connected("::", "127.0.0.1");
  }

  @Test
  void ipv6SocketsAreFound() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "Skipped: there is no IPv6 here.");
    connected("::1", "::1");
  }

  private void connected(String listening, String at) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(listening));
        Socket client = new Socket(at, server.getLocalPort());
        Socket accepted = server.accept()) {
      client.getOutputStream().write(new byte[1_000]);
      assertThat(accepted.getInputStream().readNBytes(1_000)).hasSize(1_000);
      Flow there = flow(client);
      Flow back = flow(accepted);

      Map<Flow, TcpInfo> found = reader.read(List.of(there, back), "lo");

      assertThat(found).containsOnlyKeys(there, back);
      assertThat(found.values())
          .allSatisfy(tcp -> assertThat(tcp.retransmittedSegments()).isLessThan(100))
          .anySatisfy(tcp -> assertThat(tcp.smoothedRttMicros()).isBetween(1L, 60_000_000L));
    }
  }

  @Test
  void headersAreThoseOnTheWireWhateverTheSocketIsOf() throws Exception {
    int four = headers("127.0.0.1", "127.0.0.1");

    assertThat(headers("::", "127.0.0.1")).as("a socket of both families").isEqualTo(four);
    assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "Skipped: there is no IPv6 here.");
    assertThat(headers("::", "::1")).isEqualTo(four + 20);
  }

  /** In each frame that the server's end sends. */
  private int headers(String listening, String at) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(listening));
        Socket client = new Socket(at, server.getLocalPort());
        Socket accepted = server.accept()) {
      Flow back = flow(accepted);
      assertThat(client.isConnected()).isTrue();
      return Optional.ofNullable(reader.sockets(List.of(back), "lo").get(back))
          .orElseThrow()
          .overheadBytes();
    }
  }

  @Test
  void whatIsNotThereIsNotFoundAndTheOthersAre() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Socket client = new Socket("127.0.0.1", server.getLocalPort());
        Socket accepted = server.accept()) {
      Flow there = flow(client);
      // Its listener is found in its place, and says nothing about it.
      Flow gone =
          new Flow(
              Transport.TCP,
              there.remote(),
              there.remotePort(),
              InetAddress.getByName("127.9.9.9"),
              9);
      Flow datagrams = new Flow(Transport.UDP, there.local(), 9, there.remote(), 9);
      Flow nowhere = new Flow(Transport.TCP, there.local(), 9, there.remote(), 9);
      Flow six =
          new Flow(
              Transport.TCP,
              Inet6Address.getByName("fd00::1"),
              9,
              Inet6Address.getByName("fd00::2"),
              9);

      assertThat(reader.read(List.of(gone, datagrams, nowhere, there, six, gone), "lo"))
          .containsOnlyKeys(there);
      assertThat(reader.read(List.of(), "lo")).isEmpty();
      assertThat(accepted.isConnected()).isTrue();
    }
  }

  private static Flow flow(Socket socket) {
    return new Flow(
        Transport.TCP,
        socket.getLocalAddress(),
        socket.getLocalPort(),
        socket.getInetAddress(),
        socket.getPort());
  }
}
