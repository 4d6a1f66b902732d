package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/** What an adaptive reservation promises a conversation, and what that is taken to want. */
@AutoValue
public abstract class ReservedDemand {
  public abstract DataRate reserved();

  /** What it leaves of its reservation is lent. */
  public abstract DataRate wanted();

  /** Whether it used all that it had when it was last seen. */
  public abstract boolean isAsking();

  public static ReservedDemand of(DataRate reserved, DataRate wanted, boolean isAsking) {
    return new AutoValue_ReservedDemand(reserved, wanted, isAsking);
  }
}
