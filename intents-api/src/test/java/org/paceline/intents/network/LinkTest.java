package org.paceline.intents.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

class LinkTest {
  private static final Link LINK =
      Link.of(
          "a", "b", DataRate.ofKilobitsPerSecond(5), LinkDelay.constant(Latency.ofNanos(1_000)));

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 9_999_999, 10_000_000, 10_000_001, 20_000_001, 20_000_002, 123_456_789_012L})
  void aLinkWithALimitCarriesNoMoreAndHardlyLess(long most) {
    Link limited = LINK.withLimitMillibits(most);

    assertThat(limited.limitMillibits()).isBetween(Math.max(0, most - 1), most);
    long more = limited.capacity().millibitsPerSecond() + 1;
    assertThat(LINK.withCapacity(DataRate.ofMillibitsPerSecond(more)).limitMillibits())
        .isGreaterThan(most);
  }
}
