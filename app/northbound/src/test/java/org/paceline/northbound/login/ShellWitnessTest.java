package org.paceline.northbound.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;

final class ShellWitnessTest {
  private static final String SET = "onos:cfg set org.paceline.onos.PacelineComponent mode ";

  private final ManualWorker time = new ManualWorker();
  private final ShellWitness witness = new ShellWitness(time);

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
    time.pass(Duration.ofSeconds(11));
    assertThat(witness.whoSet("mode", Optional.of("shadow"))).isEmpty();
  }
}
