package org.paceline.agent.enforce.htb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.pacing.Pacing;

class PoolClassTest {
  private static final ClassRate NONE = ClassRate.of(0);

  @Test
  void withoutAPoolItsClassHoldsNobodyBackAndIsUnderstoodAsNone() {
    ClassRate told = PoolClass.told(NONE);

    // Nobody could be granted as much, so it stands for nothing else.
    assertThat(told.bitsPerSecond()).isGreaterThan(Pacing.GREATEST_RATE);
    assertThat(understood(ClassIds.POOL, told)).isEqualTo(NONE);
  }

  @Test
  void allElseIsToldAndUnderstoodAsItIs() {
    ClassRate some = ClassRate.of(8_000_000);

    assertThat(PoolClass.told(some)).isEqualTo(some);
    assertThat(understood(ClassIds.POOL, some)).isEqualTo(some);
    assertThat(understood(7, PoolClass.told(NONE))).isEqualTo(PoolClass.told(NONE));
  }

  private static ClassRate understood(int minor, ClassRate shown) {
    return PoolClass.understood(new ClassStatistics(minor, shown, 1, 1, 0, 0)).rate();
  }
}
