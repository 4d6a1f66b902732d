package org.paceline.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RemoteName;

/**
 * Tries what the filters let through of real packets on loopback, by both versions of IP, in the
 * network namespace that it is started in.
 */
public final class NamesInScratch {
  private static final int HTTPS = 443;
  private static final int OTHER = 8_443;

  private NamesInScratch() {}

  public static void main(String[] words) throws Exception {
    new ProcessBuilder("ip", "link", "set", "dev", "lo", "up").inheritIO().start().waitFor();
    DestinationNames names = new DestinationNames(System::nanoTime);
    try (NameTap tap = NameTap.open(names, System::nanoTime)) {
      tap.start(() -> {});
      for (String here : new String[] {"127.0.0.1", "::1"}) {
        InetAddress address = InetAddress.getByName(here);
        answersAreHeardThatWereAskedFor(names, address);
        hellosAreHeard(names, address);
      }
      assertThat(tap.isAlive()).isTrue();
    }
  }

  private static void answersAreHeardThatWereAskedFor(DestinationNames names, InetAddress here)
      throws Exception {
    String last = here.getAddress().length == 4 ? "4" : "6";
    try (DatagramSocket server = new DatagramSocket(53, here);
        DatagramSocket client = new DatagramSocket(0, here)) {
      answer(server, client, Bytes.answer(6, 60, "192.0.2.66"));
      byte[] question = Bytes.question(7);
      client.send(new DatagramPacket(question, question.length, here, 53));
      answer(server, client, Bytes.answer(7, 60, "2001:db8::" + last));
      assertThat(await(names, to("2001:db8::" + last))).isEqualTo("www.example.com");
      // Its packet came before the one that was heard.
      assertThat(names.of(to("192.0.2.66"))).isEmpty();
    }
  }

  private static void answer(DatagramSocket from, DatagramSocket to, byte[] answer)
      throws Exception {
    from.send(new DatagramPacket(answer, answer.length, to.getLocalAddress(), to.getLocalPort()));
  }

  private static Flow to(String address) throws Exception {
    InetAddress remote = InetAddress.getByName(address);
    return new Flow(Transport.TCP, remote, 1, remote, 1);
  }

  private static void hellosAreHeard(DestinationNames names, InetAddress here) throws Exception {
    byte[] hello = Bytes.clientHello("www.example.org");
    try (ServerSocket https = new ServerSocket(HTTPS, 9, here);
        ServerSocket other = new ServerSocket(OTHER, 9, here);
        Socket split = new Socket(here, HTTPS);
        Socket browser = new Socket(here, HTTPS);
        Socket splitElsewhere = new Socket(here, OTHER);
        Socket whole = new Socket(here, OTHER)) {
      // Two segments: the second one is sent when the first is away.
      for (Socket socket : new Socket[] {split, splitElsewhere}) {
        socket.setTcpNoDelay(true);
        socket.getOutputStream().write(hello, 0, 60);
        socket.getOutputStream().write(hello, 60, hello.length - 60);
      }
      browser.setTcpNoDelay(true);
      byte[] first = withTheNameLast("www.example.net");
      int cut = likeTheBeginningOfARecord(first);
      browser.getOutputStream().write(first, 0, cut);
      browser.getOutputStream().write(first, cut, first.length - cut);
      whole.getOutputStream().write(hello);
      assertThat(await(names, flow(whole))).isEqualTo("www.example.org");
      assertThat(await(names, flow(split))).isEqualTo("www.example.org");
      assertThat(await(names, flow(browser))).isEqualTo("www.example.net");
      assertThat(names.of(flow(splitElsewhere))).isEmpty();
    }
  }

  private static byte[] withTheNameLast(String name) {
    Random random = new Random(20_261_122);
    byte[] hello = BrowserHello.to(name, random);
    while (new String(hello, StandardCharsets.ISO_8859_1).indexOf(name) < 1_500) {
      hello = BrowserHello.to(name, random);
    }
    return hello;
  }

  /** In a key, so that the next byte is one by which records of TLS begin. */
  private static int likeTheBeginningOfARecord(byte[] hello) {
    int cut = hello.length - 900;
    while (hello[cut] < 20 || hello[cut] > 23 || hello[cut + 1] == 3) {
      cut++;
    }
    assertThat(cut).isLessThan(1_400);
    return cut;
  }

  private static Flow flow(Socket socket) {
    return new Flow(
        Transport.TCP,
        socket.getLocalAddress(),
        socket.getLocalPort(),
        socket.getInetAddress(),
        socket.getPort());
  }

  private static String await(DestinationNames names, Flow flow) throws Exception {
    Optional<RemoteName> name = names.of(flow);
    for (int i = 0; i < 600 && name.isEmpty(); i++) {
      Thread.sleep(50);
      name = names.of(flow);
    }
    return name.map(RemoteName::text).orElse("nothing was heard");
  }
}
