package org.paceline.onos.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.paceline.control.port.Records;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records in a map that every node of the cluster sees, as packed text of our own codec. */
public final class DistributedRecords<T> implements Records<T> {
  private static final Logger log = LoggerFactory.getLogger(DistributedRecords.class);

  /** The first byte: how the rest is to be read. */
  private static final byte GZIP_TEXT_1 = 1;

  private final ConsistentMap<String, byte[]> map;
  private final TextCodec<T> codec;

  /** A value as text, and back. */
  public interface TextCodec<T> {
    String write(T value);

    /**
     * @throws IOException or an {@link IllegalArgumentException} if the text is no such value
     */
    T read(String text) throws IOException;
  }

  public DistributedRecords(
      StorageService storage, ApplicationId app, String name, TextCodec<T> codec) {
    this.codec = codec;
    map =
        storage
            .<String, byte[]>consistentMapBuilder()
            .withName(name)
            .withApplicationId(app)
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().register(byte[].class).build()))
            .build();
  }

  @Override
  public Set<String> keys() {
    return map.keySet();
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public Optional<T> find(String key) {
    return Optional.ofNullable(map.get(key))
        .map(Versioned::value)
        .flatMap(bytes -> decode(key, bytes));
  }

  @Override
  public boolean add(String key, T value) {
    return map.putIfAbsent(key, encode(value)) == null;
  }

  @Override
  public void replace(String key, T value) {
    map.put(key, encode(value));
  }

  @Override
  public void remove(String key) {
    map.remove(key);
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
