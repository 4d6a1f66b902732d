package org.paceline.runtime.stores.persistence;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.onlab.util.Tools;
import org.onosproject.persistence.PersistenceService;
import org.onosproject.persistence.PersistentMapBuilder;
import org.onosproject.persistence.PersistentSetBuilder;
import org.onosproject.store.service.Serializer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Maps and sets of this node that outlive a restart, in one MapDB file below karaf.data. */
@Component(immediate = true, service = PersistenceService.class)
public final class LocalPersistence implements PersistenceService {
  private static final int COMMIT_PERIOD_SECONDS = 5;

  private final DB database;
  private final ScheduledExecutorService committer;

  @Activate
  public LocalPersistence() throws IOException {
    this(Paths.get(System.getProperty("karaf.data", "data"), "db", "local"));
  }

  LocalPersistence(Path folder) throws IOException {
    Files.createDirectories(folder);
    File file = folder.resolve("persistent.db").toFile();
    database = DBMaker.newFileDB(file).make();
    committer =
        Executors.newSingleThreadScheduledExecutor(Tools.groupedThreads("onos/persist", "commit"));
    committer.scheduleWithFixedDelay(
        database::commit, COMMIT_PERIOD_SECONDS, COMMIT_PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  @Deactivate
  void close() throws InterruptedException {
    committer.shutdown();
    committer.awaitTermination(COMMIT_PERIOD_SECONDS, TimeUnit.SECONDS);
    database.commit();
    database.close();
  }

  @Override
  public <K, V> PersistentMapBuilder<K, V> persistentMapBuilder() {
    return new MapBuilder<>();
  }

  @Override
  public <E> PersistentSetBuilder<E> persistentSetBuilder() {
    return new SetBuilder<>();
  }

  private <K, V> Map<K, V> open(@Nullable String name, @Nullable Serializer serializer) {
    if (name == null || serializer == null) {
      throw new IllegalArgumentException(
          "A persistent collection needs a name ("
              + name
              + ") and a serializer ("
              + serializer
              + "). Maybe call withName and withSerializer before build.");
    }
    return new StoredMap<>(database.<String, byte[]>getHashMap(name), serializer);
  }

  private final class MapBuilder<K, V> implements PersistentMapBuilder<K, V> {
    private @Nullable String name;
    private @Nullable Serializer serializer;

    @Override
    public PersistentMapBuilder<K, V> withName(String value) {
      name = value;
      return this;
    }

    @Override
    public PersistentMapBuilder<K, V> withSerializer(Serializer value) {
      serializer = value;
      return this;
    }

    @Override
    public Map<K, V> build() {
      return open(name == null ? null : "map:" + name, serializer);
    }
  }

  private final class SetBuilder<E> implements PersistentSetBuilder<E> {
    private @Nullable String name;
    private @Nullable Serializer serializer;

    @Override
    public PersistentSetBuilder<E> withName(String value) {
      name = value;
      return this;
    }

    @Override
    public PersistentSetBuilder<E> withSerializer(Serializer value) {
      serializer = value;
      return this;
    }

    @Override
    public Set<E> build() {
      return Collections.newSetFromMap(open(name == null ? null : "set:" + name, serializer));
    }
  }
}
