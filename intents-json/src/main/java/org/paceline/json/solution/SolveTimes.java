package org.paceline.json.solution;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** How long a solution took; no part of what it says. */
@AutoValue
public abstract class SolveTimes {
  public abstract Duration load();

  public abstract Duration solve();

  public static SolveTimes of(Duration load, Duration solve) {
    return new AutoValue_SolveTimes(load, solve);
  }
}
