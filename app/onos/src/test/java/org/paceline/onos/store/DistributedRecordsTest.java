package org.paceline.onos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.TestConsistentMap;
import org.onosproject.store.service.TestStorageService;
import org.paceline.control.Nobody;
import org.paceline.control.port.StoreUnavailable;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.onos.listen.Listening;

final class DistributedRecordsTest {
  private static final byte[] FIRST = {1, 2, 3};
  private static final byte[] SECOND = {4};

  private final ConsistentMap<String, byte[]> held =
      new TestConsistentMap.Builder<String, byte[]>().build();

  private Optional<RuntimeException> unanswered = Optional.empty();

  @SuppressWarnings("unchecked")
  private final ConsistentMap<String, byte[]> map =
      (ConsistentMap<String, byte[]>)
          Proxy.newProxyInstance(
              ConsistentMap.class.getClassLoader(),
              new Class<?>[] {ConsistentMap.class},
              (proxy, method, words) -> {
                if (unanswered.isPresent()) {
                  throw unanswered.get();
                }
                return method.invoke(held, words);
              });

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

  @Test
  void aStoreThatDoesNotAnswerIsToldAsThatWhateverItThrows() {
    DistributedRecords records = records();
    unanswered = Optional.of(new StorageException.Unavailable());
    List<Runnable> asked =
        List.of(
            records::keys,
            records::size,
            () -> records.contains("a"),
            () -> records.find("a"),
            () -> records.add("a", FIRST),
            () -> records.replace("a", FIRST),
            () -> records.remove("a"));
    for (Runnable one : asked) {
      assertThatThrownBy(one::run)
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("Maybe")
          .hasCause(unanswered.orElseThrow());
    }
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
