package org.paceline.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestLimitTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(5).toNanos());
  private final RequestLimit limit = new RequestLimit(5, now::get);

  private int servedOf(String client, int requests) {
    int served = 0;
    for (int i = 0; i < requests; i++) {
      served += limit.refuse(client).isEmpty() ? 1 : 0;
    }
    return served;
  }

  @Test
  void tenSecondsWorthComeAtOnceAndThenOnlyWhatTimeGivesBack() {
    assertThat(servedOf("anna", 1_000)).isEqualTo(50);
    assertThat(limit.refuse("anna")).hasValue(Duration.ofSeconds(1));
    // Also over the moment at which the clock's number overflows.
    for (int second = 0; second < 20; second++) {
      now.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(servedOf("anna", 1_000)).isEqualTo(5);
    }
    now.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(servedOf("anna", 1_000)).isEqualTo(50);
  }

  @Test
  void whoWaitsAsLongAsToldIsServed() {
    servedOf("anna", 1_000);
    Duration wait = limit.refuse("anna").orElseThrow();
    now.addAndGet(wait.toNanos());
    assertThat(limit.refuse("anna")).isEmpty();
  }

  @Test
  void oneClientDoesNotUseUpAnothersShare() {
    servedOf("anna", 1_000);
    assertThat(servedOf("bert", 1_000)).isEqualTo(50);
  }

  @Test
  void anotherLimitHoldsFromTheNextRequestOnAndZeroIsNone() {
    servedOf("anna", 1_000);
    limit.set(0);
    assertThat(servedOf("anna", 1_000)).isEqualTo(1_000);
  }
}
