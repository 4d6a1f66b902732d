package org.paceline.onos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.TestConsistentMap;
import org.onosproject.store.service.TestStorageService;
import org.paceline.control.RememberedRecords;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;

/**
 * The file in store-1 is what the Paceline before schema versions wrote, byte for byte; nobody may
 * make it anew.
 */
final class EarlierIntentTreeTest {
  private final ConsistentMap<String, byte[]> map =
      new TestConsistentMap.Builder<String, byte[]>().build();
  private final RememberedRecords<byte[]> versions = new RememberedRecords<>();
  private final List<String> opened = new ArrayList<>();

  @Test
  void whereNoVersionIsRecordedWhatAnEarlierPacelineStoredIsReadAndStays() throws IOException {
    byte[] stored = stored();
    map.put("intents", stored.clone());
    IntentTree tree = found().orElseThrow();
    assertThat(tree.policies()).containsOnlyKeys(IntentPath.ROOT, IntentPath.parse("backup"));
    assertThat(tree.policies().get(IntentPath.parse("backup")))
        .isEqualTo(
            Policy.builder().maximumRate(DataRate.ofKilobitsPerSecond(2_000)).priority(3).build());
    assertThat(opened).containsExactly("paceline-desired");
    assertThat(map.get("intents").value()).isEqualTo(stored);
  }

  /** Also where a crash came between the version's record and this. */
  @Test
  void whereAVersionIsRecordedNobodyLooks() throws IOException {
    map.put("intents", stored());
    versions.add("1", new byte[] {1});
    assertThat(found()).isEmpty();
    assertThat(opened).isEmpty();
  }

  @Test
  void aNewStoreHasNone() {
    assertThat(found()).isEmpty();
    assertThat(map.isEmpty()).isTrue();
  }

  @Test
  void whatANewerVersionWroteIsNeitherReadNorLost() {
    byte[] newer = {9, 1, 2, 3};
    map.put("intents", newer);
    assertThat(found()).isEmpty();
    assertThat(map.get("intents").value()).isEqualTo(newer);
  }

  @Test
  void bytesThatAreNoTreeAreNotRead() {
    map.put("intents", new byte[] {1, '{'});
    assertThat(found()).isEmpty();
    map.put("intents", new byte[0]);
    assertThat(found()).isEmpty();
  }

  private static byte[] stored() throws IOException {
    String file = "/store-1/paceline-desired/intents";
    try (InputStream in = EarlierIntentTreeTest.class.getResourceAsStream(file)) {
      return Objects.requireNonNull(in, file).readAllBytes();
    }
  }

  private Optional<IntentTree> found() {
    return EarlierIntentTree.find(
        versions,
        new TestStorageService() {
          @Override
          @SuppressWarnings("unchecked")
          public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
            return new TestConsistentMap.Builder<K, V>() {
              @Override
              public ConsistentMap<K, V> build() {
                opened.add(name());
                return (ConsistentMap<K, V>) map;
              }
            };
          }
        },
        new DefaultApplicationId(7, "org.paceline.app"));
  }
}
