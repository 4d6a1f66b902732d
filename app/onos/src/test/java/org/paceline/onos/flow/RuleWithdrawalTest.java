package org.paceline.onos.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;

/** Nothing of ours stays on the switches, whatever was on its way. */
class RuleWithdrawalTest {
  private static final ApplicationId APP = new DefaultApplicationId(1, "test");

  private final Deque<FlowRule> onTheirWay = new ArrayDeque<>();
  private final RecordedSwitches switches =
      new RecordedSwitches(1) {
        /** ONOS sees one more of what was asked for at each look. */
        @Override
        public Iterable<FlowEntry> getFlowEntriesById(ApplicationId app) {
          Iterable<FlowEntry> before = super.getFlowEntriesById(app);
          if (!onTheirWay.isEmpty()) {
            applyFlowRules(onTheirWay.pop());
          }
          return before;
        }
      };

  @Test
  void aRuleThatComesAfterTheFirstLookIsTakenAwayToo() {
    switches.applyFlowRules(rule(1));
    onTheirWay.addAll(List.of(rule(2), rule(3)));
    new RuleWithdrawal(switches, APP, Duration.ZERO).close();
    assertEquals(0, switches.count());
  }

  @Test
  void aWriterThatIsClosedBeginsNoFurtherStage() {
    StagedWriter writer = new StagedWriter(switches, new StepWorker());
    switches.afterEachWrite(writer::close);
    writer.write(List.of(List.of(add(1)), List.of(add(2))));
    assertEquals(1, switches.count());
  }

  private static FlowRuleOperation add(int priority) {
    return new FlowRuleOperation(rule(priority), FlowRuleOperation.Type.ADD);
  }

  private static FlowRule rule(int priority) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId(Mesh.device(1)))
        .withSelector(DefaultTrafficSelector.emptySelector())
        .withTreatment(DefaultTrafficTreatment.emptyTreatment())
        .withPriority(priority)
        .fromApp(APP)
        .makePermanent()
        .build();
  }
}
