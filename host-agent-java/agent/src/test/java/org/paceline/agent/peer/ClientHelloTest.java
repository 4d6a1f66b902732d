package org.paceline.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

class ClientHelloTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final Flow FLOW = new Flow(Transport.TCP, HERE, 4000, HERE, 443);

  private static Packet segment(int sequence, byte[] bytes) {
    return new Packet(Transport.TCP, HERE, 4000, HERE, 443, sequence, ByteBuffer.wrap(bytes));
  }

  @Test
  void theServerNameOfARealHelloIsRead() throws Exception {
    ClientHello hello = ClientHello.parse(ByteBuffer.wrap(Bytes.clientHello("Www.Example.com")));

    assertThat(hello.serverName()).contains("www.example.com");
    assertThat(hello.cutOff()).isFalse();
  }

  /** However the network has cut it, nothing else comes out than the name, and that in the end. */
  @Test
  void aHelloInTwoSegmentsIsReadWhereverItIsCut() throws Exception {
    byte[] hello = Bytes.clientHello("www.example.com", "h2", "http/1.1");
    for (int cut = 6; cut < hello.length; cut++) {
      ServerNames names = new ServerNames(() -> 0);
      int start = 0x7fffffff - 100;
      Optional<String> first = names.take(FLOW, segment(start, Arrays.copyOf(hello, cut)));
      byte[] rest = Arrays.copyOfRange(hello, cut, hello.length);
      Optional<String> second = names.take(FLOW, segment(start + cut, rest));

      assertThat(first.or(() -> second)).contains("www.example.com");
    }
  }

  /**
   * Cut where an MTU of 1,500 or 1,280 cuts it, the name may be before, behind, or in two parts.
   */
  @Test
  void aBrowsersHelloOfTwoSegmentsIsReadInWhateverOrderItsExtensionsAre() {
    Random random = new Random(20_261_123);
    int read = 0;
    int late = 0;
    for (int i = 0; i < 1_000; i++) {
      byte[] hello = BrowserHello.to("www.example.com", random);
      int cut = i % 2 == 0 ? 1_448 : 1_208;
      ServerNames names = new ServerNames(() -> 0);
      Optional<String> first = names.take(FLOW, segment(0, Arrays.copyOf(hello, cut)));
      byte[] rest = Arrays.copyOfRange(hello, cut, hello.length);
      Optional<String> second = names.take(FLOW, segment(cut, rest));
      late += second.isPresent() ? 1 : 0;

      assertThat(hello).hasSizeBetween(BrowserHello.LEAST, BrowserHello.MOST);
      read += first.or(() -> second).filter("www.example.com"::equals).isPresent() ? 1 : 0;
    }
    assertThat(read).isEqualTo(1_000);
    assertThat(late).isBetween(100, 900);
  }

  @Test
  void anythingButTheNextSegmentInTimeIsNotTakenForTheRest() throws Exception {
    byte[] hello = Bytes.clientHello("www.example.com");
    byte[] rest = Arrays.copyOfRange(hello, 20, hello.length);
    AtomicLong nanos = new AtomicLong();
    ServerNames names = new ServerNames(nanos::get);
    names.take(FLOW, segment(0, Arrays.copyOf(hello, 20)));

    assertThat(names.take(FLOW, segment(21, rest))).isEmpty();
    assertThat(names.take(new Flow(Transport.TCP, HERE, 1, HERE, 443), segment(20, rest)))
        .isEmpty();
    nanos.set(60_000_000_000L);
    assertThat(names.take(FLOW, segment(20, rest))).isEmpty();
  }

  @Test
  void tenThousandMangledHellosAreReadWithoutHarm() throws Exception {
    Random random = new Random(20_261_122);
    byte[] sound = Bytes.clientHello("www.example.com", "h2");
    ServerNames names = new ServerNames(() -> 0);
    int read = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = Bytes.mangled(sound, random);
      Optional<String> name = ClientHello.parse(ByteBuffer.wrap(bytes)).serverName();
      name.ifPresent(n -> assertThat(HostName.of(n)).contains(n));
      read += name.isPresent() ? 1 : 0;
      names.take(FLOW, segment(random.nextInt(4) * 100, bytes));
    }
    // Else it would not have been tried.
    assertThat(read).isBetween(1_000, 9_990);
  }
}
