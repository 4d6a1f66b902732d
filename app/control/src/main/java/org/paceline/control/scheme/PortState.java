package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/** What the port that a link leaves by can do, and what was measured there. */
@AutoValue
public abstract class PortState {
  /** What plans may divide of the link. */
  public abstract DataRate capacity();

  /** Whether elephants can be kept apart there: by two queues, or because no switch sends it. */
  public abstract boolean canIsolate();

  /** Whether it takes two queues: not where a host sends, which has none but its own. */
  public abstract boolean takesQueues();

  /** What all who are no elephants were granted by the plan in force. */
  public abstract DataRate granted();

  /** What was measured beside all conversations. */
  public abstract DataRate beside();

  /** What was measured of all but elephants. */
  public abstract DataRate sent();

  /** A host's own port. */
  public static PortState ofHost(DataRate capacity) {
    return of(capacity, true, false);
  }

  /** A switch's. */
  public static PortState ofSwitch(DataRate capacity, boolean canIsolate) {
    return of(capacity, canIsolate, true);
  }

  private static PortState of(DataRate capacity, boolean canIsolate, boolean takesQueues) {
    return new AutoValue_PortState(
        capacity, canIsolate, takesQueues, DataRate.ZERO, DataRate.ZERO, DataRate.ZERO);
  }

  /** The same port with this traffic. */
  public final PortState carrying(DataRate granted, DataRate beside, DataRate sent) {
    return new AutoValue_PortState(capacity(), canIsolate(), takesQueues(), granted, beside, sent);
  }
}
