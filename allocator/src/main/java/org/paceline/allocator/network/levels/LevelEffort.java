package org.paceline.allocator.network.levels;

import java.time.Duration;
import java.util.Optional;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.network.core.CoreSolver;

/** How long levels are searched for, and whether a solver decides what else stays open. */
public final class LevelEffort {
  private final Optional<CoreSolver> core;
  private final Duration coreTime;
  private final Deadline stop;
  private final Deadline late;

  private LevelEffort(Optional<CoreSolver> core, Duration coreTime, Deadline stop, Deadline late) {
    this.core = core;
    this.coreTime = coreTime;
    this.stop = stop;
    this.late = late;
  }

  /**
   * @param coreTime of the solver, for one level
   * @param stop of the search for ever higher levels
   * @param late of the first level, which decides whether there is an answer at all
   */
  public static LevelEffort searching(
      Optional<CoreSolver> core, Duration coreTime, Deadline stop, Deadline late) {
    return new LevelEffort(core, coreTime, stop, late);
  }

  /** Without a solver. */
  public static LevelEffort until(Deadline end) {
    return new LevelEffort(Optional.empty(), Duration.ZERO, end, end);
  }

  Optional<CoreSolver> core() {
    return core;
  }

  Duration coreTime() {
    return coreTime;
  }

  Deadline stop() {
    return stop;
  }

  Deadline late() {
    return late;
  }
}
