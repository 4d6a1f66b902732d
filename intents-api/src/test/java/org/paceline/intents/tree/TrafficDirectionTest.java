package org.paceline.intents.tree;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficDirectionTest {
  @ParameterizedTest
  @CsvSource({
    "443, 0, DOWNLOAD",
    "0, 443, UPLOAD",
    "50000, 0, DOWNLOAD",
    "443, 40000, DOWNLOAD",
    "32767, 32768, DOWNLOAD",
    "61000, 5432, UPLOAD",
    "0, 0, UNKNOWN",
    "123, 123, UNKNOWN",
    "5060, 5062, UNKNOWN",
    "40000, 50000, UNKNOWN",
  })
  void theServerIsWhoeverHasThePortThatNoClientHas(int from, int to, TrafficDirection direction) {
    assertThat(TrafficDirection.ofPorts(from, to)).isEqualTo(direction);
  }

  @Property(seed = "20")
  void whatIsSentBackGoesTheOtherWay(
      @ForAll @IntRange(max = 65_535) int from, @ForAll @IntRange(max = 65_535) int to) {
    TrafficDirection back = TrafficDirection.ofPorts(to, from);
    switch (TrafficDirection.ofPorts(from, to)) {
      case DOWNLOAD:
        assertThat(back).isEqualTo(TrafficDirection.UPLOAD);
        break;
      case UPLOAD:
        assertThat(back).isEqualTo(TrafficDirection.DOWNLOAD);
        break;
      default:
        assertThat(back).isEqualTo(TrafficDirection.UNKNOWN);
    }
  }
}
