package org.paceline.onos.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.MapEvent;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.paceline.control.port.IntentStore;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentTree;
import org.paceline.json.tree.IntentTreeReader;
import org.paceline.json.tree.IntentTreeWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The intent tree in a map that every node of the cluster sees, as bytes of our own codec. */
public final class DistributedIntentStore implements IntentStore, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DistributedIntentStore.class);
  private static final String KEY = "intents";

  /** The first byte: how the rest is to be read. */
  private static final byte JSON_1 = 1;

  private final ConsistentMap<String, byte[]> map;
  private MapEventListener<String, byte[]> listener = event -> {};

  public DistributedIntentStore(StorageService storage, ApplicationId app) {
    map =
        storage
            .<String, byte[]>consistentMapBuilder()
            .withName("paceline-desired")
            .withApplicationId(app)
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().register(byte[].class).build()))
            .build();
  }

  /** Calls back, some time after, whenever a node has stored a tree; this one, too. */
  public void onChange(Runnable stored) {
    listener =
        event -> {
          if (event.type() != MapEvent.Type.REMOVE && KEY.equals(event.key())) {
            stored.run();
          }
        };
    map.addListener(listener);
  }

  @Override
  public Optional<IntentTree> load() {
    return Optional.ofNullable(map.get(KEY)).map(Versioned::value).flatMap(this::decode);
  }

  @Override
  public void save(IntentTree tree) {
    map.put(KEY, encode(tree));
  }

  static byte[] encode(IntentTree tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(JSON_1);
    try {
      IntentTreeWriter.write(tree, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse bytes", e);
    }
    return bytes.toByteArray();
  }

  private Optional<IntentTree> decode(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != JSON_1) {
      log.warn(
          "The stored intents are of an unknown version ({}); they stay unread. Maybe a newer"
              + " Paceline wrote them.",
          bytes.length == 0 ? "none" : bytes[0]);
      return Optional.empty();
    }
    try {
      return Optional.of(
          IntentTreeReader.read(
                  new ByteArrayInputStream(Arrays.copyOfRange(bytes, 1, bytes.length)),
                  DocumentLimits.FILE,
                  Map.of())
              .orElseThrow());
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      log.error("The stored intents cannot be read; they stay as they are", e);
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    map.removeListener(listener);
  }
}
