package org.paceline.agent.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PacketsAtOnceTest {
  private static final long PATIENCE = PacketsAtOnce.PATIENCE.toNanos();
  private static final long MUCH = PacketsAtOnce.MOST_ABOVE_BITS_PER_SECOND + 1;
  private static final long BETWEEN = PacketsAtOnce.MOST_ABOVE_BITS_PER_SECOND;
  private static final long LITTLE = PacketsAtOnce.FEWEST_BELOW_BITS_PER_SECOND - 1;

  /** A host's own clock may have begun long ago, or be about to turn over. */
  private static final long BEGIN = Long.MAX_VALUE - PATIENCE / 2;

  private final PacketsAtOnce choice = new PacketsAtOnce(OptionalInt.empty());

  @Test
  void packetsLeaveOneByOneWhereNotMuchIsGranted() {
    assertThat(choice.with(0, BEGIN)).isEqualTo(1);
    assertThat(choice.with(LITTLE, BEGIN + 1)).isEqualTo(1);
    assertThat(choice.with(BETWEEN, BEGIN + 2)).isEqualTo(1);
  }

  @Test
  void whereMuchIsGrantedSeveralLeaveTogetherAtOnce() {
    assertThat(choice.with(LITTLE, BEGIN)).isEqualTo(1);
    assertThat(choice.with(MUCH, BEGIN + 1)).isEqualTo(4);
  }

  @Test
  void theyLeaveOneByOneAgainOnlyOnceLittleWasGrantedForAWhile() {
    choice.with(MUCH, BEGIN);

    assertThat(choice.with(LITTLE, BEGIN + PATIENCE - 1)).isEqualTo(4);
    assertThat(choice.with(LITTLE, BEGIN + PATIENCE)).isEqualTo(1);
  }

  @Test
  void aShortDropChangesNothing() {
    choice.with(MUCH, BEGIN);
    choice.with(LITTLE, BEGIN + PATIENCE - 1);
    choice.with(BETWEEN, BEGIN + PATIENCE);

    assertThat(choice.with(LITTLE, BEGIN + 2 * PATIENCE - 1)).isEqualTo(4);
    assertThat(choice.with(LITTLE, BEGIN + 2 * PATIENCE)).isEqualTo(1);
  }

  @Test
  void ratesBetweenTheTwoBoundsKeepWhatIs() {
    assertThat(choice.with(BETWEEN, BEGIN)).isEqualTo(1);
    choice.with(MUCH, BEGIN + 1);

    for (int i = 1; i < 10; i++) {
      assertThat(choice.with(BETWEEN, BEGIN + i * PATIENCE)).isEqualTo(4);
    }
  }

  @Test
  void aNumberThatIsSetHoldsWhateverIsGranted() {
    PacketsAtOnce set = new PacketsAtOnce(OptionalInt.of(2));

    assertThat(set.with(LITTLE, BEGIN)).isEqualTo(2);
    assertThat(set.with(MUCH, BEGIN + 1)).isEqualTo(2);
  }
}
