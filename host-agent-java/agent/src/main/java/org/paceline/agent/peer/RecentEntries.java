package org.paceline.agent.peer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What packets have begun and others are to end: the youngest of it, and each for a while only, for
 * anybody can send beginnings. Owned by one thread.
 */
final class RecentEntries<K, V> {
  private final LongSupplier nanoClock;
  private final long patienceNanos;
  private final Map<K, Since<V>> begun;

  private record Since<V>(V value, long nanos) {}

  /**
   * @param most how many are kept: one more takes the place of the eldest
   */
  RecentEntries(int most, long patienceNanos, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.patienceNanos = patienceNanos;
    this.begun =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Since<V>> eldest) {
            return size() > most;
          }
        };
  }

  void put(K key, V value) {
    begun.put(key, new Since<>(value, nanoClock.getAsLong()));
  }

  Optional<V> get(K key) {
    return Optional.ofNullable(begun.get(key))
        .filter(since -> nanoClock.getAsLong() - since.nanos() < patienceNanos)
        .map(Since::value);
  }

  /** The same, and it is over. */
  Optional<V> take(K key) {
    Optional<V> value = get(key);
    begun.remove(key);
    return value;
  }
}
