package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** The switch ports at the two ends of a directed link; a host's end has none. */
@AutoValue
public abstract class LinkPorts {
  public static final LinkPorts NONE = of(Optional.empty(), Optional.empty());

  public abstract Optional<Long> from();

  public abstract Optional<Long> to();

  public static LinkPorts of(Optional<Long> from, Optional<Long> to) {
    return new AutoValue_LinkPorts(from, to);
  }
}
