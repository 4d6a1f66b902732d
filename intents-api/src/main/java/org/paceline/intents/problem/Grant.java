package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Rate, delay budget, path and utility given to an application, or to some of identical ones. */
@AutoValue
public abstract class Grant {
  public abstract String applicationId();

  /** To how many of the application's copies, at least 1. */
  public abstract int count();

  public abstract DataRate rate();

  /** The delay bin that was chosen: the path's delay is at most this. */
  public abstract Latency delay();

  public abstract Utility utility();

  public abstract Path path();

  public static Grant of(
      String applicationId, int count, DataRate rate, Latency delay, Utility utility, Path path) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "The count (" + count + ") of a grant to (" + applicationId + ") must be at least 1.");
    }
    return new AutoValue_Grant(applicationId, count, rate, delay, utility, path);
  }
}
