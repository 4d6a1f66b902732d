package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import java.util.OptionalInt;
import org.paceline.intents.unit.Latency;

/** What the sending kernel says of a conversation's TCP sockets. */
@AutoValue
public abstract class TcpReading {
  /** Sent again, since the sockets connected. */
  public abstract long retransmittedSegments();

  /** The sockets' median; empty before the first is measured. */
  public abstract Optional<Latency> smoothedRtt();

  /**
   * Of the time in which the sockets had something to send, lately, how many thousandths the far
   * end's receive window held them back for; empty where that is not known.
   */
  public abstract OptionalInt farEndThousandths();

  /**
   * @throws IllegalArgumentException if the number of segments is negative
   */
  public static TcpReading of(
      long retransmittedSegments, Optional<Latency> smoothedRtt, OptionalInt farEndThousandths) {
    if (retransmittedSegments < 0) {
      throw new IllegalArgumentException(
          "The retransmittedSegments (" + retransmittedSegments + ") must not be negative.");
    }
    return new AutoValue_TcpReading(retransmittedSegments, smoothedRtt, farEndThousandths);
  }
}
