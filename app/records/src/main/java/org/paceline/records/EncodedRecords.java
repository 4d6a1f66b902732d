package org.paceline.records;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.paceline.control.port.Records;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records in a store of bytes, as packed text of our own codec. */
public final class EncodedRecords<T> implements Records<T> {
  private static final Logger log = LoggerFactory.getLogger(EncodedRecords.class);

  /** The first byte: how the rest is to be read. */
  private static final byte GZIP_TEXT_1 = 1;

  private final Records<byte[]> store;
  private final RecordCodec<T> codec;

  public EncodedRecords(Records<byte[]> store, RecordCodec<T> codec) {
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
  public Optional<T> find(String key) {
    return store.find(key).flatMap(bytes -> decode(key, bytes));
  }

  @Override
  public boolean add(String key, T value) {
    return store.add(key, encode(value));
  }

  @Override
  public void replace(String key, T value) {
    store.replace(key, encode(value));
  }

  @Override
  public void remove(String key) {
    store.remove(key);
  }

  private byte[] encode(T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(GZIP_TEXT_1);
    try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
      packed.write(codec.write(value).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse bytes", e);
    }
    return bytes.toByteArray();
  }

  private Optional<T> decode(String key, byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != GZIP_TEXT_1) {
      log.warn("The record ({}) is of an unknown version; it stays unread.", key);
      return Optional.empty();
    }
    try (GZIPInputStream packed =
        new GZIPInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
      return Optional.of(codec.read(new String(packed.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException e) {
      log.error("The record ({}) cannot be read; it stays as it is", key, e);
      return Optional.empty();
    }
  }
}
