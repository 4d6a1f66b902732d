package org.paceline.onos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.TestConsistentMap;
import org.onosproject.store.service.TestStorageService;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.json.catalogue.Catalogue;

final class DistributedIntentStoreTest {
  private final ConsistentMap<String, byte[]> map =
      new TestConsistentMap.Builder<String, byte[]>().build();
  private final DistributedIntentStore store = store();
  private final IntentTree tree =
      Catalogue.defaultTree()
          .with(IntentPath.parse("backup/nightly"), Policy.builder().priority(3).build());

  @Test
  void whatIsSavedIsLoadedByAnyNode() {
    assertThat(store.load()).isEmpty();
    store.save(tree);
    assertThat(store().load()).contains(tree);
  }

  @Test
  void aNodeHearsWhatAnotherSaved() {
    AtomicInteger heard = new AtomicInteger();
    store.onChange(heard::incrementAndGet);
    store().save(tree);
    assertThat(heard).hasValue(1);
    store.close();
    store().save(Catalogue.defaultTree());
    assertThat(heard).hasValue(1);
  }

  @Test
  void whatANewerVersionWroteIsNeitherReadNorLost() {
    byte[] newer = {9, 1, 2, 3};
    map.put("intents", newer);
    assertThat(store.load()).isEmpty();
    assertThat(map.get("intents").value()).isEqualTo(newer);
  }

  @Test
  void bytesThatAreNoTreeAreNotRead() {
    map.put("intents", new byte[] {1, '{'});
    assertThat(store.load()).isEmpty();
    map.put("intents", new byte[0]);
    assertThat(store.load()).isEmpty();
  }

  /** A store of one of several nodes, which see the same map. */
  private DistributedIntentStore store() {
    return new DistributedIntentStore(
        new TestStorageService() {
          @Override
          @SuppressWarnings("unchecked")
          public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
            return new TestConsistentMap.Builder<K, V>() {
              @Override
              public ConsistentMap<K, V> build() {
                return (ConsistentMap<K, V>) map;
              }
            };
          }
        },
        new DefaultApplicationId(7, "org.paceline.app"));
  }
}
