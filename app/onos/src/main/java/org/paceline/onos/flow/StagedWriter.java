package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;

/**
 * Writes stages of rules, each only when the switches have confirmed the one before. ONOS has
 * stages too, but goes on with the next one when a switch refuses, and traffic would move to half a
 * way.
 */
public final class StagedWriter implements AutoCloseable {
  private final FlowRuleService rules;
  private volatile boolean isClosed;

  public StagedWriter(FlowRuleService rules) {
    this.rules = rules;
  }

  /** Completes with the rules that were refused, none where all stages are in force. */
  public CompletableFuture<Set<FlowRule>> write(List<List<FlowRuleOperation>> stages) {
    CompletableFuture<Set<FlowRule>> outcome = new CompletableFuture<>();
    next(new ArrayList<>(stages), outcome);
    return outcome;
  }

  /** A stage that has begun ends; none begins any more, and its outcome stays open. */
  @Override
  public void close() {
    isClosed = true;
  }

  private void next(
      List<List<FlowRuleOperation>> stages, CompletableFuture<Set<FlowRule>> outcome) {
    if (stages.isEmpty()) {
      outcome.complete(Set.of());
      return;
    }
    if (isClosed) {
      return;
    }
    FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
    stages.get(0).forEach(operations::operation);
    rules.apply(
        operations.build(
            new FlowRuleOperationsContext() {
              @Override
              public void onSuccess(FlowRuleOperations done) {
                next(stages.subList(1, stages.size()), outcome);
              }

              @Override
              public void onError(FlowRuleOperations failed) {
                Set<FlowRule> refused = new HashSet<>();
                failed.stages().forEach(stage -> stage.forEach(op -> refused.add(op.rule())));
                outcome.complete(refused);
              }
            }));
  }
}
