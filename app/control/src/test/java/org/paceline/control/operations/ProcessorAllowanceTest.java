package org.paceline.control.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProcessorAllowanceTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final ProcessorAllowance allowance = new ProcessorAllowance(Duration.ofSeconds(20), 10);

  @Test
  void muchAtOnceAndATenthLater() {
    allowance.took("anna", Duration.ofSeconds(19), 0);
    assertThat(allowance.until("anna", 0)).isEqualTo(Duration.ZERO);
    allowance.took("anna", Duration.ofSeconds(2), 0);
    assertThat(allowance.until("anna", 0).toSeconds()).isEqualTo(10);
    assertThat(allowance.until("anna", 4 * SECOND).toSeconds()).isEqualTo(6);
    assertThat(allowance.until("anna", 11 * SECOND)).isEqualTo(Duration.ZERO);
    assertThat(allowance.until("bert", 0)).isEqualTo(Duration.ZERO);
  }

  @Test
  void whoHasNotAskedForLongMayTakeAsMuchAsAtFirstAndNoMore() {
    allowance.took("anna", Duration.ofSeconds(19), 0);
    allowance.took("anna", Duration.ofSeconds(19), 1_000 * SECOND);
    assertThat(allowance.until("anna", 1_000 * SECOND)).isEqualTo(Duration.ZERO);
    allowance.took("anna", Duration.ofSeconds(2), 1_000 * SECOND);
    assertThat(allowance.until("anna", 1_000 * SECOND).toSeconds()).isEqualTo(10);
  }
}
