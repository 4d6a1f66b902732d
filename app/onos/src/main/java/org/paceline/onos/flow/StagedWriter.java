package org.paceline.onos.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.paceline.control.port.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes stages of rules, each only when the switches have confirmed the one before. ONOS has
 * stages too, but goes on with the next one when a switch refuses, and traffic would move to half a
 * way.
 */
public final class StagedWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StagedWriter.class);

  /** ONOS gives up on a switch that does not answer after a third of that. */
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);

  /**
   * Longer than a switch takes that is there. ONOS's store of flow rules may lose what it is told
   * in the moment in which a switch returns, and never answers: nobody waits half a minute for it.
   */
  private static final Duration TOLD_AGAIN_AFTER = Duration.ofSeconds(3);

  private final OwnRules rules;
  private final Worker worker;
  private final Consumer<Set<FlowRule>> removed;
  private volatile boolean isClosed;

  public StagedWriter(OwnRules rules, Worker worker) {
    this(rules, worker, gone -> {});
  }

  /**
   * @param removed is told of rules that switches have said to be removed, on a thread of ONOS
   */
  StagedWriter(OwnRules rules, Worker worker, Consumer<Set<FlowRule>> removed) {
    this.rules = rules;
    this.worker = worker;
    this.removed = removed;
  }

  /**
   * Completes with the rules that were refused, none where all stages are in force. A stage that
   * nobody answers is taken for refused after a while: its rules may be in force or not.
   */
  public CompletableFuture<Set<FlowRule>> write(List<List<FlowRuleOperation>> stages) {
    CompletableFuture<Set<FlowRule>> outcome = new CompletableFuture<>();
    next(new ArrayList<>(stages), outcome);
    return outcome;
  }

  /**
   * Takes rules away; completes with those that may stand yet. Of a switch that is not connected
   * ONOS says that it has removed them, and neither it nor the switch has.
   */
  CompletableFuture<Set<FlowRule>> remove(Collection<FlowRule> stale) {
    Set<FlowRule> unheard =
        stale.stream().filter(rule -> !isThere(rule)).collect(Collectors.toSet());
    List<FlowRuleOperation> removals =
        stale.stream()
            .filter(rule -> !unheard.contains(rule))
            .map(rule -> new FlowRuleOperation(rule, FlowRuleOperation.Type.REMOVE))
            .collect(Collectors.toList());
    return write(removals.isEmpty() ? List.of() : List.of(removals))
        .thenApply(
            failed -> {
              Set<FlowRule> left = new HashSet<>(unheard);
              left.addAll(failed);
              stale.stream().filter(rule -> !isThere(rule)).forEach(left::add);
              return left;
            });
  }

  /** Whether its switch is connected. */
  boolean isThere(FlowRule rule) {
    return isThere(rule.deviceId());
  }

  /** Whether a switch is connected. */
  public boolean isThere(DeviceId device) {
    return rules.isThere(device);
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
    AtomicBoolean isAnswered = new AtomicBoolean();
    tell(
        isAnswered,
        stages.get(0),
        operations.build(
            new FlowRuleOperationsContext() {
              @Override
              public void onSuccess(FlowRuleOperations done) {
                if (isAnswered.compareAndSet(false, true)) {
                  tellOfRemovals(stages.get(0));
                  next(stages.subList(1, stages.size()), outcome);
                }
              }

              /** Whom no controller could tell has not refused: it is told again. */
              @Override
              public void onError(FlowRuleOperations failed) {
                if (!awaitsMaster(stages.get(0)) && isAnswered.compareAndSet(false, true)) {
                  outcome.complete(rulesOf(failed.stages().stream().flatMap(Set::stream)));
                }
              }
            }));
    if (!isAnswered.get()) {
      worker.after(
          ANSWERED_WITHIN,
          () -> {
            if (isAnswered.compareAndSet(false, true)) {
              outcome.complete(rulesOf(stages.get(0).stream()));
            }
          });
    }
  }

  private boolean awaitsMaster(List<FlowRuleOperation> stage) {
    return stage.stream().anyMatch(told -> rules.awaitsMaster(told.rule().deviceId()));
  }

  private void tellOfRemovals(List<FlowRuleOperation> stage) {
    Set<FlowRule> gone =
        rulesOf(stage.stream().filter(done -> done.type() == FlowRuleOperation.Type.REMOVE));
    if (!gone.isEmpty()) {
      removed.accept(gone);
    }
  }

  /** Again and again until it is answered: a rule that a switch holds it may be told once more. */
  private void tell(
      AtomicBoolean isAnswered, List<FlowRuleOperation> stage, FlowRuleOperations operations) {
    if (!awaitsMaster(stage)) {
      apply(operations);
    }
    if (!isAnswered.get()) {
      worker.after(
          TOLD_AGAIN_AFTER,
          () -> {
            if (!isAnswered.get() && !isClosed) {
              LOG.warn(
                  "ONOS has not said within {} s whether switches have done: {}. It is told again.",
                  TOLD_AGAIN_AFTER.toSeconds(),
                  stage);
              tell(isAnswered, stage, operations);
            }
          });
    }
  }

  /** What cannot even be asked is as what is refused: nobody waits for an answer to it. */
  private void apply(FlowRuleOperations operations) {
    try {
      rules.service().apply(operations);
    } catch (RuntimeException | Error bug) {
      operations.callback().onError(operations);
      worker.execute(
          () -> {
            throw new IllegalStateException("Rules could not be handed to ONOS.", bug);
          });
    }
  }

  private static Set<FlowRule> rulesOf(Stream<FlowRuleOperation> operations) {
    return operations.map(FlowRuleOperation::rule).collect(Collectors.toSet());
  }
}
