package org.paceline.control.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.model.Alarm;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** One link, counted every five seconds. */
final class LinkTelemetryTest {
  private static final LinkId LINK = LinkId.of("of:1", "of:2");
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final ManualWorker time = new ManualWorker();
  private final LinkTelemetry telemetry = new LinkTelemetry(time, time);
  private long bytes;
  private long packets;
  private long dropped;
  private Duration running = Duration.ofHours(1);

  /** Another reading, a period later, with what was counted meanwhile. */
  private void period(long moreBytes, long moreDropped) {
    time.pass(PERIOD);
    running = running.plus(PERIOD);
    bytes += moreBytes;
    packets += moreBytes / 1_000;
    dropped += moreDropped;
    read();
  }

  private void read() {
    telemetry.counted(Map.of(LINK, LinkCount.of(bytes, packets, dropped, running)));
  }

  private LinkMeasurement now() {
    return newest(telemetry);
  }

  private static LinkMeasurement newest(LinkTelemetry of) {
    return Objects.requireNonNull(of.now().get(LINK), "Nothing was measured.");
  }

  @Test
  void oneReadingSaysNothingAndTwoTheRateBetweenThem() {
    bytes = 77_000_000;
    read();
    assertThat(telemetry.now()).isEmpty();
    period(6_250_000, 0);
    assertThat(now().rate()).isEqualTo(DataRate.ofKilobitsPerSecond(10_000));
    assertThat(now().smoothed()).isEqualTo(now().rate());
    assertThat(now().packets()).isEqualTo(6_250);
    assertThat(now().over()).isEqualTo(PERIOD);
    assertThat(now().at()).isEqualTo(time.instant());
  }

  @Test
  void whatQueuesDroppedIsThereAsSoonAsTheyWereReadThoughTheirPortWasNot() {
    read();
    period(6_250_000, 0);
    LinkMeasurement before = now();
    time.pass(Duration.ofSeconds(1));
    dropped += 7;
    read();
    assertThat(now()).isEqualTo(before.dropping(7));
    assertThat(now().droppedPackets()).isEqualTo(7);
    assertThat(now().droppedEver()).isEqualTo(7);
    assertThat(telemetry.alarms()).hasSize(1);
    period(6_250_000, 2);
    assertThat(now().droppedPackets()).isEqualTo(2);
    assertThat(now().droppedEver()).isEqualTo(9);
  }

  @Test
  void theSmoothedRateForgetsAStepWithinItsTime() {
    read();
    period(0, 0);
    for (int i = 0; i < 3; i++) {
      period(6_250_000, 0);
    }
    // After one time constant 1 - 1/e of the step are there.
    assertThat(now().smoothed().bitsPerSecond())
        .isCloseTo(Math.round(10_000_000 * (1 - Math.exp(-1))), within(2_000L));
    assertThat(now().rate()).isEqualTo(DataRate.ofKilobitsPerSecond(10_000));
  }

  @Test
  void howOftenIsReadDoesNotChangeWhatIsSmoothed() {
    LinkTelemetry seldom = new LinkTelemetry(time, time);
    read();
    seldom.counted(Map.of(LINK, LinkCount.of(0, 0, 0, running)));
    period(0, 0);
    seldom.counted(Map.of(LINK, LinkCount.of(bytes, packets, dropped, running)));
    period(6_250_000, 0);
    period(6_250_000, 0);
    seldom.counted(Map.of(LINK, LinkCount.of(bytes, packets, dropped, running)));
    assertThat(now().smoothed().bitsPerSecond())
        .isCloseTo(newest(seldom).smoothed().bitsPerSecond(), within(10L));
  }

  @Test
  void countersThatWereSetBackBeginAnew() {
    bytes = 9_000_000;
    read();
    period(6_250_000, 3);
    LinkMeasurement before = now();
    bytes = 0;
    packets = 0;
    dropped = 0;
    running = Duration.ofSeconds(1);
    time.pass(PERIOD);
    read();
    assertThat(now()).isEqualTo(before);
    period(625_000, 0);
    assertThat(now().rate()).isEqualTo(DataRate.ofKilobitsPerSecond(1_000));
    assertThat(now().droppedEver()).isZero();
  }

  @Test
  void theSameReadingTwiceSaysNothingNew() {
    read();
    period(6_250_000, 0);
    LinkMeasurement before = now();
    time.pass(PERIOD);
    read();
    assertThat(now()).isEqualTo(before);
  }

  @Test
  void whatIsOldIsNotShown() {
    read();
    period(6_250_000, 0);
    time.pass(Duration.ofSeconds(66));
    assertThat(telemetry.now()).isEmpty();
  }

  @Test
  void aClockThatIsSteppedMakesNothingOldAndKeepsNothing() {
    read();
    period(6_250_000, 625);
    time.step(Duration.ofHours(2));
    assertThat(telemetry.now()).containsOnlyKeys(LINK);
    assertThat(telemetry.alarms()).hasSize(1);
    time.step(Duration.ofHours(-4));
    time.pass(Duration.ofSeconds(66));
    assertThat(telemetry.now()).isEmpty();
    assertThat(telemetry.alarms()).isEmpty();
  }

  @Test
  void aLinkThatDropsHasAnAlarmUntilItHasDroppedNothingForHalfAMinute() {
    read();
    period(6_250_000, 0);
    assertThat(telemetry.alarms()).isEmpty();
    period(6_250_000, 625);
    Instant first = time.instant();
    Alarm alarm = only(telemetry.alarms());
    assertThat(alarm.kind()).isEqualTo(Alarm.Kind.DROPS);
    assertThat(alarm.link()).contains(LINK);
    assertThat(alarm.sentence())
        .contains("of:1 -> of:2 dropped 625 packets (9.09 %", "in 5.0 s", "10000 kbit/s");
    period(6_250_000, 1);
    assertThat(only(telemetry.alarms()).since()).isEqualTo(first);
    for (int i = 0; i < 5; i++) {
      period(6_250_000, 0);
      assertThat(telemetry.alarms()).hasSize(1);
    }
    period(6_250_000, 0);
    assertThat(telemetry.alarms()).isEmpty();
    assertThat(now().droppedEver()).isEqualTo(626);
  }

  @Test
  void aLinkThatDropsInEachPeriodHasOneAlarmHoweverLongThePeriodIs() {
    Duration longest = Duration.ofSeconds(30);
    telemetry.countedEvery(longest);
    read();
    period(6_250_000, 1);
    Instant first = time.instant();
    for (int i = 0; i < 3; i++) {
      // The answer takes a moment longer than the one before.
      time.pass(longest.plusMillis(20));
      assertThat(only(telemetry.alarms()).since()).isEqualTo(first);
      running = running.plus(longest);
      dropped++;
      read();
      assertThat(only(telemetry.alarms()).since()).isEqualTo(first);
    }
    time.pass(longest.multipliedBy(2).plusSeconds(1));
    assertThat(telemetry.alarms()).isEmpty();
    telemetry.countedEvery(PERIOD);
    period(6_250_000, 1);
    time.pass(Duration.ofSeconds(29));
    assertThat(telemetry.alarms()).hasSize(1);
    time.pass(Duration.ofSeconds(2));
    assertThat(telemetry.alarms()).isEmpty();
  }

  @Test
  void aLinkThatIsNotCountedAnyMoreIsForgotten() {
    read();
    period(6_250_000, 5);
    for (int i = 0; i < 20; i++) {
      time.pass(PERIOD);
      telemetry.counted(Map.of());
    }
    assertThat(telemetry.now()).isEmpty();
    assertThat(telemetry.alarms()).isEmpty();
    period(6_250_000, 5);
    assertThat(telemetry.now()).isEmpty();
  }

  @Test
  void countersBelowZeroAreRefusedWithWhatTheyAre() {
    assertThatThrownBy(() -> LinkCount.of(-1, 0, 0, PERIOD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 bytes")
        .hasMessageContaining("Maybe");
  }

  private static Alarm only(List<Alarm> alarms) {
    assertThat(alarms).hasSize(1);
    return alarms.get(0);
  }
}
