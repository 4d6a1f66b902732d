package org.paceline.agent.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

/** Real sockets of this machine's kernel. */
class TypeOfServiceTest {
  private static final int EXPEDITED = 0xb8;

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void whatASocketSaysOfItselfIsToldAndItsOtherEndIsNot(String address) throws Exception {
    InetAddress here = InetAddress.getByName(address);
    // Of that version only: what Java marks else is the other version's octet.
    ProtocolFamily family =
        here instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    try (TypeOfService kernel = TypeOfService.open();
        ServerSocket server = new ServerSocket(0, 1, here);
        SocketChannel client = SocketChannel.open(family)) {
      client.connect(server.getLocalSocketAddress());
      int port = client.socket().getLocalPort();
      try (Socket accepted = server.accept()) {
        Flow flow = new Flow(Transport.TCP, here, port, here, server.getLocalPort());
        Flow back = new Flow(Transport.TCP, here, accepted.getLocalPort(), here, port);
        assertThat(kernel.of(flow)).contains(0);
        client.setOption(StandardSocketOptions.IP_TOS, EXPEDITED);
        assertThat(kernel.of(flow)).contains(EXPEDITED);
        assertThat(kernel.of(back)).contains(0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void soItIsOfDatagramSockets(boolean connected) throws Exception {
    InetAddress here = InetAddress.getByName("127.0.0.1");
    try (TypeOfService kernel = TypeOfService.open();
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(here, 0))) {
      socket.setTrafficClass(EXPEDITED);
      if (connected) {
        socket.connect(here, 9);
      }
      assertThat(kernel.of(new Flow(Transport.UDP, here, socket.getLocalPort(), here, 9)))
          .contains(EXPEDITED);
    }
  }

  @Test
  void ofASocketThatIsNotThereNothingIsTold() throws Exception {
    InetAddress here = InetAddress.getByName("127.0.0.1");
    try (TypeOfService kernel = TypeOfService.open()) {
      assertThat(kernel.of(new Flow(Transport.TCP, here, 1, here, 1))).isEmpty();
      assertThat(kernel.of(new Flow(Transport.UDP, here, 1, here, 1))).isEmpty();
    }
  }
}
