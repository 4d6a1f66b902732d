package org.paceline.intents.flow;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.paceline.intents.address.IpAddress;

final class FlowRecordTest {
  private static final IpAddress HERE = IpAddress.parse("10.0.0.1");
  private static final IpAddress THERE = IpAddress.parse("10.0.1.1");

  @Test
  void refusesWhatNoFlowCanBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowRecord.of(HERE, THERE, 2_000, 1_000, 1))
        .withMessageContaining("ends (1970-01-01T00:00:01Z) before it starts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowRecord.of(HERE, THERE, 0, 1, -1))
        .withMessageContaining("has (-1) bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowRecord.of(HERE, IpAddress.parse("fd00::1"), 0, 1, 1))
        .withMessageContaining("mixes IPv4 and IPv6");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowRecord.of(HERE, THERE, 0, Long.MAX_VALUE, 1))
        .withMessageContaining("within the years 1970 to 9999");
  }
}
