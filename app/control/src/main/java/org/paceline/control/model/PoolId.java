package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Comparator;

/**
 * One interface of a host with an agent, whose conversations may borrow from each other: what one
 * of them leaves unused, others send, at the kernel's speed.
 */
@AutoValue
public abstract class PoolId implements Comparable<PoolId> {
  private static final Comparator<PoolId> ORDER =
      Comparator.comparing(PoolId::host).thenComparing(PoolId::device);

  public abstract String host();

  /** The interface, as the host calls it. */
  public abstract String device();

  public static PoolId of(String host, String device) {
    return new AutoValue_PoolId(host, device);
  }

  @Override
  public int compareTo(PoolId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public final String toString() {
    return host() + "/" + device();
  }
}
