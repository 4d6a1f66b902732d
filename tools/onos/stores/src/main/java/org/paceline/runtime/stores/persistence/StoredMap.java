package org.paceline.runtime.stores.persistence;

import com.google.common.collect.Iterators;
import com.google.common.collect.Maps;
import com.google.common.io.BaseEncoding;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.onosproject.store.service.Serializer;

/** A map whose entries are kept as serialized bytes in a map of the database. */
final class StoredMap<K, V> extends AbstractMap<K, V> {
  private final Map<String, byte[]> stored;
  private final Serializer serializer;

  StoredMap(Map<String, byte[]> stored, Serializer serializer) {
    this.stored = stored;
    this.serializer = serializer;
  }

  @Override
  public @Nullable V get(Object key) {
    return decode(stored.get(text(key)));
  }

  @Override
  public boolean containsKey(Object key) {
    return stored.containsKey(text(key));
  }

  @Override
  public @Nullable V put(K key, V value) {
    return decode(stored.put(text(key), serializer.encode(value)));
  }

  @Override
  public @Nullable V remove(Object key) {
    return decode(stored.remove(text(key)));
  }

  @Override
  public void clear() {
    stored.clear();
  }

  @Override
  public int size() {
    return stored.size();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<Map.Entry<K, V>>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return Iterators.transform(
            stored.entrySet().iterator(),
            entry ->
                Maps.immutableEntry(
                    serializer.<K>decode(BaseEncoding.base16().decode(entry.getKey())),
                    serializer.<V>decode(entry.getValue())));
      }

      @Override
      public int size() {
        return stored.size();
      }
    };
  }

  private String text(Object key) {
    return BaseEncoding.base16().encode(serializer.encode(key));
  }

  private @Nullable V decode(byte @Nullable [] bytes) {
    return bytes == null ? null : serializer.decode(bytes);
  }
}
