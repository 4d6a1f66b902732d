package org.paceline.northbound.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class FailedLoginsTest {
  private static final String HERE = "10.0.0.1";
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(20).toNanos());
  private final FailedLogins failures = new FailedLogins(now::get);

  /** How many of these are looked at, each of which is wrong. */
  private int looked(int logins, String user, String address) {
    int looked = 0;
    for (int i = 0; i < logins; i++) {
      if (failures.refuse(user, address).isEmpty()) {
        failures.failed(user, address);
        looked++;
      }
    }
    return looked;
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void tenOfOneUserAtOnceAndThenOneInFiveSeconds() {
    assertThat(looked(100, "ada", HERE)).isEqualTo(10);
    assertThat(failures.refuse("ada", HERE)).hasValue(Duration.ofSeconds(5));
    // Also over the moment at which the clock's number overflows.
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofSeconds(5));
      assertThat(looked(100, "ada", HERE)).isEqualTo(1);
    }
    pass(Duration.ofHours(1));
    assertThat(looked(100, "ada", HERE)).isEqualTo(10);
  }

  @Test
  void nobodyIsLockedOutFromElsewhereNorAnybodyElseFromHere() {
    looked(100, "ada", HERE);
    assertThat(failures.refuse("ada", "10.0.0.2")).isEmpty();
    assertThat(failures.refuse("ola", HERE)).isEmpty();
  }

  @Test
  void manyNamesFromOneAddressAreSlowedDownTogether() {
    int looked = 0;
    for (int i = 0; i < 500; i++) {
      looked += looked(1, "user" + i, "2001:db8::" + Integer.toHexString(i + 1));
    }
    assertThat(looked).as("of one network of IPv6").isEqualTo(50);
    assertThat(failures.refuse("ada", "2001:db8::")).hasValue(Duration.ofSeconds(1));
    assertThat(failures.refuse("ada", "2001:db8:0:1::1")).isEmpty();
  }

  @Test
  void whoLogsInHasANewStart() {
    looked(9, "ada", HERE);
    failures.succeeded("ada", HERE);
    assertThat(looked(100, "ada", HERE)).isEqualTo(10);
  }

  @Test
  void whatFailsInTheSameMomentCountsInFullAndEndsAfterAMinute() {
    for (int i = 0; i < 1_000; i++) {
      failures.failed("ada", HERE);
    }
    assertThat(failures.refuse("ada", HERE)).hasValue(Duration.ofMinutes(1));
    pass(Duration.ofMinutes(1));
    assertThat(failures.refuse("ada", HERE)).isEmpty();
  }

  @Test
  void endlessNamesNeedNoEndlessMemory() {
    String name = "x".repeat(5_000);
    assertThat(looked(100, name + 1, HERE)).isEqualTo(10);
    assertThat(failures.refuse(name + 2, HERE)).as("told apart by their beginning").isPresent();
    for (int i = 0; i < 20_000; i++) {
      failures.failed("ada", "10." + i / 65_536 + "." + i / 256 % 256 + "." + i % 256);
    }
    assertThat(looked(100, "ola", "192.0.2.1"))
        .as("is not kept, as there are too many")
        .isEqualTo(100);
    pass(Duration.ofMinutes(10));
    assertThat(looked(100, "ola", "192.0.2.1")).isEqualTo(10);
  }
}
