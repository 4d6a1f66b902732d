package org.paceline.control.directive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.Transport;
import org.paceline.control.model.Unserved;

final class CapabilitiesTest {
  @Test
  void whatAnAgentCannotPaceIsForTheFirstSwitch() {
    assertThat(Capabilities.ofAgent("h", "htb", true, false).outgoing(Transport.UDP))
        .isEqualTo(Enforcement.AGENT);
    Capabilities bySocket = Capabilities.ofAgent("h", "socket", false, false);
    assertThat(bySocket.outgoing(Transport.TCP)).isEqualTo(Enforcement.AGENT);
    assertThat(bySocket.outgoing(Transport.UDP)).isEqualTo(Enforcement.FIRST_HOP);
    assertThat(Capabilities.ofAgent("h", "", true, false).outgoing(Transport.TCP))
        .isEqualTo(Enforcement.FIRST_HOP);
    assertThat(Capabilities.ofAgent("h", "", true, false).incoming())
        .isEqualTo(Enforcement.RECEIVER);
    assertThat(bySocket.incoming()).isEqualTo(Enforcement.FIRST_HOP);
  }

  @Test
  void aSwitchMetersAsManyAsItHasMetersForAndItsOperatorAllows() {
    assertThat(withMeters(Optional.of(0L), 10).refusesMeter(0, 0))
        .contains(Unserved.of(Unserved.Code.NO_METERS, "of:1"));
    assertThat(withMeters(Optional.of(5L), 10).refusesMeter(4, 0)).isEmpty();
    assertThat(withMeters(Optional.of(5L), 10).refusesMeter(5, 0))
        .contains(Unserved.of(Unserved.Code.METERS_IN_USE, "of:1", 5));
    assertThat(withMeters(Optional.of(5L), 10).refusesMeter(2, 2)).isEmpty();
    assertThat(withMeters(Optional.of(5L), 10).refusesMeter(3, 2))
        .as("ports have two")
        .contains(Unserved.of(Unserved.Code.METERS_IN_USE, "of:1", 3));
    assertThat(withMeters(Optional.empty(), 2).refusesMeter(1, 0)).isEmpty();
    assertThat(withMeters(Optional.empty(), 2).refusesMeter(2, 0)).isPresent();
    assertThat(Capabilities.ofAgent("h", "htb", true, false).refusesMeter(0, 0)).isPresent();
  }

  private static Capabilities withMeters(Optional<Long> meters, long allowed) {
    return Capabilities.ofSwitch("of:1")
        .meters(meters)
        .metersAllowed(allowed)
        .rulesAllowed(100)
        .build();
  }
}
