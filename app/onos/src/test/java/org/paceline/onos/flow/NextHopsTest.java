package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.paceline.intents.network.LinkId;

final class NextHopsTest {
  private final AtomicBoolean inSight = new AtomicBoolean(true);
  private final NextHops nextHops = Mesh.nextHops(inSight::get);

  @Test
  void whatIsOutOfSightIsReachedByThePortThatItWasReachedByLast() {
    List<LinkId> hops =
        Mesh.over(1, 2, 5).hops().stream()
            .filter(hop -> NextHops.isSwitch(hop.from()))
            .collect(Collectors.toUnmodifiableList());
    List<PortNumber> before = ports(hops);
    inSight.set(false);
    assertThat(ports(hops)).isEqualTo(before).hasSize(3);
    assertThat(nextHops.port(Mesh.over(1, 3, 5).hops().get(1)))
        .as("nobody ever asked for it")
        .isEmpty();
  }

  @Test
  void aHostThatHasMovedIsNotBehindTheSwitchThatItLeft() {
    String host = Mesh.over(1).to();
    assertThat(nextHops.port(LinkId.of(Mesh.device(5), host))).isPresent();
    assertThat(nextHops.port(LinkId.of(Mesh.device(4), host))).isEmpty();
  }

  @Test
  void packetsComeByThePortOfTheirSenderAndThenOfTheSwitchBefore() {
    assertThat(Mesh.over(1, 2, 5).hops().stream().limit(3).map(nextHops::arrival))
        .containsExactly(
            Optional.of(PortNumber.portNumber(Mesh.HOST_PORT)),
            Optional.of(PortNumber.portNumber(1)),
            Optional.of(PortNumber.portNumber(2)));
  }

  private List<PortNumber> ports(List<LinkId> hops) {
    return hops.stream()
        .flatMap(hop -> nextHops.port(hop).stream())
        .collect(Collectors.toUnmodifiableList());
  }
}
