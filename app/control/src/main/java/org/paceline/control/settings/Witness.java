package org.paceline.control.settings;

import java.util.Optional;

/** Knows who may have changed a setting by another way than ours. */
@FunctionalInterface
public interface Witness {
  /**
   * The user, where one was seen to.
   *
   * @param after what is stored now; empty for the default
   */
  Optional<String> whoSet(String name, Optional<String> after);
}
