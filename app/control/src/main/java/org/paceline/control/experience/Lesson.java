package org.paceline.control.experience;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/** Of one conversation, under which grant it is, and which of its reports came and counted last. */
final class Lesson {
  /** A page or a call that is reported now may have begun so long ago, under another grant. */
  private static final Duration SETTLED = Duration.ofSeconds(10);

  /** Reports of one user resemble each other: no user is to outvote all others. */
  private static final Duration BETWEEN = Duration.ofSeconds(30);

  private final Grant grant;
  private final Instant since;
  private Optional<Instant> latest;
  private Optional<Instant> counted;
  private Optional<DataRate> mostSent = Optional.empty();

  /** From now on it has this grant. */
  Lesson(Grant grant, Instant now) {
    this(grant, now, Optional.empty(), Optional.empty());
  }

  private Lesson(Grant grant, Instant since, Optional<Instant> latest, Optional<Instant> counted) {
    this.grant = grant;
    this.since = since;
    this.latest = latest;
    this.counted = counted;
  }

  /** The same, or another one where it is granted something else now. */
  Lesson under(Grant now, Instant at) {
    return grant.rate().equals(now.rate()) && grant.delay().equals(now.delay())
        ? this
        : new Lesson(now, at, latest, counted);
  }

  /**
   * @param sent over the last second; empty where nobody counted yet
   */
  void sent(Optional<DataRate> sent) {
    mostSent = Stream.concat(mostSent.stream(), sent.stream()).max(Comparator.naturalOrder());
  }

  /** In one second since the report before; empty where nobody counted yet. */
  Optional<DataRate> mostSent() {
    return mostSent;
  }

  boolean isNew(Instant report) {
    return latest.filter(before -> !report.isAfter(before)).isEmpty();
  }

  /** Whether a report tells of this grant, and its user has not been counted just before. */
  boolean mayCount(Instant report) {
    return !report.isBefore(since.plus(SETTLED))
        && counted.filter(before -> report.isBefore(before.plus(BETWEEN))).isEmpty();
  }

  void came(Instant report, boolean counts) {
    latest = Optional.of(report);
    mostSent = Optional.empty();
    if (counts) {
      counted = latest;
    }
  }
}
