package org.paceline.allocator.elephant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.paceline.allocator.elephant.QueueSplit.Need;
import org.paceline.intents.unit.DataRate;

class QueueSplitTest {
  private static final DataRate LINK = DataRate.ofKilobitsPerSecond(100_000);

  private static DataRate kbps(long kbps) {
    return DataRate.ofKilobitsPerSecond(kbps);
  }

  /** What others have, who sent what they were granted. */
  private static long others(long granted, long beside, long before) {
    QueueSplit split =
        QueueSplit.of(
            LINK,
            Need.of(kbps(granted), kbps(beside), DataRate.ZERO),
            Optional.of(kbps(before)),
            QueueSplitRule.DEFAULT);
    assertThat(split.elephants().plus(split.others())).isEqualTo(LINK);
    return split.others().toKbpsFloor();
  }

  @Property(seed = "20")
  void neitherHasLessThanItsLeastUnlessThatWasGrantedToOthers(
      @ForAll @LongRange(min = 0, max = 300_000) long granted,
      @ForAll @LongRange(min = 0, max = 300_000) long beside,
      @ForAll @LongRange(min = 0, max = 300_000) long sent,
      @ForAll @IntRange(min = 1, max = 450) int least,
      @ForAll @LongRange(min = 0, max = 100_000) long before) {
    QueueSplit now =
        QueueSplit.of(
            LINK,
            Need.of(kbps(granted), kbps(beside), kbps(sent)),
            Optional.of(kbps(before)),
            QueueSplitRule.of(least, 250, 200));
    long part = 100L * least;
    assertThat(now.elephants().plus(now.others())).isEqualTo(LINK);
    assertThat(now.others().toKbpsFloor()).isGreaterThanOrEqualTo(part);
    assertThat(now.elephants().toKbpsFloor())
        .isGreaterThanOrEqualTo(Math.max(1, Math.min(part, 100_000 - granted)));
  }

  @Property(seed = "20")
  void othersHaveWhatTheyWereGrantedAndWhatTheySendBeside(
      @ForAll @LongRange(min = 0, max = 99_000) long granted,
      @ForAll @LongRange(min = 0, max = 30_000) long beside,
      @ForAll @LongRange(min = 0, max = 100_000) long before) {
    assertThat(others(granted, beside, before))
        .isGreaterThanOrEqualTo(Math.max(granted, Math.min(90_000, granted + beside)));
  }

  @Property(seed = "20")
  void whoeverSendsSteadilyChangesTheSplitOnce(
      @ForAll @LongRange(min = 0, max = 99_000) long granted,
      @ForAll @LongRange(min = 0, max = 120_000) long beside,
      @ForAll @LongRange(min = 0, max = 100_000) long before) {
    long once = others(granted, beside, before);
    assertThat(others(granted, beside, once)).isEqualTo(once);
  }

  @Example
  void theSplitFollowsTrafficUpAtOnceAndDownByAMargin() {
    assertThat(others(0, 1_000, 0)).isEqualTo(10_000);
    assertThat(others(0, 40_000, 10_000)).isEqualTo(50_000);
    assertThat(others(0, 33_000, 50_000)).isEqualTo(50_000);
    assertThat(others(0, 20_000, 50_000)).isEqualTo(25_000);
  }

  @Example
  void aFullQueueHasTwiceAsMuchAndThenWhatIsSent() {
    assertThat(full(20_000, 20_000)).isEqualTo(40_000);
    assertThat(full(40_000, 40_000)).isEqualTo(80_000);
    assertThat(full(48_000, 80_000)).isEqualTo(60_000);
    assertThat(full(48_000, 60_000)).isEqualTo(60_000);
  }

  private static long full(long beside, long before) {
    return QueueSplit.of(
            LINK,
            Need.of(kbps(0), kbps(beside), kbps(beside)),
            Optional.of(kbps(before)),
            QueueSplitRule.DEFAULT)
        .others()
        .toKbpsFloor();
  }

  @Example
  void whatIsGrantedAndSentIsNoReasonForMore() {
    QueueSplit now =
        QueueSplit.of(
            LINK,
            Need.of(kbps(30_000), kbps(0), kbps(30_000)),
            Optional.of(kbps(30_000)),
            QueueSplitRule.DEFAULT);
    assertThat(now.others()).isEqualTo(kbps(30_000));
  }

  @Example
  void aPortOfAnotherCapacityIsDividedAnew() {
    QueueSplit after =
        QueueSplit.of(
            kbps(10_000),
            Need.of(kbps(0), kbps(0), kbps(0)),
            Optional.of(kbps(60_000)),
            QueueSplitRule.DEFAULT);
    assertThat(after.others()).isEqualTo(kbps(1_000));
  }

  @Example
  void numbersOutOfTheirRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueSplitRule.of(451, 250, 200))
        .withMessageContaining("(451 thousandths)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                QueueSplit.of(
                    DataRate.ofMillibitsPerSecond(1),
                    Need.of(kbps(0), kbps(0), kbps(0)),
                    Optional.empty(),
                    QueueSplitRule.DEFAULT))
        .withMessageContaining("cannot be divided");
  }
}
