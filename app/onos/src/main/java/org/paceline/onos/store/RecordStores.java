package org.paceline.onos.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.StorageService;
import org.paceline.control.audit.Refused;
import org.paceline.control.port.Records;
import org.paceline.records.EncodedRecords;
import org.paceline.records.RecordCodec;

/**
 * Opens stores of records. Those of what is wanted are opened only where all of it can be read: to
 * plan by a policy of yesterday, or past promises that nobody sees, would lose what was accepted.
 */
public final class RecordStores {
  private final StorageService storage;
  private final ApplicationId app;

  public RecordStores(StorageService storage, ApplicationId app) {
    this.storage = storage;
    this.app = app;
  }

  /** As bytes. */
  public DistributedRecords bytes(String name) {
    return new DistributedRecords(storage, app, name);
  }

  /**
   * What is only remembered, such as the log of changes: what a newer Paceline wrote there stays as
   * it is, unseen.
   */
  public <T> Records<T> remembered(String name, RecordCodec<T> codec) {
    return new EncodedRecords<>(name, bytes(name), codec);
  }

  /**
   * What is wanted.
   *
   * @throws Refused if a newer Paceline wrote any of it; nothing is changed then
   */
  public <T> Records<T> wanted(String name, RecordCodec<T> codec) {
    DistributedRecords bytes = bytes(name);
    return wanted(name, bytes, codec, bytes.keys());
  }

  /**
   * What is wanted under one key, where the others are of another kind.
   *
   * @throws Refused if a newer Paceline wrote it; nothing is changed then
   */
  public <T> Records<T> wanted(String name, RecordCodec<T> codec, String key) {
    return wanted(name, bytes(name), codec, List.of(key));
  }

  /**
   * Versions under numbers, each of which replaces the one before: it is enough that the newest can
   * be read, and there may be thousands.
   *
   * @throws Refused if a newer Paceline wrote the newest; nothing is changed then
   */
  public <T> Records<T> numbered(String name, DistributedRecords bytes, RecordCodec<T> codec) {
    return wanted(
        name,
        bytes,
        codec,
        bytes.keys().stream()
            .max(Comparator.comparingLong(Long::parseLong))
            .map(List::of)
            .orElseGet(List::of));
  }

  private static <T> Records<T> wanted(
      String name, DistributedRecords bytes, RecordCodec<T> codec, Collection<String> keys) {
    EncodedRecords<T> records = new EncodedRecords<>(name, bytes, codec);
    keys.forEach(records::mustNotBeNewer);
    return records;
  }
}
