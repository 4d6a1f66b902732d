package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ReconnectBackoffTest {

  @Property(seed = "20")
  void itNeverWaitsLongerThanOneSecondAndStartsAnewAfterSuccess(@ForAll long seed) {
    ReconnectBackoff backoff = new ReconnectBackoff(new Random(seed));
    for (int i = 0; i < 20; i++) {
      assertThat(backoff.next()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(1));
    }
    backoff.reset();

    assertThat(backoff.next()).isLessThanOrEqualTo(Duration.ofMillis(250));
  }
}
