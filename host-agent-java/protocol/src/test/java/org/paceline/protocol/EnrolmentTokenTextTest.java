package org.paceline.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class EnrolmentTokenTextTest {
  private final Random random = new Random(1);

  private byte[] bytes(int many) {
    byte[] some = new byte[many];
    random.nextBytes(some);
    return some;
  }

  @Test
  void whatIsWrittenIsReadBack() {
    for (int i = 0; i < 1_000; i++) {
      byte[] secret = bytes(16);
      byte[] fingerprint = bytes(32);
      String text = EnrolmentTokenText.of(secret, fingerprint).toString();
      // As a shell takes it, without quotes.
      assertThat(text).matches("paceline-[A-Za-z0-9_-]{64}");
      EnrolmentTokenText read = EnrolmentTokenText.parse(text).orElseThrow();
      assertThat(read.secret()).isEqualTo(secret);
      assertThat(read.fingerprint()).isEqualTo(fingerprint);
    }
  }

  @Test
  void whatIsNoneIsNotRead() {
    String whole = EnrolmentTokenText.of(bytes(16), bytes(32)).toString();
    for (int end = 0; end < whole.length(); end++) {
      assertThat(EnrolmentTokenText.parse(whole.substring(0, end))).isEmpty();
    }
    assertThat(EnrolmentTokenText.parse(whole + "A")).isEmpty();
    assertThat(EnrolmentTokenText.parse(whole.replaceFirst(".$", "!"))).isEmpty();
    assertThatThrownBy(() -> EnrolmentTokenText.of(bytes(15), bytes(32)))
        .hasMessageContaining("(15)");
  }
}
