package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.paceline.agent.pacing.Lease;
import org.paceline.protocol.Welcome;

class ControllerSilenceTest {
  private static final Duration TICK = Duration.ofMillis(500);

  private Duration now = Duration.ofDays(3);
  private final ControllerSilence silence = new ControllerSilence(() -> now, Duration.ofSeconds(5));

  ControllerSilenceTest() {
    silence.agreed(Welcome.newBuilder().setLeaseSeconds(120).setHeartbeatSeconds(2).build());
    silence.heard();
    silence.passes();
  }

  @Test
  void theStreamIsDeadAfterThreeHeartbeatsAndALeaseRunsOutInItsTime() {
    passes(Duration.ofSeconds(6));
    assertThat(silence.isDead()).isFalse();
    passes(TICK);
    assertThat(silence.isDead()).isTrue();
    passes(Duration.ofSeconds(113));
    assertThat(silence.step()).isZero();
    passes(TICK);
    assertThat(silence.step()).isOne();
    passes(Duration.ofSeconds(240));
    assertThat(silence.step()).isEqualTo(Lease.OVER);
  }

  @Test
  void aWordEndsTheSilence() {
    passes(Duration.ofSeconds(200));
    silence.heard();
    assertThat(silence.isDead()).isFalse();
    assertThat(silence.step()).isZero();
    passes(TICK);
    assertThat(silence.isDead()).isFalse();
  }

  /** The host was suspended, the agent stopped, or its virtual machine paused. */
  @Test
  void whoStoodStillFindsItsRatesAsTheyWereAndMakesTheStreamAnew() {
    now = now.plusSeconds(3_600);
    assertThat(silence.passes()).isEqualTo(Duration.ofHours(1));
    assertThat(silence.step()).isZero();
    assertThat(silence.isDead()).isTrue();

    // And the lease goes on from where it was.
    passes(Duration.ofSeconds(119));
    assertThat(silence.step()).isZero();
    passes(Duration.ofSeconds(1));
    assertThat(silence.step()).isOne();
  }

  @Test
  void whatHadWaitedToBeHeardSaysNothingOfTheStreamNow() {
    now = now.plusSeconds(3_600);
    silence.heard();
    silence.passes();
    assertThat(silence.isDead()).isTrue();
    silence.heard();
    assertThat(silence.isDead()).isFalse();
  }

  @Test
  void withoutHeartbeatsOneLeaseEndsTheStreamAndWithoutBothNothingDoes() {
    silence.agreed(Welcome.newBuilder().setLeaseSeconds(30).build());
    passes(Duration.ofSeconds(29));
    assertThat(silence.isDead()).isFalse();
    passes(Duration.ofSeconds(1));
    assertThat(silence.isDead()).isTrue();
    silence.agreed(Welcome.getDefaultInstance());
    passes(Duration.ofDays(1));
    assertThat(silence.isDead()).isFalse();
    assertThat(silence.step()).isZero();
  }

  @Test
  void theHostsClockGoesOn() throws Exception {
    Duration before = ControllerSilence.sinceBoot();
    Thread.sleep(30);
    assertThat(ControllerSilence.sinceBoot()).isGreaterThan(before);
  }

  private void passes(Duration time) {
    for (Duration left = time; !left.isZero(); left = left.minus(TICK)) {
      now = now.plus(TICK);
      assertThat(silence.passes()).isZero();
    }
  }
}
