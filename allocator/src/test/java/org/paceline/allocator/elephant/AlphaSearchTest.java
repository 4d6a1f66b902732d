package org.paceline.allocator.elephant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

class AlphaSearchTest {
  private static final long GB = 1_000_000_000;
  private static final IpAddress HERE = IpAddress.parse("10.0.0.1");
  private static final IpAddress THERE = IpAddress.parse("10.0.1.1");

  /** Where the brute force looks: each of these milliseconds. */
  private static final int SPAN = 240;

  private final AlphaSearch search = new AlphaSearch(AlphaRule.DEFAULT);

  @Example
  void aMinuteOfMoreThanAGigabyteIsAnAlphaFlow() {
    record(0, 60_000, GB + 1);
    assertThat(search.found()).containsExactly(flow(0, 60_000, GB + 1));
  }

  @Example
  void aMinuteOfAGigabyteIsNone() {
    record(0, 60_000, GB);
    // Odd milliseconds, whose rate is no whole number.
    search.add(FlowRecord.of(THERE, HERE, 7, 59_998, GB));
    assertThat(search.found()).isEmpty();
  }

  @Example
  void aLongRecordCountsByItsRate() {
    record(0, 600_000, 10 * GB);
    assertThat(search.found()).isEmpty();
    record(700_000, 1_300_000, 11 * GB);
    assertThat(search.found()).containsExactly(flow(700_000, 1_300_000, 11 * GB));
  }

  @Example
  void recordsOfOneFlowAddUpHoweverTheExporterCutsThem() {
    record(90_000, 120_000, 600_000_000);
    record(60_000, 90_000, 600_000_000);
    assertThat(search.found()).containsExactly(flow(60_000, 120_000, 1_200_000_000));
  }

  @Example
  void aWindowBeginsAnywhere() {
    // The first half slow, the second one fast, then slow again: only a window around the middle.
    record(0, 60_000, 500_000_000);
    record(60_000, 100_000, 900_000_000);
    record(100_000, 160_000, 500_000_000);
    List<AlphaFlow> found = search.found();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).start()).isAfter(Instant.ofEpochMilli(0));
    assertThat(found.get(0).end()).isBefore(Instant.ofEpochMilli(160_000));
  }

  @Example
  void aSingleMomentIsARateToo() {
    record(5_000, 5_000, 2 * GB);
    assertThat(search.found()).containsExactly(flow(5_000, 5_001, 2 * GB));
  }

  @Example
  void whatGoesBackIsAnotherFlow() {
    record(0, 30_000, 600_000_000);
    search.add(FlowRecord.of(THERE, HERE, 0, 30_000, 600_000_000));
    assertThat(search.found()).isEmpty();
  }

  /** Whole bytes a millisecond, so that the brute force need not round. */
  @Property(tries = 500, seed = "20")
  void findsWhatTryingEachMillisecondFinds(@ForAll long seed) {
    Random random = new Random(seed);
    int interval = 1 + random.nextInt(60);
    long threshold = 1 + random.nextInt(400);
    AlphaSearch tried = new AlphaSearch(AlphaRule.of(threshold, Duration.ofMillis(interval)));
    long[] sent = new long[SPAN];
    int[] busy = new int[SPAN];
    List<FlowRecord> records = new ArrayList<>();
    for (int r = random.nextInt(8); r >= 0; r--) {
      int start = 70 + random.nextInt(80);
      int lasts = 1 + random.nextInt(random.nextBoolean() ? 10 : 70);
      long rate = 1 + random.nextInt(12);
      records.add(FlowRecord.of(HERE, THERE, start, start + lasts, rate * lasts));
      for (int at = start; at < Math.min(SPAN, start + lasts); at++) {
        sent[at] += rate;
        busy[at]++;
      }
    }
    Collections.shuffle(records, random);
    records.forEach(tried::add);
    assertThat(tried.found()).isEqualTo(bruteForce(sent, busy, interval, threshold));
  }

  /** Bursts that are at least 2 T apart, with one or two calls between them. */
  @Property(tries = 200, seed = "20")
  void whatIsSettledIsFoundAllTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    int interval = 1 + random.nextInt(60);
    AlphaRule rule = AlphaRule.of(1 + random.nextInt(400), Duration.ofMillis(interval));
    AlphaSearch whole = new AlphaSearch(rule);
    AlphaSearch settling = new AlphaSearch(rule);
    long now = 1_000;
    for (int burst = 0; burst < 10; burst++) {
      long until = now;
      for (int r = random.nextInt(6); r > 0; r--) {
        long start = now + random.nextInt(100);
        long end = start + 1 + random.nextInt(70);
        // Whole bytes a millisecond, whose sums need no rounding.
        long bytes = (end - start) * random.nextInt(12);
        IpAddress to = random.nextBoolean() ? THERE : IpAddress.ofIpv4(random.nextInt(5));
        FlowRecord record = FlowRecord.of(HERE, to, start, end, bytes);
        whole.add(record);
        settling.add(record);
        until = Math.max(until, end);
      }
      settling.settle();
      if (random.nextBoolean()) {
        settling.settle();
      }
      now = until + 2L * interval + random.nextInt(50);
    }
    assertThat(settling.found()).isEqualTo(whole.found());
  }

  /** Marks all milliseconds of all windows, and cuts the marked ones at those without traffic. */
  private static List<AlphaFlow> bruteForce(long[] sent, int[] busy, int interval, long threshold) {
    boolean[] alpha = new boolean[SPAN + interval];
    for (int from = 0; from < SPAN; from++) {
      long sum = 0;
      for (int at = from; at < Math.min(SPAN, from + interval); at++) {
        sum += sent[at];
      }
      for (int at = from; sum > threshold && at < from + interval; at++) {
        alpha[at] = true;
      }
    }
    List<AlphaFlow> flows = new ArrayList<>();
    for (int from = 0; from < SPAN; from++) {
      int until = from;
      while (until < alpha.length && alpha[until]) {
        until++;
      }
      if (until > from) {
        int first = from;
        while (busy[first] == 0) {
          first++;
        }
        int last = Math.min(SPAN, until);
        while (busy[last - 1] == 0) {
          last--;
        }
        long bytes = 0;
        for (int at = first; at < last; at++) {
          bytes += sent[at];
        }
        flows.add(flow(first, last, bytes));
        from = until;
      }
    }
    return flows;
  }

  @Example
  void refusesRulesThatMakeNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaRule.of(0, Duration.ofMinutes(1)))
        .withMessageContaining("Maybe 1000000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaRule.of(1, Duration.ZERO))
        .withMessageContaining("Maybe a minute");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaRule.of(1, Duration.ofDays(2)))
        .withMessageContaining("to a day");
  }

  private void record(long start, long end, long bytes) {
    search.add(FlowRecord.of(HERE, THERE, start, end, bytes));
  }

  private static AlphaFlow flow(long start, long end, long bytes) {
    return AlphaFlow.of(HERE, THERE, Instant.ofEpochMilli(start), Instant.ofEpochMilli(end), bytes);
  }
}
