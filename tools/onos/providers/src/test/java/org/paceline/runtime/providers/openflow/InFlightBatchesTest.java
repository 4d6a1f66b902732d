package org.paceline.runtime.providers.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.runtime.providers.openflow.translation.Rules.DEVICE;
import static org.paceline.runtime.providers.openflow.translation.Rules.fromPort;
import static org.paceline.runtime.providers.openflow.translation.Rules.rule;
import static org.paceline.runtime.providers.openflow.translation.Rules.toPort;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.CompletedBatchOperation;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry.FlowRuleOperation;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;

class InFlightBatchesTest {
  private static final FlowRule FIRST = rule(1, fromPort(1), toPort(2));
  private static final FlowRule SECOND = rule(2, fromPort(2), toPort(1));
  private static final FlowRuleBatchOperation BATCH =
      new FlowRuleBatchOperation(
          List.of(
              new FlowRuleBatchEntry(FlowRuleOperation.ADD, FIRST),
              new FlowRuleBatchEntry(FlowRuleOperation.ADD, SECOND)),
          DEVICE,
          77);

  private final Map<Long, CompletedBatchOperation> outcomes = new LinkedHashMap<>();
  private final AtomicLong clock = new AtomicLong();
  private final InFlightBatches batches = new InFlightBatches(outcomes::put, clock::get);

  private CompletedBatchOperation outcome() {
    return Optional.ofNullable(outcomes.get(77L)).orElseThrow();
  }

  @Test
  void aBatchIsDoneWhenTheSwitchAnswersItsBarrierAndNotBefore() {
    batches.sent(DEVICE, 9, BATCH);
    assertThat(outcomes).isEmpty();

    assertThat(batches.confirmed(DEVICE, 9)).isTrue();
    assertThat(outcome().isSuccess()).isTrue();
    assertThat(batches.confirmed(DEVICE, 9)).isFalse();
  }

  @Test
  void onlyTheRefusedRuleOfABatchFails() {
    batches.sent(DEVICE, 9, BATCH);
    batches.refused(DEVICE, 9, Optional.of(2L));
    batches.confirmed(DEVICE, 9);

    assertThat(outcome().isSuccess()).isFalse();
    assertThat(outcome().failedItems()).containsExactly(SECOND);
  }

  @Test
  void aRefusalThatNamesNoRuleFailsTheWholeBatch() {
    batches.sent(DEVICE, 9, BATCH);
    batches.refused(DEVICE, 9, Optional.empty());
    batches.confirmed(DEVICE, 9);

    assertThat(outcome().failedItems()).containsExactlyInAnyOrder(FIRST, SECOND);
  }

  @Test
  void aBatchOfASwitchThatIsGoneFailsAtOnce() {
    batches.sent(DEVICE, 9, BATCH);
    batches.lost(DEVICE);

    assertThat(outcome().isSuccess()).isFalse();
  }

  @Test
  void aBatchThatIsNeverAnsweredFailsInTheEnd() {
    batches.sent(DEVICE, 9, BATCH);
    clock.set(TimeUnit.SECONDS.toNanos(9));
    batches.failOverdue();
    assertThat(outcomes).isEmpty();

    clock.set(TimeUnit.SECONDS.toNanos(11));
    batches.failOverdue();
    assertThat(outcome().isSuccess()).isFalse();
  }

  @Test
  void anAnswerToAnotherQuestionIsNotOurs() {
    batches.sent(DEVICE, 9, BATCH);

    assertThat(batches.confirmed(DEVICE, 10)).isFalse();
    assertThat(batches.refused(DEVICE, 10, Optional.empty())).isFalse();
  }
}
