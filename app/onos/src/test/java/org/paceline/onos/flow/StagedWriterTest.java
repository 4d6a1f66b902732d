package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRuleOperation;

class StagedWriterTest {
  private final RecordedSwitches switches = new RecordedSwitches(1);

  @Test
  void aWriterThatIsClosedBeginsNoFurtherStage() {
    StagedWriter writer = new StagedWriter(switches.own(), new StepWorker());
    switches.afterEachWrite(writer::close);
    writer.write(List.of(List.of(add(1)), List.of(add(2))));
    assertThat(switches.count()).isEqualTo(1);
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
