package org.paceline.onos.meter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.paceline.control.telemetry.MeterCount;

/**
 * What a conversation's own rules have led to a meter that others pass, too: rules count what comes
 * to a meter, before it drops. ONOS asks switches for it now and then, and tells the same until it
 * asks again.
 */
final class RuleCounts {
  private final Map<FlowRule, Reading> taken = new HashMap<>();

  /** What a rule had counted when ONOS last asked its switch. */
  private static final class Reading {
    /** How long the rule had been there: more with each reading of the same rule. */
    final long nanos;

    final MeterCount count;

    Reading(FlowEntry entry) {
      nanos = entry.life(TimeUnit.NANOSECONDS);
      count = MeterCount.of(entry.bytes(), entry.packets(), 0, 0);
    }

    boolean isAs(Reading other) {
      return nanos == other.nanos && count.equals(other.count);
    }

    /** All of it where the rule was written anew, and so counts from nothing. */
    MeterCount since(Reading before) {
      return nanos < before.nanos ? count : count.since(before.count);
    }
  }

  /** What came since what was taken last; empty where ONOS has not asked the switch since. */
  Optional<MeterCount> fresh(List<FlowEntry> entries) {
    boolean isFresh = false;
    MeterCount sum = MeterCount.NOTHING;
    for (FlowEntry entry : entries) {
      Reading now = new Reading(entry);
      Optional<Reading> before = Optional.ofNullable(taken.get(entry));
      isFresh |= before.filter(now::isAs).isEmpty();
      sum = sum.plus(before.map(now::since).orElse(now.count));
    }
    return isFresh ? Optional.of(sum) : Optional.empty();
  }

  /** What came until then has been taken. */
  void take(List<FlowEntry> entries) {
    taken.clear();
    entries.forEach(entry -> taken.put(entry, new Reading(entry)));
  }
}
