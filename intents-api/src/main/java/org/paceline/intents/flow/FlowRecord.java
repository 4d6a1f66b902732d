package org.paceline.intents.flow;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.paceline.intents.address.IpAddress;

/**
 * What one flow record says: how much went from one address to another, and when. All flows between
 * two addresses are alike here, whatever their ports.
 */
@AutoValue
public abstract class FlowRecord {
  /** The last moment of the year 9999: what is later was read from the wrong place. */
  private static final long LATEST_MILLIS = 253_402_300_799_999L;

  /** What no flow sends: a petabyte. What is above it was read from the wrong place. */
  public static final long MOST_BYTES = 1L << 50;

  public abstract IpAddress source();

  public abstract IpAddress destination();

  /** When its first byte was seen, in milliseconds since 1970. */
  public abstract long startMillis();

  /** When its last byte was seen, in milliseconds since 1970; not before its start. */
  public abstract long endMillis();

  /** All that was sent, from 0; where packets are sampled, what the sample stands for. */
  public abstract long bytes();

  /**
   * @throws IllegalArgumentException if it ends before it starts, does not lie from 1970 to 9999,
   *     has negative or more than 2^50 bytes, or goes from IPv4 to IPv6 or back
   */
  public static FlowRecord of(
      IpAddress source, IpAddress destination, long startMillis, long endMillis, long bytes) {
    if (source.isIpv4() != destination.isIpv4()) {
      throw new IllegalArgumentException(
          "The flow record from "
              + source
              + " to "
              + destination
              + " mixes IPv4 and IPv6. Maybe its columns or its template are mixed up.");
    }
    if (endMillis < startMillis) {
      throw new IllegalArgumentException(
          "The flow record from "
              + source
              + " to "
              + destination
              + " ends ("
              + Instant.ofEpochMilli(endMillis)
              + ") before it starts ("
              + Instant.ofEpochMilli(startMillis)
              + "). Maybe its exporter's clock was set.");
    }
    if (startMillis < 0 || endMillis > LATEST_MILLIS) {
      throw new IllegalArgumentException(
          "The flow record from "
              + source
              + " to "
              + destination
              + " lasts from "
              + startMillis
              + " to "
              + endMillis
              + " ms since 1970, which is not within the years 1970 to 9999.");
    }
    if (bytes < 0 || bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "The flow record from "
              + source
              + " to "
              + destination
              + " has ("
              + bytes
              + ") bytes, but no flow sends less than 0 or more than "
              + MOST_BYTES
              + ".");
    }
    return new AutoValue_FlowRecord(source, destination, startMillis, endMillis, bytes);
  }
}
