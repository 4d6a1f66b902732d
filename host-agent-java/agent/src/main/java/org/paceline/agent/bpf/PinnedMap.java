package org.paceline.agent.bpf;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.paceline.agent.posix.LibC;

/** A map of the kernel's by its name; keys and values are bytes as its program sees them. */
public final class PinnedMap implements Closeable {
  private static final int NO_SUCH_ENTRY = -2;

  private final Path pin;
  private final int map;
  private final Memory key;
  private final Memory next;
  private final Memory value;

  private PinnedMap(Path pin, int map, int keyBytes, int valueBytes) {
    this.pin = pin;
    this.map = map;
    this.key = new Memory(keyBytes);
    this.next = new Memory(keyBytes);
    this.value = new Memory(valueBytes);
  }

  public static PinnedMap open(Path pin, int keyBytes, int valueBytes) throws IOException {
    return new PinnedMap(pin, LibBpf.open(pin.toString()), keyBytes, valueBytes);
  }

  public void put(byte[] key, byte[] value) throws IOException {
    this.key.write(0, key, 0, key.length);
    this.value.write(0, value, 0, value.length);
    require(LibBpf.bpf_map_update_elem(map, this.key, this.value, 0));
  }

  public Optional<byte[]> get(byte[] key) throws IOException {
    this.key.write(0, key, 0, key.length);
    int result = LibBpf.bpf_map_lookup_elem(map, this.key, value);
    if (result == NO_SUCH_ENTRY) {
      return Optional.empty();
    }
    require(result);
    return Optional.of(bytes(value));
  }

  /** What is not there is no error. */
  public void remove(byte[] key) throws IOException {
    this.key.write(0, key, 0, key.length);
    int result = LibBpf.bpf_map_delete_elem(map, this.key);
    if (result != NO_SUCH_ENTRY) {
      require(result);
    }
  }

  /** All that is in it, while nobody takes anything away. */
  public void each(BiConsumer<byte[], byte[]> entries) throws IOException {
    int result = LibBpf.bpf_map_get_next_key(map, Pointer.NULL, next);
    while (result == 0) {
      byte[] found = bytes(next);
      get(found).ifPresent(content -> entries.accept(found, content));
      result = LibBpf.bpf_map_get_next_key(map, key, next);
    }
    if (result != NO_SUCH_ENTRY) {
      require(result);
    }
  }

  private static byte[] bytes(Memory memory) {
    return memory.getByteArray(0, (int) memory.size());
  }

  private void require(int result) throws IOException {
    if (result != 0) {
      throw LibBpf.failed(pin.toString(), result);
    }
  }

  @Override
  public void close() {
    LibC.close(map);
  }
}
