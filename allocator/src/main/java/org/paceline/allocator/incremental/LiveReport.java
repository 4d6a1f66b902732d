package org.paceline.allocator.incremental;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What an event came to. */
@AutoValue
public abstract class LiveReport {
  /** Applications whose grant changed, first the one that the event is about. */
  public abstract List<String> changed();

  /** Applications for which no room is left at the floor. */
  public abstract List<String> refused();

  /** Relative to the bound at the frozen prices: no allocation is better by more. */
  public abstract double gap();

  /** Whether a full solve is due, because the gap is too great or somebody was refused. */
  public abstract boolean solveIsDue();

  static LiveReport of(List<String> changed, List<String> refused, double gap, boolean due) {
    return new AutoValue_LiveReport(
        Collections.unmodifiableList(new ArrayList<>(changed)),
        Collections.unmodifiableList(new ArrayList<>(refused)),
        gap,
        due);
  }
}
