package org.paceline.control.experience;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/**
 * How much less a user experiences than was predicted, from report to report. One bad report is no
 * trouble: a page may come from a server that was just started. It is one when all reports were bad
 * for long enough, and over when one is good; between the two bounds nothing changes.
 */
final class ExperienceGap {
  private static final long RAISED_ABOVE = Utility.SCALE / 2;
  private static final long OVER_UNTIL = 3 * Utility.SCALE / 10;

  private Instant latest;
  private Instant latestBad = Instant.MIN;
  private long leastPredicted = Utility.MAX.billionths();
  private long gap;
  private boolean raised;
  private Optional<Instant> badSince = Optional.empty();
  private Optional<DataRate> mostSent = Optional.empty();

  /**
   * @param from reports of before then say nothing: its first grant did not hold yet
   */
  ExperienceGap(Instant from) {
    this.latest = from;
  }

  /**
   * To be asked once a second.
   *
   * @param predicted by the grants that hold now
   * @param sent over the last second; empty where nobody counted yet
   * @param lasting for how long all reports must be bad
   */
  void look(Utility predicted, Experience felt, Optional<DataRate> sent, Duration lasting) {
    // What is reported now may have been measured under any grant since the report before.
    leastPredicted = Math.min(leastPredicted, predicted.billionths());
    mostSent = Stream.concat(mostSent.stream(), sent.stream()).max(Comparator.naturalOrder());
    if (felt.utility().isEmpty() || !felt.at().isAfter(latest)) {
      return;
    }
    latest = felt.at();
    gap = leastPredicted - felt.utility().get().billionths();
    leastPredicted = predicted.billionths();
    if (gap > (raised ? OVER_UNTIL : RAISED_ABOVE)) {
      if (badSince.isEmpty()) {
        badSince = Optional.of(latest);
        mostSent = sent;
      }
      latestBad = latest;
      raised |= Duration.between(badSince.get(), latestBad).compareTo(lasting) >= 0;
    } else {
      badSince = Optional.empty();
      raised = false;
    }
  }

  /** Whether the last report was, be it told or not yet. */
  boolean isBad() {
    return badSince.isPresent();
  }

  /** Since when, where it is to be told. */
  Optional<Instant> since() {
    return raised ? badSince : Optional.empty();
  }

  /** By how much the last report was worse than predicted, in billionths. */
  long billionths() {
    return gap;
  }

  /** The most that was sent in one second of this time; empty where nobody counted yet. */
  Optional<DataRate> mostSent() {
    return mostSent;
  }
}
