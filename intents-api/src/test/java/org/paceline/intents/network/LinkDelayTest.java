package org.paceline.intents.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

class LinkDelayTest {
  /** The example of appendix A.6: 10 ms up to 100 kbit/s, then linearly up to 80 ms at 1000. */
  private static final LinkDelay PAPER =
      LinkDelay.piecewise(List.of(kbps(0), kbps(100), kbps(1000)), List.of(ms(10), ms(10), ms(80)));

  private static DataRate kbps(long value) {
    return DataRate.ofKilobitsPerSecond(value);
  }

  private static Latency ms(long value) {
    return Latency.ofMillis(value);
  }

  @Test
  void thePapersExampleComesOutAsInThePaper() {
    assertThat(PAPER.at(kbps(500)).nanos()).isEqualTo(41_111_111);
    assertThat(PAPER.at(kbps(50))).isEqualTo(ms(10));
    assertThat(PAPER.at(kbps(5000))).isEqualTo(ms(80));
  }

  @Property(seed = "20")
  void theGreatestLoadWithinABudgetIsTheGreatest(
      @ForAll @LongRange(min = 10_000_000, max = 79_999_999) long nanos) {
    long load = PAPER.greatestLoadWithin(Latency.ofNanos(nanos)).orElseThrow().millibitsPerSecond();

    assertThat(PAPER.nanosAt(load)).isLessThanOrEqualTo(nanos);
    assertThat(PAPER.nanosAt(load + 1)).isGreaterThan(nanos);
  }

  @Test
  void aBudgetThatNothingKeepsHasNoLoad() {
    assertThat(PAPER.greatestLoadWithin(ms(9))).isEmpty();
    assertThat(PAPER.greatestLoadWithin(ms(80)).orElseThrow().millibitsPerSecond())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aDelayThatFallsWithLoadIsRefused() {
    assertThatThrownBy(() -> LinkDelay.piecewise(List.of(kbps(0), kbps(1)), List.of(ms(2), ms(1))))
        .hasMessageContaining("must not fall")
        .hasMessageContaining("Maybe");
  }

  @Test
  void aNetworkRefusesLinksToNowhereAndTwins() {
    Link link = Link.of("a", "b", kbps(1), LinkDelay.constant(ms(1)));

    assertThatThrownBy(() -> Network.of(List.of("a"), List.of(link))).hasMessageContaining("(b)");
    assertThatThrownBy(() -> Network.of(List.of("a", "b"), List.of(link, link)))
        .hasMessageContaining("two links");
    assertThatThrownBy(() -> Path.of(List.of("a", "b", "a"))).hasMessageContaining("none twice");
  }
}
