package org.paceline.intents.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CanonicalAddressTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.255, 10.0.0.255",
    "FD00::1, fd00::1",
    "2001:0DB8:0:0::1, 2001:db8::1",
    "2001:db8:0:0:0:0:0:1, 2001:db8::1",
    "2001:db8::0:1, 2001:db8::1",
    // RFC 5952, section 4.2: the longest run, the first of equal ones, and never a single group.
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "0:0:0:0:0:0:0:0, ::",
    "::, ::",
    "1::, 1::",
    "1:0:0:0:0:0:0:0, 1::",
    "::1, ::1",
    "::ffff:10.0.0.1, 10.0.0.1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
  })
  void everyWayToWriteAnAddressComesToOne(String written, String canonical) {
    assertThat(CanonicalAddress.of(written)).isEqualTo(canonical);
    assertThat(CanonicalAddress.of(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h2",
        "face",
        "10.0.0",
        "10.0.0.256",
        "10.0.0.1.2",
        "010.0.0.1",
        "10.0.0.1/32",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "12345::",
        "fe80::1%eth0",
        "[::1]",
        "::g",
        " ::1",
        "::10.0.0.256",
        "::10.0.0",
        "a:b",
        "1:2:3:4:5:6:7:",
        ":2:3:4:5:6:7:8"
      })
  void whatIsNoAddressIsRefusedWithoutLookingItUp(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CanonicalAddress.of(text))
        .withMessage(
            "The address (" + text + ") must be one of IP. Maybe 10.0.0.1 or 2001:db8::1.");
  }

  @Test
  void anyAddressStaysTheSameAddress() throws UnknownHostException {
    Random random = new Random(7);
    for (int n = 0; n < 10_000; n++) {
      byte[] bytes = new byte[16];
      random.nextBytes(bytes);
      for (int b = 0; b < bytes.length; b += 2) {
        // Many groups of zero, in runs.
        if (random.nextInt(3) > 0) {
          bytes[b] = 0;
          bytes[b + 1] = 0;
        }
      }
      String written = InetAddress.getByAddress(bytes).getHostAddress();
      String canonical = CanonicalAddress.of(written);
      assertThat(InetAddress.getByName(canonical)).isEqualTo(InetAddress.getByAddress(bytes));
      assertThat(canonical.length()).isLessThanOrEqualTo(written.length());
    }
  }
}
