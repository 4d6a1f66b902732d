package org.paceline.control.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Example;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.telemetry.SentTotals.Source;
import org.paceline.intents.unit.DataRate;

/** The agent has counted gigabytes when the switch, which sees the same, begins at nothing. */
final class SentTotalsTest {
  private static final ConversationId COPY = ConversationId.of("h1", "copy");

  private final SentTotals totals = new SentTotals();

  private static Counters counted(long bytes) {
    return Counters.of(COPY, bytes, bytes / 100_000, 1, DataRate.ZERO, Map.of(), Optional.empty())
        .inPackets(bytes / 1_000);
  }

  private long total(Source source, long bytes) {
    return totals.next(source, counted(bytes)).sentBytes();
  }

  @Example
  void oneSourceIsTakenAtItsWord() {
    assertThat(totals.next(Source.AGENT, counted(7_000))).isEqualTo(counted(7_000));
    assertThat(totals.next(Source.AGENT, counted(9_000_000))).isEqualTo(counted(9_000_000));
  }

  @Example
  void whatLiesBetweenTwoSourcesWasNotSent() {
    total(Source.SWITCH, 1_000_000);
    assertThat(total(Source.AGENT, 5_000_000_000L)).isEqualTo(1_000_000);
    assertThat(total(Source.AGENT, 5_000_300_000L)).isEqualTo(1_300_000);
    assertThat(total(Source.SWITCH, 1_100_000)).isEqualTo(1_300_000);
    assertThat(total(Source.SWITCH, 1_200_000)).isEqualTo(1_400_000);
    assertThat(total(Source.AGENT, 5_900_000_000L)).as("the way back").isEqualTo(1_400_000);
    assertThat(total(Source.AGENT, 5_900_100_000L)).isEqualTo(1_500_000);
  }

  @Example
  void packetsGoOnAsBytesDo() {
    totals.next(Source.SWITCH, counted(1_000_000));
    totals.next(Source.AGENT, counted(5_000_000_000L));
    assertThat(totals.next(Source.AGENT, counted(5_001_000_000L))).isEqualTo(counted(2_000_000));
  }

  @Example
  void aCounterThatRestartsIsSeenToAndNeverJumps() {
    total(Source.AGENT, 5_000_000_000L);
    assertThat(total(Source.AGENT, 0)).isZero();
    assertThat(total(Source.AGENT, 70_000)).isEqualTo(70_000);
    assertThat(total(Source.SWITCH, 900_000)).isEqualTo(70_000);
    assertThat(total(Source.SWITCH, 800_000)).as("less, and yet more").isEqualTo(70_000);
    assertThat(total(Source.SWITCH, 850_000)).isEqualTo(120_000);
  }

  @Example
  void whereASwitchCountsItsAgentIsNotAskedToo() {
    assertThat(totals.believesAgent(COPY, true)).as("no switch counts it yet").isTrue();
    total(Source.AGENT, 5_000_000);
    assertThat(totals.believesAgent(COPY, true)).isTrue();
    total(Source.SWITCH, 3_000);
    assertThat(totals.believesAgent(COPY, true)).isFalse();
    assertThat(totals.believesAgent(COPY, false)).as("its agent holds it again").isTrue();
  }

  @Example
  void whatIsOverBeginsAnew() {
    total(Source.AGENT, 5_000_000);
    totals.forget(COPY);
    assertThat(total(Source.SWITCH, 3_000)).isEqualTo(3_000);
  }
}
