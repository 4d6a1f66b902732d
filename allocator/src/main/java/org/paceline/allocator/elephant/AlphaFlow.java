package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Comparator;
import org.paceline.intents.address.IpAddress;

/** A burst of one host to another that was an alpha flow, as {@link AlphaSearch} finds it. */
@AutoValue
public abstract class AlphaFlow implements Comparable<AlphaFlow> {
  private static final Comparator<AlphaFlow> ORDER =
      Comparator.comparing(AlphaFlow::start)
          .thenComparing(AlphaFlow::source)
          .thenComparing(AlphaFlow::destination)
          .thenComparing(AlphaFlow::end)
          .thenComparing(AlphaFlow::bytes);

  public abstract IpAddress source();

  public abstract IpAddress destination();

  public abstract Instant start();

  /** After its start. */
  public abstract Instant end();

  /** What was sent from its start to its end. */
  public abstract long bytes();

  /**
   * @throws IllegalArgumentException if it does not end after its start, or without a byte
   */
  public static AlphaFlow of(
      IpAddress source, IpAddress destination, Instant start, Instant end, long bytes) {
    if (!end.isAfter(start) || bytes < 1) {
      throw new IllegalArgumentException(
          "The alpha flow from "
              + source
              + " to "
              + destination
              + " must last and send something, but is of "
              + bytes
              + " bytes from "
              + start
              + " to "
              + end
              + ".");
    }
    return new AutoValue_AlphaFlow(source, destination, start, end, bytes);
  }

  /** By when they began. */
  @Override
  public final int compareTo(AlphaFlow other) {
    return ORDER.compare(this, other);
  }
}
