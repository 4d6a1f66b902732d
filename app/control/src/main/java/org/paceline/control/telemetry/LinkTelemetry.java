package org.paceline.control.telemetry;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.LinkRates;
import org.paceline.control.port.Worker;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * From readings of counters to rates and drops. With rate x over a reading's time t the smoothed
 * rate s becomes s + (1 - exp(-t / T)) (x - s), T = 15 s: an exponentially weighted mean that
 * forgets by time and not by the number of readings, so that its period may be changed. Counters
 * that were set back begin anew, and say nothing until they have been read twice.
 */
public final class LinkTelemetry implements LinkRates {
  private static final double FORGETS_NANOS = Duration.ofSeconds(15).toNanos();

  /** Two of the longest periods, and a little: what is older says nothing of now. */
  private static final Duration STALE = Duration.ofSeconds(65);

  /** Nobody needs to be told again of each burst. */
  private static final Duration LEAST_CALM = Duration.ofSeconds(30);

  private static final int BITS = 8;
  private static final int NANO_DIGITS = 9;
  private static final int MILLI_DIGITS = 3;
  private static final double PERCENT = 100;

  private final Worker worker;
  private final Clock clock;
  private final Map<LinkId, LinkCount> counts = new HashMap<>();
  private final Map<LinkId, Measured> measured = new HashMap<>();
  private final Map<LinkId, Drops> dropping = new TreeMap<>();
  private Duration calm = LEAST_CALM;

  /** A measurement, and when it came by the worker's time: that of the day may be set. */
  private static final class Measured {
    final LinkMeasurement what;
    final Duration when;

    Measured(LinkMeasurement what, Duration when) {
      this.what = what;
      this.when = when;
    }

    boolean isOlderThan(Duration age, Duration now) {
      return when.plus(age).compareTo(now) < 0;
    }
  }

  /** A time in which a link dropped now and then. */
  private static final class Drops {
    final Instant since;
    Measured last;

    Drops(Measured first) {
      this.since = first.what.at();
      this.last = first;
    }
  }

  /**
   * @param worker by whose time measurements grow old
   * @param clock of which people are told when they came
   */
  public LinkTelemetry(Worker worker, Clock clock) {
    this.worker = worker;
    this.clock = clock;
  }

  /**
   * How often drops are read from now on, by whoever reads them more seldom. A link that drops all
   * the time says so only when it is read: an alarm must last longer than from one reading to the
   * next, and a reading may be late, or missing.
   */
  public synchronized void countedEvery(Duration period) {
    Duration twice = period.multipliedBy(2).plusSeconds(1);
    calm = twice.compareTo(LEAST_CALM) > 0 ? twice : LEAST_CALM;
  }

  /**
   * Takes in one round of readings.
   *
   * @param round those links of which something was read; of the others what was known stands until
   *     it is too old
   */
  public synchronized void counted(Map<LinkId, LinkCount> round) {
    Instant at = clock.instant();
    Duration now = worker.now();
    round.forEach((link, count) -> counted(link, count, at, now));
    measured.values().removeIf(one -> one.isOlderThan(STALE, now));
    dropping.values().removeIf(drops -> drops.last.isOlderThan(calm, now));
    // A link that is gone and comes back begins anew.
    counts.keySet().removeIf(link -> !round.containsKey(link) && !measured.containsKey(link));
  }

  private void counted(LinkId link, LinkCount count, Instant at, Duration now) {
    LinkCount earlier = counts.put(link, count);
    if (earlier != null && count.addsDropsTo(earlier)) {
      addDrops(link, count.droppedPackets() - earlier.droppedPackets(), now);
      return;
    }
    if (earlier == null || !count.follows(earlier)) {
      return;
    }
    Duration over = count.running().minus(earlier.running());
    DataRate rate = rate(count.bytes() - earlier.bytes(), over);
    Measured before = measured.get(link);
    DataRate smoothed = before == null ? rate : smoothed(before.what.smoothed(), rate, over);
    Measured found = new Measured(LinkMeasurement.of(earlier, count, rate, smoothed, at), now);
    measured.put(link, found);
    if (found.what.droppedPackets() > 0) {
      dropped(link, found);
    }
  }

  /** Its queues were read without its port, which has been measured when it was. */
  private void addDrops(LinkId link, long more, Duration now) {
    Measured before = measured.get(link);
    if (before != null) {
      LinkMeasurement what = before.what.dropping(more);
      measured.put(link, new Measured(what, before.when));
      dropped(link, new Measured(what, now));
    }
  }

  private void dropped(LinkId link, Measured found) {
    dropping.computeIfAbsent(link, l -> new Drops(found)).last = found;
  }

  private static DataRate rate(long bytes, Duration over) {
    BigDecimal seconds = BigDecimal.valueOf(over.toNanos(), NANO_DIGITS);
    BigDecimal kilobits =
        BigDecimal.valueOf(bytes).multiply(BigDecimal.valueOf(BITS, MILLI_DIGITS));
    return DataRate.ofKilobitsPerSecond(
        kilobits.divide(seconds, MILLI_DIGITS, RoundingMode.HALF_UP));
  }

  private static DataRate smoothed(DataRate before, DataRate rate, Duration over) {
    double weight = 1 - Math.exp(-over.toNanos() / FORGETS_NANOS);
    double was = before.millibitsPerSecond();
    return DataRate.ofMillibitsPerSecond(
        Math.round(was + weight * (rate.millibitsPerSecond() - was)));
  }

  /** The newest of each link that was read twice, and lately. */
  public synchronized Map<LinkId, LinkMeasurement> now() {
    Duration now = worker.now();
    Map<LinkId, LinkMeasurement> fresh = new HashMap<>();
    measured.forEach(
        (link, one) -> {
          if (!one.isOlderThan(STALE, now)) {
            fresh.put(link, one.what);
          }
        });
    return fresh;
  }

  @Override
  public Map<LinkId, Reading> rates() {
    Map<LinkId, Reading> rates = new HashMap<>();
    now().forEach((link, one) -> rates.put(link, Reading.of(one.rate(), one.at())));
    return rates;
  }

  @Override
  public Map<LinkId, Long> dropped() {
    Map<LinkId, Long> dropped = new HashMap<>();
    now().forEach((link, one) -> dropped.put(link, one.droppedEver()));
    return dropped;
  }

  /** Of each link that has not been calm for long enough since it last dropped something. */
  public synchronized List<Alarm> alarms() {
    Duration now = worker.now();
    List<Alarm> alarms = new ArrayList<>();
    dropping.forEach(
        (link, drops) -> {
          if (drops.last.when.plus(calm).compareTo(now) > 0) {
            alarms.add(
                Alarm.ofLink(Alarm.Kind.DROPS, link, sentence(link, drops.last.what), drops.since));
          }
        });
    return alarms;
  }

  private static String sentence(LinkId link, LinkMeasurement last) {
    double share =
        PERCENT * last.droppedPackets() / (last.droppedPackets() + (double) last.packets());
    return String.format(
        Locale.ROOT,
        "The link %s dropped %d packets (%.2f %% of what was to leave by it) in %.1f s, while it"
            + " carried %d kbit/s. Maybe somebody sends beside the plan, or its capacity is set too"
            + " high: see paceline:links.",
        link,
        last.droppedPackets(),
        share,
        last.over().toMillis() / 1e3,
        last.rate().toKbpsFloor());
  }
}
