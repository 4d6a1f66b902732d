package org.paceline.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RemoteName;

class DestinationNamesTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final DestinationNames names = new DestinationNames(nanos::get);

  private static Flow to(String address, int localPort) throws Exception {
    return new Flow(
        Transport.TCP,
        InetAddress.getByName("10.0.0.1"),
        localPort,
        InetAddress.getByName(address),
        443);
  }

  private void heard(String name, String address, long seconds) throws Exception {
    names.dns(
        new DnsMessage(
            1,
            true,
            name,
            List.of("edge." + name),
            List.of(InetAddress.getByName(address)),
            seconds));
  }

  private String name(Flow flow) {
    return names.of(flow).map(RemoteName::text).orElse("none");
  }

  @Test
  void whatTlsSaysGoesBeforeWhatDnsHasSaid() throws Exception {
    heard("a.example", "192.0.2.1", 300);
    assertThat(names.of(to("192.0.2.1", 1)).orElseThrow().all())
        .containsExactly("a.example", "edge.a.example");
    names.tls(to("192.0.2.1", 1), "b.example");
    assertThat(name(to("192.0.2.1", 1))).isEqualTo("b.example");
    assertThat(name(to("192.0.2.1", 2))).isEqualTo("a.example");
    assertThat(name(to("192.0.2.2", 1))).isEqualTo("none");
  }

  @Test
  void aSocketKeepsItsNameWhenItsAddressGetsAnother() throws Exception {
    heard("a.example", "192.0.2.1", 300);
    assertThat(name(to("192.0.2.1", 1))).isEqualTo("a.example");
    heard("b.example", "192.0.2.1", 300);
    assertThat(name(to("192.0.2.1", 1))).isEqualTo("a.example");
    assertThat(name(to("192.0.2.1", 2))).isEqualTo("b.example");
  }

  @Test
  void anAnswerHoldsAMinuteAtLeastAndADayAtMost() throws Exception {
    heard("short.example", "192.0.2.1", 0);
    heard("long.example", "192.0.2.2", Integer.MAX_VALUE);
    nanos.set(59 * SECOND);
    assertThat(name(to("192.0.2.1", 1))).isEqualTo("short.example");
    nanos.set(61 * SECOND);
    assertThat(name(to("192.0.2.1", 2))).isEqualTo("none");
    assertThat(name(to("192.0.2.1", 1))).isEqualTo("short.example");
    nanos.set(86_000 * SECOND);
    assertThat(name(to("192.0.2.2", 1))).isEqualTo("long.example");
    nanos.set(86_401 * SECOND);
    assertThat(name(to("192.0.2.2", 2))).isEqualTo("none");
  }

  @Test
  void theTableIsBounded() throws Exception {
    for (int i = 0; i < 20_000; i++) {
      heard("a.example", "10." + (i >> 16) + "." + (i >> 8 & 0xff) + "." + (i & 0xff), 300);
      names.tls(to("192.0.2.1", i), "a.example");
    }
    assertThat(names.text()).isEqualTo("16384 sockets, 16384 addresses");
    assertThat(name(to("10.0.0.0", 1))).isEqualTo("none");
  }

  @Test
  void whatIsNewIsToldOnce() throws Exception {
    names.tls(to("192.0.2.1", 1), "a.example");
    heard("b.example", "192.0.2.2", 300);
    DestinationNames.News news = names.takeNews();
    assertThat(news.isAbout(to("192.0.2.1", 1))).isTrue();
    assertThat(news.isAbout(to("192.0.2.1", 2))).isFalse();
    assertThat(news.isAbout(to("192.0.2.2", 3))).isTrue();
    assertThat(names.takeNews().sockets()).isEmpty();
  }

  @Test
  void closedSocketsAreForgottenButNotThoseThatAreYoungerThanTheLook() throws Exception {
    names.tls(to("192.0.2.1", 1), "a.example");
    nanos.set(5);
    names.tls(to("192.0.2.1", 2), "b.example");
    names.keep(flow -> false, 5);
    assertThat(name(to("192.0.2.1", 1))).isEqualTo("none");
    assertThat(name(to("192.0.2.1", 2))).isEqualTo("b.example");
  }
}
