package org.paceline.intents.network;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/** A directed link. */
@AutoValue
public abstract class Link {
  /**
   * A link counts as full at its capacity and a ten-millionth: tables whose rates were rounded when
   * they were printed (multiples of 50/29 kbit/s, say) must still fill a link that they fill
   * exactly. Ten bits per second on 100 Mbit/s.
   */
  private static final long ROUNDING = 10_000_000L;

  public abstract LinkId id();

  public abstract DataRate capacity();

  public abstract LinkDelay delay();

  public static Link of(String from, String to, DataRate capacity, LinkDelay delay) {
    if (from.equals(to)) {
      throw new IllegalArgumentException("A link from (" + from + ") must not lead back to it.");
    }
    return new AutoValue_Link(LinkId.of(from, to), capacity, delay);
  }

  public String from() {
    return id().from();
  }

  public String to() {
    return id().to();
  }

  /** The greatest sum of rates, in millibits per second, that the link carries. */
  public long limitMillibits() {
    long capacity = capacity().millibitsPerSecond();
    return capacity + capacity / ROUNDING;
  }

  /** With the greatest capacity at which it carries no more than this, in millibits per second. */
  public Link withLimitMillibits(long most) {
    long capacity = most - most / (ROUNDING + 1);
    boolean above = capacity + capacity / ROUNDING > most;
    return withCapacity(DataRate.ofMillibitsPerSecond(above ? capacity - 1 : capacity));
  }

  /**
   * What is left of the link beside a load, in millibits per second, that is below its limit: the
   * rest of its capacity, at the delay that the load causes.
   */
  public Link beside(long load) {
    return load == 0
        ? this
        : new AutoValue_Link(id(), capacity(), delay().above(load))
            .withLimitMillibits(limitMillibits() - load);
  }

  public Link withCapacity(DataRate capacity) {
    return new AutoValue_Link(id(), capacity, delay());
  }
}
