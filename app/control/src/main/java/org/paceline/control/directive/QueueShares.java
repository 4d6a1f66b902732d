package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/** What the two queues of a port have, as rates. */
@AutoValue
public abstract class QueueShares {
  private static final long KILO = 1_000_000;

  public abstract DataRate elephants();

  public abstract DataRate others();

  /**
   * @throws IllegalArgumentException if either has nothing: what waits there would never be sent
   */
  public static QueueShares of(DataRate elephants, DataRate others) {
    if (elephants.compareTo(DataRate.ZERO) <= 0 || others.compareTo(DataRate.ZERO) <= 0) {
      throw new IllegalArgumentException(
          "The shares ("
              + elephants
              + " and "
              + others
              + ") must both be above 0. Maybe want no queues where there are no elephants.");
    }
    return new AutoValue_QueueShares(elephants, others);
  }

  public final DataRate total() {
    return elephants().plus(others());
  }

  /**
   * In the same ratio, so that both together are this rate. Whole kilobits a second, in which they
   * are told and read back: elephants' are rounded down, and nobody has less than one.
   */
  public final QueueShares scaledTo(DataRate total) {
    long all = Math.max(2, total.millibitsPerSecond() / KILO);
    double part = (double) elephants().millibitsPerSecond() / (double) total().millibitsPerSecond();
    long elephants = Math.min(all - 1, Math.max(1, (long) (all * part)));
    return of(
        DataRate.ofKilobitsPerSecond(elephants), DataRate.ofKilobitsPerSecond(all - elephants));
  }

  @Override
  public final String toString() {
    return elephants().toKbpsFloor()
        + " kbit/s for elephants, "
        + others().toKbpsFloor()
        + " for others";
  }
}
