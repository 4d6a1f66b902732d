package org.paceline.onos.meter;

import com.google.auto.value.AutoValue;
import org.onosproject.net.ConnectPoint;

/** What the controller gets of a port that has a meter of its own. */
@AutoValue
public abstract class MeteredPackets {
  /** One may flood and take nothing from another. */
  public enum Kind {
    /** By what hosts look for each other, and all that is of no other kind. */
    QUESTIONS,
    /** IPv4 to whom nobody knows. */
    IPV4,
    /** Copies of what naming rules may name. */
    COPIES
  }

  public abstract ConnectPoint port();

  public abstract Kind kind();

  public static MeteredPackets of(ConnectPoint port, Kind kind) {
    return new AutoValue_MeteredPackets(port, kind);
  }
}
