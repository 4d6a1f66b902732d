package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentEndpointTest {
  private static final InetSocketAddress ALL = new InetSocketAddress("0.0.0.0", 9559);
  private static final InetSocketAddress ONE = new InetSocketAddress("192.0.2.7", 9560);

  @Test
  void withoutCertificatesItOpensToThisMachineOnly() {
    for (InetSocketAddress wanted : new InetSocketAddress[] {ALL, ONE}) {
      AgentEndpoint endpoint = AgentEndpoint.of(wanted, Optional.empty(), false);
      assertThat(endpoint.address().getAddress().isLoopbackAddress()).isTrue();
      assertThat(endpoint.address().getPort()).isEqualTo(wanted.getPort());
      assertThat(endpoint.text()).endsWith(", unencrypted, from this machine only");
      assertThat(endpoint.advice()).get().asString().contains("tools/certificates", "tlsDirectory");
    }
  }

  @Test
  void inSoManyWordsItOpensToAnybody() {
    AgentEndpoint endpoint = AgentEndpoint.of(ALL, Optional.empty(), true);
    assertThat(endpoint.address()).isEqualTo(ALL);
    assertThat(endpoint.text())
        .isEqualTo("0.0.0.0:9559, UNENCRYPTED, FROM ANYBODY WHO SAYS TO BE ANY HOST");
    assertThat(endpoint.advice()).isPresent();
  }

  @Test
  void withCertificatesItIsWhereItIsWanted() {
    AgentEndpoint endpoint = AgentEndpoint.of(ONE, Optional.of(Path.of("tls")), false);
    assertThat(endpoint.address()).isEqualTo(ONE);
    assertThat(endpoint.text()).isEqualTo("192.0.2.7:9560, with certificates of both sides");
    assertThat(endpoint.advice()).isEmpty();
  }
}
