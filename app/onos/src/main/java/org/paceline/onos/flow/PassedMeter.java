package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import org.onosproject.net.meter.MeterId;

/** A meter of a first switch, and what it lets through. */
@AutoValue
public abstract class PassedMeter {
  public abstract MeterId id();

  public abstract long kbps();

  public static PassedMeter of(MeterId id, long kbps) {
    return new AutoValue_PassedMeter(id, kbps);
  }
}
