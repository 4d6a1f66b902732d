package org.paceline.allocator.elephant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

final class AlphaSumsTest {
  private static final long GB = 1_000_000_000;
  private static final IpAddress HERE = IpAddress.parse("10.0.0.1");
  private static final IpAddress THERE = IpAddress.parse("10.0.1.1");
  private static final int PLENTY = 100_000;

  private static IpAddress host(int number) {
    return IpAddress.ofIpv4(0x0a00_0000 + number);
  }

  private static FlowRecord record(int from, long start, long lasts, long bytes) {
    return FlowRecord.of(host(from), THERE, start, start + lasts, bytes);
  }

  /** Who was found to send more than that in that time, by the search that keeps every record. */
  private static Set<IpAddress> exactly(List<FlowRecord> records, long bytes, long millis) {
    AlphaSearch search = new AlphaSearch(AlphaRule.of(bytes, Duration.ofMillis(millis)));
    records.forEach(search::add);
    return sources(search.found());
  }

  private static Set<IpAddress> sources(List<AlphaFlow> flows) {
    Set<IpAddress> sources = new HashSet<>();
    flows.forEach(flow -> sources.add(flow.source()));
    return sources;
  }

  @Example
  void whatFillsWholeSlotsIsFoundAsItWasSent() {
    AlphaSums sums = new AlphaSums(AlphaRule.DEFAULT, PLENTY);
    sums.add(FlowRecord.of(HERE, THERE, 0, 30_000, 600_000_000));
    sums.add(FlowRecord.of(HERE, THERE, 30_000, 60_000, 600_000_000));
    assertThat(sums.found()).hasSize(1);
    assertThat(sums.found().get(0).bytes()).isEqualTo(1_200_000_000);
    assertThat(sums.size()).isEqualTo(4);
  }

  /** Rounding is at most a byte for each record and slot. */
  @Property(tries = 300, seed = "20")
  void twiceTheThresholdIsAlwaysFoundAndWhatIsFoundIsAboveItNearby(@ForAll long seed) {
    Random random = new Random(seed);
    long interval = 40;
    long threshold = 2_000 + random.nextInt(20_000);
    AlphaSums sums = new AlphaSums(AlphaRule.of(threshold, Duration.ofMillis(interval)), PLENTY);
    List<FlowRecord> records = new ArrayList<>();
    for (int r = random.nextInt(60); r >= 0; r--) {
      records.add(
          record(
              random.nextInt(4),
              1_000 + random.nextInt(400),
              random.nextInt(random.nextBoolean() ? 8 : 120),
              random.nextInt(6_000)));
    }
    records.forEach(sums::add);
    Set<IpAddress> found = sources(sums.found());
    assertThat(found).containsAll(exactly(records, 2 * threshold + 1_000, interval));
    assertThat(exactly(records, threshold - 1_000, interval + interval / 4)).containsAll(found);
    assertThat(sums.letGoBytes()).isZero();
  }

  /** Elephants, each in twenty records, among so many mice that most of these find no room. */
  @Property(tries = 20, seed = "20")
  void elephantsKeepTheirRoomAmongMice(@ForAll long seed) {
    Random random = new Random(seed);
    int most = 400;
    AlphaSums sums = new AlphaSums(AlphaRule.DEFAULT, most);
    for (int i = 0; i < 20; i++) {
      for (int elephant = 0; elephant < 5; elephant++) {
        sums.add(record(elephant, 60_000 + 1_000L * i, 1_000, GB / 10));
      }
      for (int mouse = 0; mouse < 500; mouse++) {
        sums.add(record(100 + random.nextInt(PLENTY), 60_000 + 1_000L * i, 100, 1_000));
        assertThat(sums.size()).isLessThanOrEqualTo(most);
      }
    }
    assertThat(sources(sums.found()))
        .containsExactlyInAnyOrder(host(0), host(1), host(2), host(3), host(4));
    assertThat(sums.letGoBytes()).isPositive();
  }

  /** A day of mice and one elephant in its first minute: what is old is nothing that was lost. */
  @Example
  void whatIsOldAndNoElephantIsForgottenWithoutLoss() {
    AlphaSums sums = new AlphaSums(AlphaRule.DEFAULT, 2_000);
    sums.add(record(0, 0, 20_000, 2 * GB));
    for (int minute = 0; minute < 1_440; minute++) {
      for (int mouse = 1; mouse <= 4; mouse++) {
        sums.add(record(mouse, 60_000L * minute, 1_000, 1_000_000));
      }
    }
    assertThat(sources(sums.found())).containsExactly(host(0));
    assertThat(sums.found().get(0).bytes()).isEqualTo(2 * GB);
    assertThat(sums.letGoBytes()).isZero();
  }

  @Example
  void aRecordOfMoreThanAnHourSaysNothingOfBursts() {
    AlphaSums sums = new AlphaSums(AlphaRule.DEFAULT, PLENTY);
    sums.add(record(0, 0, 3_700_000, 500 * GB));
    assertThat(sums.size()).isZero();
    assertThat(sums.letGoBytes()).isEqualTo(500 * GB);
  }

  @Example
  void withoutRoomThereIsNoSum() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AlphaSums(AlphaRule.DEFAULT, 1))
        .withMessageContaining("room for two sums at least, and not for 1");
  }
}
