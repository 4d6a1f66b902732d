package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentDoorTest {
  private static final InetSocketAddress ALL = new InetSocketAddress("0.0.0.0", 9559);
  private static final InetSocketAddress ONE = new InetSocketAddress("192.0.2.7", 9560);

  @Test
  void withoutCertificatesItOpensToThisMachineOnly() {
    for (InetSocketAddress wanted : new InetSocketAddress[] {ALL, ONE}) {
      AgentDoor door = AgentDoor.of(wanted, Optional.empty(), false);
      assertThat(door.address().getAddress().isLoopbackAddress()).isTrue();
      assertThat(door.address().getPort()).isEqualTo(wanted.getPort());
      assertThat(door.text()).endsWith(", unencrypted, from this machine only");
      assertThat(door.advice()).get().asString().contains("tools/certificates", "tlsDirectory");
    }
  }

  @Test
  void inSoManyWordsItOpensToAnybody() {
    AgentDoor door = AgentDoor.of(ALL, Optional.empty(), true);
    assertThat(door.address()).isEqualTo(ALL);
    assertThat(door.text())
        .isEqualTo("0.0.0.0:9559, UNENCRYPTED, FROM ANYBODY WHO SAYS TO BE ANY HOST");
    assertThat(door.advice()).isPresent();
  }

  @Test
  void withCertificatesItIsWhereItIsWanted() {
    AgentDoor door = AgentDoor.of(ONE, Optional.of(Path.of("tls")), false);
    assertThat(door.address()).isEqualTo(ONE);
    assertThat(door.text()).isEqualTo("192.0.2.7:9560, with certificates of both sides");
    assertThat(door.advice()).isEmpty();
  }
}
