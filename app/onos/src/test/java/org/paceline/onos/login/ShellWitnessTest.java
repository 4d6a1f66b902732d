package org.paceline.onos.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ShellWitnessTest {
  private static final String SET = "onos:cfg set org.paceline.onos.PacelineComponent mode ";

  private final Passing clock = new Passing();
  private final ShellWitness witness = new ShellWitness(clock);

  @Test
  void whoSaidTheNameAndTheValueSetIt() {
    witness.heard("anna", SET + "shadow");
    witness.heard("vito", "onos:cfg get org.paceline.onos.PacelineComponent mode");
    assertThat(witness.whoSet("mode", Optional.of("shadow"))).hasValue("anna");
    assertThat(witness.whoSet("port", Optional.of("1"))).isEmpty();
  }

  @Test
  void theLastWhoSaidItDid() {
    witness.heard("anna", SET + "shadow");
    witness.heard("adam", SET + "shadow");
    assertThat(witness.whoSet("mode", Optional.of("shadow"))).hasValue("adam");
  }

  @Test
  void whatWasSaidLongAgoIsForgotten() {
    witness.heard("anna", SET + "shadow");
    clock.now = clock.now.plus(Duration.ofSeconds(11));
    assertThat(witness.whoSet("mode", Optional.of("shadow"))).isEmpty();
  }

  private static final class Passing extends Clock {
    private Instant now = Instant.parse("2026-11-23T10:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
