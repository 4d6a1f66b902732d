package org.paceline.allocator.reservation;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;

/** What was seen of a flow in its last periods. */
@AutoValue
public abstract class Observation {
  /** What it was let have in the last period. */
  public abstract DataRate held();

  /** What it sent in each period, the last one first; at least one. */
  public abstract List<DataRate> sent();

  /** Whether it used all that it was let have, so that it may want more. */
  public abstract boolean isHeldBack();

  /**
   * What it tried to send in the last period, where that is seen, too: a meter counts what it
   * drops. Empty for what is paced, which shows nothing beyond its rate.
   */
  public abstract Optional<DataRate> tried();

  /**
   * @throws IllegalArgumentException if it says of no period what was sent
   */
  public static Observation of(
      DataRate held, List<DataRate> sent, boolean isHeldBack, Optional<DataRate> tried) {
    if (sent.isEmpty()) {
      throw new IllegalArgumentException(
          "An observation without a period says nothing. Maybe leave it out.");
    }
    return new AutoValue_Observation(held, List.copyOf(sent), isHeldBack, tried);
  }
}
