package org.paceline.northbound.rest.view;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What was reckoned last from a value, kept while that is the value: many ask in between. */
public final class Memoized<K, V> {
  private final Function<K, V> reckon;
  private volatile Optional<Map.Entry<K, V>> last = Optional.empty();

  public Memoized(Function<K, V> reckon) {
    this.reckon = reckon;
  }

  // To compare plans and trees of thousands takes as long as what is saved.
  @SuppressWarnings("ReferenceEquality")
  public V of(K value) {
    Optional<Map.Entry<K, V>> known = last.filter(entry -> entry.getKey() == value);
    if (known.isPresent()) {
      return known.get().getValue();
    }
    V reckoned = reckon.apply(value);
    last = Optional.of(Map.entry(value, reckoned));
    return reckoned;
  }
}
