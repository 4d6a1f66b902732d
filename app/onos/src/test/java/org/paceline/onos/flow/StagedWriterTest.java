package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.paceline.control.ManualWorker;
import org.paceline.control.SolverBug;
import org.paceline.control.port.Worker;

class StagedWriterTest {
  private final RecordedSwitches switches = new RecordedSwitches(1);

  @Test
  void aWriterThatIsClosedBeginsNoFurtherStage() {
    StagedWriter writer = new StagedWriter(switches.own(), new StepWorker());
    switches.afterEachWrite(writer::close);
    writer.write(List.of(List.of(add(1)), List.of(add(2))));
    assertThat(switches.count()).isEqualTo(1);
  }

  /** As its store of flow rules does while the master of a switch changes. */
  @Test
  void whatOnosLosesIsToldOnceMoreAndTheNextStageFollows() {
    ManualWorker worker = new ManualWorker().goingOn();
    AtomicInteger told = new AtomicInteger();
    StagedWriter writer =
        telling(
            operations -> {
              if (told.incrementAndGet() > 2) {
                operations.callback().onSuccess(operations);
              }
            },
            worker);
    CompletableFuture<Set<FlowRule>> outcome =
        writer.write(List.of(List.of(add(1)), List.of(add(2))));
    worker.pass(Duration.ofSeconds(5));
    assertThat(outcome).isNotDone();
    worker.pass(Duration.ofSeconds(2));
    assertThat(outcome).isCompletedWithValue(Set.of());
    worker.pass(Duration.ofMinutes(1));
    assertThat(told).hasValue(4);
  }

  /**
   * As after a stall of the controller, when all switches come anew: ONOS refuses in their place.
   */
  @Test
  void aSwitchWithoutAMasterYetHasNotRefused() {
    ManualWorker worker = new ManualWorker().goingOn();
    Masters masters = new Masters();
    StagedWriter writer = telling(masters::answer, worker, masters);
    CompletableFuture<Set<FlowRule>> outcome = writer.write(List.of(List.of(add(1))));
    worker.pass(Duration.ofSeconds(1));
    assertThat(outcome).isNotDone();
    masters.hasMaster = true;
    worker.pass(Duration.ofSeconds(3));
    assertThat(outcome).isCompletedWithValue(Set.of());
  }

  @Test
  void aSwitchWhoseMasterGoesWhileItIsToldHasNotRefused() {
    ManualWorker worker = new ManualWorker().goingOn();
    Masters masters = new Masters();
    masters.hasMaster = true;
    masters.goesWhileTold = true;
    StagedWriter writer = telling(masters::answer, worker, masters);
    CompletableFuture<Set<FlowRule>> outcome = writer.write(List.of(List.of(add(1))));
    assertThat(outcome).isNotDone();
    masters.hasMaster = true;
    masters.goesWhileTold = false;
    worker.pass(Duration.ofSeconds(4));
    assertThat(outcome).isCompletedWithValue(Set.of());
  }

  @Test
  void aSwitchThatIsNotThereHasRefusedAtOnceAndOneWithoutAMasterInTheEnd() {
    ManualWorker worker = new ManualWorker().goingOn();
    Masters masters = new Masters();
    StagedWriter writer = telling(masters::answer, worker, masters);
    CompletableFuture<Set<FlowRule>> outcome = writer.write(List.of(List.of(add(1))));
    worker.pass(Duration.ofSeconds(31));
    assertThat(outcome).isCompletedWithValue(Set.of(add(1).rule()));
    masters.isThere = false;
    assertThat(writer.write(List.of(List.of(add(2))))).isCompletedWithValue(Set.of(add(2).rule()));
  }

  /** An ONOS that refuses what a switch without a master is told. */
  private static final class Masters implements OwnRules.Presence {
    private boolean isThere = true;
    private boolean hasMaster;
    private boolean goesWhileTold;

    void answer(FlowRuleOperations operations) {
      hasMaster &= !goesWhileTold;
      if (hasMaster) {
        operations.callback().onSuccess(operations);
      } else {
        operations.callback().onError(operations);
      }
    }

    @Override
    public boolean isThere(DeviceId device) {
      return isThere;
    }

    @Override
    public boolean hasMaster(DeviceId device) {
      return hasMaster;
    }
  }

  /** Else whoever changes a way would wait for this change for good. */
  @ParameterizedTest
  @EnumSource
  void whatCannotBeHandedToOnosIsAsWhatIsRefusedInWhateverStage(SolverBug bug) {
    for (int failing = 1; failing <= 2; failing++) {
      ManualWorker worker = new ManualWorker().goingOn();
      AtomicInteger left = new AtomicInteger(failing);
      StagedWriter writer =
          telling(
              operations -> {
                if (left.decrementAndGet() == 0) {
                  bug.thrown();
                }
                operations.callback().onSuccess(operations);
              },
              worker);
      CompletableFuture<Set<FlowRule>> outcome =
          writer.write(List.of(List.of(add(1)), List.of(add(2))));
      assertThat(outcome).isCompletedWithValue(Set.of(add(failing).rule()));
      worker.pass(Duration.ofSeconds(1));
      assertThat(worker.faults).singleElement().asString().contains("could not be handed");
    }
  }

  /** A writer to an ONOS that does this with what it is told. */
  private static StagedWriter telling(Consumer<FlowRuleOperations> onos, Worker worker) {
    return telling(onos, worker, device -> true);
  }

  private static StagedWriter telling(
      Consumer<FlowRuleOperations> onos, Worker worker, OwnRules.Presence presence) {
    return new StagedWriter(
        OwnRules.of(
            new FlowRuleServiceAdapter() {
              @Override
              public void apply(FlowRuleOperations operations) {
                onos.accept(operations);
              }
            },
            new DefaultApplicationId(1, "test"),
            presence),
        worker);
  }

  private static FlowRuleOperation add(int priority) {
    return new FlowRuleOperation(
        DefaultFlowRule.builder()
            .forDevice(DeviceId.deviceId(Mesh.device(1)))
            .withSelector(DefaultTrafficSelector.emptySelector())
            .withTreatment(DefaultTrafficTreatment.emptyTreatment())
            .withPriority(priority)
            .fromApp(new DefaultApplicationId(1, "test"))
            .makePermanent()
            .build(),
        FlowRuleOperation.Type.ADD);
  }
}
