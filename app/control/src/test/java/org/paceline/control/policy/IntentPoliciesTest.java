package org.paceline.control.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.paceline.control.port.IntentStore;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class IntentPoliciesTest {
  private static final IntentPath VOIP = IntentPath.parse("voip");
  private static final IntentPath VIDEO = IntentPath.parse("video");

  private final Memory store = new Memory();
  private final IntentPolicies policies = IntentPolicies.open(store, anything());

  @Test
  void theLateWordOfAnEarlierChangeDoesNotUndoALaterOne() {
    policies.set(VOIP, Policy.builder().build());
    policies.set(VIDEO, Policy.builder().build());
    IntentTree both = policies.tree();
    AtomicInteger told = new AtomicInteger();
    policies.onChange(told::incrementAndGet);
    // Of the first change and of the second, on another thread and after both.
    policies.refresh();
    policies.refresh();
    assertThat(policies.tree()).isEqualTo(both);
    assertThat(told).hasValue(0);
  }

  @Test
  void whatAnotherNodeStoredIsTakenAndTold() {
    AtomicInteger told = new AtomicInteger();
    policies.onChange(told::incrementAndGet);
    store.save(anything().with(VOIP, Policy.builder().build()));
    policies.refresh();
    assertThat(policies.tree().contains(VOIP)).isTrue();
    assertThat(told).hasValue(1);
  }

  private static IntentTree anything() {
    return IntentTree.withDefault(
        UtilityFunction.of(
            "any",
            List.of(DataRate.ofKilobitsPerSecond(100)),
            List.of(Latency.ofMillis(50)),
            List.of(List.of(Utility.of(3.0)))));
  }

  /** As several nodes see it. */
  private static final class Memory implements IntentStore {
    private Optional<IntentTree> tree = Optional.empty();

    @Override
    public Optional<IntentTree> load() {
      return tree;
    }

    @Override
    public void save(IntentTree next) {
      tree = Optional.of(next);
    }
  }
}
