package org.paceline.control.directive;

import com.google.auto.value.AutoValue;

/** A port of a switch, by the name of its interface. */
@AutoValue
public abstract class SwitchPort {
  /** The id of the switch. */
  public abstract String device();

  public abstract String name();

  public static SwitchPort of(String device, String name) {
    return new AutoValue_SwitchPort(device, name);
  }

  @Override
  public final String toString() {
    return device() + "/" + name();
  }
}
