package org.paceline.onos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.TestConsistentMap;
import org.onosproject.store.service.TestStorageService;
import org.paceline.control.audit.Refused;
import org.paceline.control.port.Records;
import org.paceline.records.RecordCodecs;

final class RecordStoresTest {
  private static final byte[] NEWER = {9, 1, 2, 3};

  private final Map<String, ConsistentMap<String, byte[]>> maps = new HashMap<>();
  private final RecordStores stores =
      new RecordStores(new NamedMaps(), new DefaultApplicationId(7, "org.paceline.app"));

  @Test
  void whatIsWantedIsNotOpenedWhereANewerPacelineWroteAnyOfIt() {
    stores.wanted("wanted", RecordCodecs.PLAIN).add("a", "mine");
    stores.bytes("wanted").add("b", NEWER.clone());
    assertThatThrownBy(() -> stores.wanted("wanted", RecordCodecs.PLAIN))
        .isInstanceOf(Refused.class)
        .hasMessage(
            "The record (b) of wanted has schema version 9, and this Paceline knows versions up to"
                + " 1; it stays as it is. Maybe run the newer Paceline that wrote it.");
    assertThat(stores.bytes("wanted").find("b")).contains(NEWER);
    assertThat(stores.bytes("wanted").keys()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void ofVersionsTheNewestCounts() {
    DistributedRecords bytes = stores.bytes("versions");
    Records<String> versions = stores.numbered("versions", bytes, RecordCodecs.PLAIN);
    versions.add("1", "first");
    versions.add("2", "second");
    assertThat(stores.numbered("versions", bytes, RecordCodecs.PLAIN).find("2")).contains("second");
    bytes.add("3", NEWER.clone());
    assertThatThrownBy(() -> stores.numbered("versions", bytes, RecordCodecs.PLAIN))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("The record (3) of versions");
    assertThat(bytes.find("3")).contains(NEWER);
  }

  @Test
  void whereTheOldestVersionsAreGoneTheNewestCounts() {
    DistributedRecords bytes = stores.bytes("versions");
    Records<String> versions = stores.numbered("versions", bytes, RecordCodecs.PLAIN);
    versions.add("2", "old");
    versions.add("9", "old");
    bytes.add("10", NEWER.clone());
    assertThatThrownBy(() -> stores.numbered("versions", bytes, RecordCodecs.PLAIN))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("The record (10) of versions");
  }

  @Test
  void anEarlierPacelineDoesNotStartWhereRecordsAreGone() {
    stores.wanted("numbers", RecordCodecs.PLAIN, "last").replace("last", "7");
    stores.wanted("numbers", RecordCodecs.PLAIN);
    stores.wanted("numbers", RecordCodecs.EXPORTED).add("versions/1", "Somewhere.");
    assertThat(stores.wanted("numbers", RecordCodecs.PLAIN, "last").find("last")).contains("7");
    assertThatThrownBy(() -> stores.wanted("numbers", RecordCodecs.PLAIN))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("The record (versions/1) of numbers has schema version 2");
  }

  @Test
  void whatIsOnlyRememberedKeepsNobodyFromStarting() {
    stores.bytes("log").add("1", NEWER.clone());
    Records<String> log = stores.remembered("log", RecordCodecs.PLAIN);
    assertThat(log.find("1")).isEmpty();
    assertThat(log.add("1", "mine")).isFalse();
    assertThat(log.add("2", "mine")).isTrue();
    assertThat(stores.bytes("log").find("1")).contains(NEWER);
  }

  private final class NamedMaps extends TestStorageService {
    @Override
    public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
      return new TestConsistentMap.Builder<K, V>() {
        @Override
        @SuppressWarnings("unchecked")
        public ConsistentMap<K, V> build() {
          return (ConsistentMap<K, V>)
              maps.computeIfAbsent(
                  name(), first -> new TestConsistentMap.Builder<String, byte[]>().build());
        }
      };
    }
  }
}
