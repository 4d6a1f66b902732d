package org.paceline.control.ingress;

import com.google.auto.value.AutoValue;
import java.time.LocalDate;
import org.paceline.intents.address.AddressPrefix;

/** A pair of prefixes on a list of elephants. */
@AutoValue
public abstract class IngressPair {
  public abstract AddressPrefix source();

  public abstract AddressPrefix destination();

  /** What its alpha flows have sent since it was listed. */
  public abstract long bytes();

  /** The last day on which it had an alpha flow. */
  public abstract LocalDate lastSeen();

  public static IngressPair of(
      AddressPrefix source, AddressPrefix destination, long bytes, LocalDate lastSeen) {
    return new AutoValue_IngressPair(source, destination, bytes, lastSeen);
  }
}
