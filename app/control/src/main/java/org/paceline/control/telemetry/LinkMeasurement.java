package org.paceline.control.telemetry;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import org.paceline.intents.unit.DataRate;

/** What a link carries, all traffic together, by two readings of its switch's counters. */
@AutoValue
public abstract class LinkMeasurement {
  /** The mean between the two readings. */
  public abstract DataRate rate();

  /** The same, smoothed over the readings before ({@link LinkTelemetry}). */
  public abstract DataRate smoothed();

  /** Sent between the two readings. */
  public abstract long packets();

  /** Dropped between the two readings; also since then, where queues are read more often. */
  public abstract long droppedPackets();

  /** Dropped since the port's counters began. */
  public abstract long droppedEver();

  /** From one reading to the other. */
  public abstract Duration over();

  /** When the second reading came. */
  public abstract Instant at();

  static LinkMeasurement of(
      LinkCount earlier, LinkCount later, DataRate rate, DataRate smoothed, Instant at) {
    return new AutoValue_LinkMeasurement(
        rate,
        smoothed,
        later.packets() - earlier.packets(),
        later.droppedPackets() - earlier.droppedPackets(),
        later.droppedPackets(),
        later.running().minus(earlier.running()),
        at);
  }

  /** Queues were read again, and have dropped more since. */
  final LinkMeasurement dropping(long more) {
    return new AutoValue_LinkMeasurement(
        rate(), smoothed(), packets(), droppedPackets() + more, droppedEver() + more, over(), at());
  }
}
