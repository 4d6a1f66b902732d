package org.paceline.agent.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final Lease LEASE = new Lease(Duration.ofSeconds(30));

  private static int step(long seconds) {
    return LEASE.stepAfter(Duration.ofSeconds(seconds));
  }

  @Test
  void aRateHoldsForOneLeaseThenRelaxesByThirdsAndIsOverAfterThree() {
    assertThat(step(0)).isZero();
    assertThat(step(29)).isZero();
    assertThat(step(30)).isEqualTo(1);
    assertThat(step(39)).isEqualTo(1);
    assertThat(step(40)).isEqualTo(2);
    assertThat(step(79)).isEqualTo(5);
    assertThat(step(89)).isEqualTo(6);
    assertThat(step(90)).isEqualTo(Lease.OVER);
    assertThat(step(100_000)).isEqualTo(Lease.OVER);
  }

  @Test
  void withoutALengthItHoldsForever() {
    assertThat(new Lease(Duration.ZERO).stepAfter(Duration.ofDays(100))).isZero();
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatThrownBy(() -> new Lease(Duration.ofSeconds(-1))).hasMessageContaining("(PT-1S)");
  }

  @Property(seed = "20")
  void aRelaxedRateIsNeverBelowTheGrantAndRaisesNobodyAboveTheSafeRate(
      @ForAll @LongRange(min = 1, max = 100_000_000_000L) long granted,
      @ForAll @IntRange(max = Lease.OVER) int step,
      @ForAll @LongRange(min = 8_000, max = 100_000_000_000L) long safe) {
    long rate = Lease.relaxed(granted, step, safe);

    assertThat(rate).isBetween(granted, Math.max(granted, safe));
    assertThat(Lease.relaxed(granted, Math.min(Lease.OVER, step + 1), safe))
        .isGreaterThanOrEqualTo(rate);
  }
}
