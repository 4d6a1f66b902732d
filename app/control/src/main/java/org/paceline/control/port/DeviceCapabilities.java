package org.paceline.control.port;

import java.util.Optional;
import org.paceline.control.directive.Capabilities;

/** What switches can do. */
public interface DeviceCapabilities {
  /** Nothing is known of any, so that each is tried. */
  DeviceCapabilities UNKNOWN = node -> Optional.empty();

  /** Empty where nothing is known of the node, such as of a host. */
  Optional<Capabilities> of(String node);
}
