package org.paceline.onos.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.paceline.control.port.Records;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentTree;
import org.paceline.json.tree.IntentTreeReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The intent tree in force as earlier Pacelines stored it, in a map beside the versions. It is read
 * where no version was recorded yet, and never written.
 */
public final class EarlierIntentTree {
  private static final Logger log = LoggerFactory.getLogger(EarlierIntentTree.class);

  /** The first byte: how the rest is to be read. */
  private static final byte JSON_1 = 1;

  private EarlierIntentTree() {}

  /**
   * @param versions of the policy: where there is one it is in force, and the map is not opened
   */
  public static Optional<IntentTree> find(
      Records<?> versions, StorageService storage, ApplicationId app) {
    if (versions.size() > 0) {
      return Optional.empty();
    }
    ConsistentMap<String, byte[]> map =
        storage
            .<String, byte[]>consistentMapBuilder()
            .withName("paceline-desired")
            .withApplicationId(app)
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().register(byte[].class).build()))
            .build();
    return Optional.ofNullable(map.get("intents"))
        .map(Versioned::value)
        .flatMap(EarlierIntentTree::decode);
  }

  private static Optional<IntentTree> decode(byte[] bytes) {
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
                  new ByteArrayInputStream(bytes, 1, bytes.length - 1),
                  DocumentLimits.FILE,
                  Map.of())
              .orElseThrow());
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      log.error("The stored intents cannot be read; they stay as they are", e);
      return Optional.empty();
    }
  }
}
