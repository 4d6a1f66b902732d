package org.paceline.control.port;

import java.util.Optional;
import java.util.Set;

/**
 * Values under names that outlive a restart and are the same on every node of a cluster. Each
 * method throws {@link StoreUnavailable} where the store does not answer.
 */
public interface Records<T> {
  /** Those that are there now. */
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
