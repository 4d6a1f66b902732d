package org.paceline.onos.store;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.MapEvent;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.paceline.control.port.Records;
import org.paceline.control.port.StoreUnavailable;
import org.paceline.onos.listen.Listening;

/** Records in a map that every node of the cluster sees. */
public final class DistributedRecords implements Records<byte[]> {
  private final ConsistentMap<String, byte[]> map;

  public DistributedRecords(StorageService storage, ApplicationId app, String name) {
    map =
        storage
            .<String, byte[]>consistentMapBuilder()
            .withName(name)
            .withApplicationId(app)
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().register(byte[].class).build()))
            .build();
  }

  /**
   * Calls back, some time after, whenever a node has written here, and not where it removed
   * something; this one, too.
   */
  public void onChange(Listening listening, Runnable written) {
    listening.records(
        map,
        event -> {
          if (event.type() != MapEvent.Type.REMOVE) {
            written.run();
          }
        });
  }

  @Override
  public Set<String> keys() {
    return answer(() -> Set.copyOf(map.keySet()));
  }

  @Override
  public int size() {
    return answer(map::size);
  }

  @Override
  public boolean contains(String key) {
    return answer(() -> map.containsKey(key));
  }

  @Override
  public Optional<byte[]> find(String key) {
    return answer(() -> Optional.ofNullable(map.get(key)).map(Versioned::value));
  }

  @Override
  public boolean add(String key, byte[] value) {
    return answer(() -> map.putIfAbsent(key, value) == null);
  }

  @Override
  public void replace(String key, byte[] value) {
    answer(() -> Optional.ofNullable(map.put(key, value)));
  }

  @Override
  public void remove(String key) {
    answer(() -> Optional.ofNullable(map.remove(key)));
  }

  /**
   * Whatever it throws, the store has not answered: besides its own exceptions ONOS lets those of
   * Atomix through, which it does not export.
   */
  private static <T> T answer(Supplier<T> asked) {
    try {
      return asked.get();
    } catch (RuntimeException unanswered) {
      throw new StoreUnavailable(unanswered);
    }
  }
}
