package org.paceline.agent.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PortSharesTest {
  /** Elephants, others, and of these control frames, in bits a second. */
  @ParameterizedTest
  @CsvSource({
    "40000000, 10000000, 64000",
    "900000000, 100000000, 1000000",
    "900000, 100000, 50000",
    "9000, 1000, 496",
    "16, 16, 8"
  })
  void controlFramesHaveALittleOfOthersShareAndAtMostHalf(
      long elephants, long others, long control) {
    PortShares shares = new PortShares(elephants, others, 10);
    assertThat(shares.controlBitsPerSecond()).isEqualTo(control);
    assertThat(shares.packetsOfOthersBitsPerSecond()).isEqualTo(others - control);
  }

  @Test
  void aShareOfLessThanTwoBytesASecondIsRefused() {
    assertThatThrownBy(() -> new PortShares(15, 16, 10)).hasMessageContaining("two bytes a second");
    assertThatThrownBy(() -> new PortShares(16, 15, 10)).hasMessageContaining("two bytes a second");
  }
}
