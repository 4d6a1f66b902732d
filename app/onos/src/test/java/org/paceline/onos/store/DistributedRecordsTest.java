package org.paceline.onos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.TestConsistentMap;
import org.onosproject.store.service.TestStorageService;
import org.paceline.control.Nobody;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.onos.listen.Listening;

final class DistributedRecordsTest {
  private static final byte[] FIRST = {1, 2, 3};
  private static final byte[] SECOND = {4};

  private final ConsistentMap<String, byte[]> map =
      new TestConsistentMap.Builder<String, byte[]>().build();

  @Test
  void aTakenNameKeepsWhatItHas() {
    assertThat(records().add("a", FIRST)).isTrue();
    assertThat(records().add("a", SECOND)).isFalse();
    assertThat(records().find("a")).contains(FIRST);
  }

  @Test
  void whatOneNodeWritesAnotherReads() {
    records().replace("a", FIRST);
    records().replace("b", SECOND);
    records().remove("a");
    assertThat(records().keys()).containsExactly("b");
    assertThat(records().size()).isEqualTo(1);
    assertThat(records().find("a")).isEmpty();
  }

  @Test
  void aNodeHearsWhatAnotherWroteUntilItEndsThat() throws Exception {
    AtomicInteger heard = new AtomicInteger();
    Closers hearing = new Closers(new Nobody.NoJournal());
    records()
        .onChange(
            new Listening(new Faults(new Nobody.NoJournal()), hearing), heard::incrementAndGet);
    records().add("a", FIRST);
    assertThat(heard).hasValue(1);
    records().remove("a");
    assertThat(heard).hasValue(1);
    hearing.close();
    records().add("b", SECOND);
    assertThat(heard).hasValue(1);
  }

  /** Of one of several nodes, which see the same map. */
  private DistributedRecords records() {
    return new DistributedRecords(
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
        new DefaultApplicationId(7, "org.paceline.app"),
        "test");
  }
}
