package org.paceline.control.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.paceline.control.traffic.LinkHeadroom.Sight;

final class LinkHeadroomTest {
  private static final Duration READING = Duration.ofSeconds(5);
  private static final int USUAL = 960;

  private final LinkHeadroom.Bounds bounds = new LinkHeadroom.Bounds(900, USUAL, 990);
  private final LinkHeadroom link = new LinkHeadroom(USUAL, Duration.ZERO);
  private Duration now = Duration.ZERO;

  private int read(Sight sight) {
    now = now.plus(READING);
    link.read(sight, now, bounds);
    return link.usable(bounds);
  }

  private int read(Sight sight, Duration forSoLong) {
    for (Duration end = now.plus(forSoLong); now.compareTo(end) < 0; ) {
      read(sight);
    }
    return link.usable(bounds);
  }

  @Test
  void aQueueIsGivenRoomAtOnceAndCalmTakesItBackBySmallSteps() {
    read(Sight.NO_QUEUE);
    assertThat(read(Sight.QUEUE)).isEqualTo(940);
    assertThat(read(Sight.NO_QUEUE, Duration.ofSeconds(30))).isEqualTo(940);
    assertThat(read(Sight.NO_QUEUE, Duration.ofSeconds(10))).isEqualTo(941);
    assertThat(read(Sight.NO_QUEUE, Duration.ofMinutes(15))).isEqualTo(959);
  }

  @Test
  void whatWasTooMuchIsTriedAgainAfterAnHour() {
    read(Sight.NO_QUEUE);
    read(Sight.QUEUE);
    assertThat(read(Sight.NO_QUEUE, Duration.ofMinutes(59))).isEqualTo(959);
    assertThat(read(Sight.NO_QUEUE, Duration.ofMinutes(2))).isGreaterThanOrEqualTo(960);
  }

  /** Else a burst of somebody without an agent would keep the link nearly empty for an hour. */
  @Test
  void aLongQueueForbidsOnlyWhatItBeganWith() {
    read(Sight.NO_QUEUE);
    assertThat(read(Sight.QUEUE, Duration.ofMinutes(1))).isEqualTo(900);
    assertThat(read(Sight.NO_QUEUE, Duration.ofMinutes(45))).isEqualTo(959);
  }

  @Test
  void aReadingThatBeganBeforeTheChangeIsNoReasonForAnother() {
    read(Sight.NO_QUEUE);
    assertThat(read(Sight.QUEUE)).isEqualTo(940);
    assertThat(read(Sight.QUEUE)).isEqualTo(940);
    assertThat(read(Sight.QUEUE)).isEqualTo(920);
  }

  @Test
  void aLinkThatIsNotFullTeachesNothing() {
    assertThat(read(Sight.NOTHING, Duration.ofHours(2))).isEqualTo(USUAL);
  }

  @Test
  void withoutRoundTripsItGoesNoFurtherThanUsual() {
    read(Sight.NO_DROPS);
    read(Sight.QUEUE);
    assertThat(read(Sight.NO_DROPS, Duration.ofHours(2))).isEqualTo(USUAL);
    assertThat(read(Sight.NO_QUEUE, Duration.ofHours(1))).isEqualTo(990);
  }

  @Property(tries = 300, seed = "21")
  void itStaysWithinItsBoundsAndGrowsSlowly(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 3) Integer> sights) {
    LinkHeadroom any = new LinkHeadroom(USUAL, Duration.ZERO);
    Duration at = Duration.ZERO;
    Duration grown = Duration.ZERO;
    for (int sight : sights) {
      int before = any.usable(bounds);
      at = at.plus(READING);
      any.read(Sight.values()[sight], at, bounds);
      int after = any.usable(bounds);
      assertThat(after).isBetween(bounds.least, bounds.most);
      assertThat(after - before).isBetween(-LinkHeadroom.DECREASE, LinkHeadroom.INCREASE);
      if (after > before) {
        assertThat(at.minus(grown)).isGreaterThanOrEqualTo(LinkHeadroom.CALM);
        grown = at;
      }
    }
  }

  /** Of a link that is always full and carries this much, within six hours. */
  @Property(tries = 60, seed = "21")
  void aLinkThatCarriesLessThanItSaysIsUsedNearlyAsMuchAndHasAQueueSeldom(
      @ForAll @IntRange(min = 901, max = 1000) int carries) {
    LinkHeadroom any = new LinkHeadroom(USUAL, Duration.ZERO);
    int queues = 0;
    long used = 0;
    int readings = 0;
    for (Duration at = READING; at.compareTo(Duration.ofHours(6)) < 0; at = at.plus(READING)) {
      boolean isTooMuch = any.usable(bounds) > carries;
      any.read(isTooMuch ? Sight.QUEUE : Sight.NO_QUEUE, at, bounds);
      if (at.compareTo(Duration.ofHours(1)) > 0) {
        queues += isTooMuch ? 1 : 0;
        used += any.usable(bounds);
        readings++;
      }
    }
    int could = Math.min(carries, bounds.most);
    assertThat(used / readings).isBetween(could - 12L, (long) could);
    assertThat(queues).as("readings with a queue in five hours").isLessThanOrEqualTo(10);
  }
}
