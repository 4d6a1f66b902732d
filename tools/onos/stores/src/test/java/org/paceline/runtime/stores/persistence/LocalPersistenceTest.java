package org.paceline.runtime.stores.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Longs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onosproject.store.service.Serializer;

class LocalPersistenceTest {
  /** Texts and numbers, told apart by their first byte. */
  private static final Serializer SERIALIZER =
      new Serializer() {
        @Override
        public <T> byte[] encode(T value) {
          return value instanceof Long
              ? com.google.common.primitives.Bytes.concat(
                  new byte[] {0}, Longs.toByteArray((Long) value))
              : ("t" + value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T decode(byte[] bytes) {
          return (T)
              (bytes[0] == 0
                  ? (Object) Longs.fromByteArray(java.util.Arrays.copyOfRange(bytes, 1, 9))
                  : new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
        }

        @Override
        public <T> T copy(T value) {
          return decode(encode(value));
        }
      };

  @Test
  void whatWasPutIsThereAfterARestart(@TempDir Path folder) throws Exception {
    LocalPersistence first = new LocalPersistence(folder);
    Map<String, Long> map =
        first
            .<String, Long>persistentMapBuilder()
            .withName("numbers")
            .withSerializer(SERIALIZER)
            .build();
    map.put("one", 1L);
    map.put("two", 3L);
    assertThat(map.put("two", 2L)).isEqualTo(3L);
    map.put("gone", 9L);
    assertThat(map.remove("gone")).isEqualTo(9L);
    Set<String> set =
        first.<String>persistentSetBuilder().withName("names").withSerializer(SERIALIZER).build();
    set.add("a");
    first.close();

    LocalPersistence second = new LocalPersistence(folder);
    assertThat(
            second
                .<String, Long>persistentMapBuilder()
                .withName("numbers")
                .withSerializer(SERIALIZER)
                .build())
        .containsOnly(Map.entry("one", 1L), Map.entry("two", 2L));
    second.close();
  }

  @Test
  void aCollectionWithoutANameIsRefused(@TempDir Path folder) throws Exception {
    LocalPersistence persistence = new LocalPersistence(folder);

    assertThatThrownBy(() -> persistence.persistentMapBuilder().withSerializer(SERIALIZER).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Maybe call withName");
    persistence.close();
  }
}
