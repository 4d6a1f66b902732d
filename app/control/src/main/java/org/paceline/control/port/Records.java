package org.paceline.control.port;

import java.util.Optional;
import java.util.Set;

/** Values under names that outlive a restart and are the same on every node of a cluster. */
public interface Records<T> {
  Set<String> keys();

  int size();

  /** Whether the key is taken, also by what cannot be read. */
  boolean contains(String key);

  Optional<T> find(String key);

  /** Keeps the value unless the key is taken; false where it is. */
  boolean add(String key, T value);

  void replace(String key, T value);

  void remove(String key);
}
