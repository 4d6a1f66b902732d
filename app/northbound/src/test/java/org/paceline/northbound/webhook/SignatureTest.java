package org.paceline.northbound.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

final class SignatureTest {
  /** By standardwebhooks 1.1.0 for Python. */
  @Test
  void itIsWhatTheStandardsOwnLibraryMakes() {
    byte[] key = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    assertThat(Signature.of(key, "evt_1", 1_731_705_121, "{\"type\":\"policy.changed\"}"))
        .isEqualTo("v1,fThnqdQBLjW2eO+OpGFIoJ7Q7kYDPs1DHg5LDuwr9ls=");
  }
}
