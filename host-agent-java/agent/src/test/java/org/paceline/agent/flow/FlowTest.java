package org.paceline.agent.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlowTest {
  @Test
  void flowsAreEqualWhereAllOfTheirPartsAre() throws Exception {
    assertThat(one()).isEqualTo(one()).hasSameHashCodeAs(one());
    assertThat(one().incoming().outgoing()).isEqualTo(one()).hasSameHashCodeAs(one());
  }

  @Test
  void eachPartCounts() throws Exception {
    Flow one = one();
    Set<Flow> others =
        Set.of(
            new Flow(Transport.UDP, one.local(), 80, one.remote(), 443),
            new Flow(Transport.TCP, one.remote(), 80, one.remote(), 443),
            new Flow(Transport.TCP, one.local(), 81, one.remote(), 443),
            new Flow(Transport.TCP, one.local(), 80, one.local(), 443),
            new Flow(Transport.TCP, one.local(), 80, one.remote(), 444),
            one.incoming());
    assertThat(others).hasSize(6).doesNotContain(one);
  }

  private static Flow one() throws UnknownHostException {
    return new Flow(
        Transport.TCP,
        InetAddress.getByName("10.0.0.1"),
        80,
        InetAddress.getByName("2001:db8::1"),
        443);
  }
}
