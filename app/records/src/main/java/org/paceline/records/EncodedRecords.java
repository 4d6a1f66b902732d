package org.paceline.records;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.paceline.control.audit.Refused;
import org.paceline.control.port.Records;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a store of bytes: the first byte is the schema version, the rest the packed text of a
 * codec. What a newer Paceline wrote is neither read nor overwritten nor removed.
 */
public final class EncodedRecords<T> implements Records<T> {
  private static final Logger log = LoggerFactory.getLogger(EncodedRecords.class);

  private final String name;
  private final Records<byte[]> store;
  private final RecordCodec<T> codec;

  /** Records that were named in the log, for they cannot be read: once is enough. */
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /**
   * @param name of the store, for whoever reads the log
   */
  public EncodedRecords(String name, Records<byte[]> store, RecordCodec<T> codec) {
    this.name = name;
    this.store = store;
    this.codec = codec;
  }

  @Override
  public Set<String> keys() {
    return store.keys();
  }

  @Override
  public int size() {
    return store.size();
  }

  @Override
  public boolean contains(String key) {
    return store.contains(key);
  }

  @Override
  public Optional<T> find(String key) {
    return store.find(key).flatMap(bytes -> decode(key, bytes));
  }

  @Override
  public boolean add(String key, T value) {
    return store.add(key, encode(value));
  }

  /**
   * @throws Refused if a newer Paceline wrote what is there
   */
  @Override
  public void replace(String key, T value) {
    mustNotBeNewer(key);
    store.replace(key, encode(value));
  }

  /**
   * @throws Refused if a newer Paceline wrote what is there
   */
  @Override
  public void remove(String key) {
    mustNotBeNewer(key);
    store.remove(key);
  }

  private byte[] encode(T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(codec.version(value));
    try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
      packed.write(codec.write(value).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse bytes", e);
    }
    return bytes.toByteArray();
  }

  private Optional<T> decode(String key, byte[] bytes) {
    if (isNewer(bytes)) {
      if (warned.add(key)) {
        log.error(tooNew(key, bytes));
      }
      return Optional.empty();
    }
    if (bytes.length == 0 || bytes[0] < 1) {
      if (warned.add(key)) {
        log.error("The record ({}) of {} has no schema version; it stays as it is.", key, name);
      }
      return Optional.empty();
    }
    try (GZIPInputStream packed =
        new GZIPInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
      String text = new String(packed.readAllBytes(), StandardCharsets.UTF_8);
      return Optional.of(codec.read(text, bytes[0]));
    } catch (IOException | IllegalArgumentException e) {
      if (warned.add(key)) {
        log.error("The record ({}) of {} cannot be read; it stays as it is", key, name, e);
      }
      return Optional.empty();
    }
  }

  /**
   * @throws Refused if a newer Paceline wrote what is there
   */
  public void mustNotBeNewer(String key) {
    store
        .find(key)
        .filter(this::isNewer)
        .ifPresent(
            bytes -> {
              throw new Refused(tooNew(key, bytes));
            });
  }

  private boolean isNewer(byte[] bytes) {
    return bytes.length > 0 && bytes[0] > codec.version();
  }

  private String tooNew(String key, byte[] bytes) {
    return "The record ("
        + key
        + ") of "
        + name
        + " has schema version "
        + bytes[0]
        + ", and this Paceline knows versions up to "
        + codec.version()
        + "; it stays as it is. Maybe run the newer Paceline that wrote it.";
  }
}
