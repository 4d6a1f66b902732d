package org.paceline.onos.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.Nobody;
import org.paceline.control.naming.DetectionMatch;
import org.paceline.control.naming.NamingDocument;
import org.paceline.control.naming.NamingRules;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.StagedWriter;
import org.paceline.onos.flow.StepWorker;
import org.paceline.onos.tables.SwitchTables;

final class DetectionRulesTest {
  private static final ApplicationId APP = new DefaultApplicationId(1, "test");
  private static final DeviceId DEVICE = DeviceId.deviceId("of:1");
  private static final ConnectPoint PORT = new ConnectPoint(DEVICE, PortNumber.portNumber(2));
  private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:01");

  private final DetectionRules detection = new DetectionRules(APP);
  private final Switch one = new Switch();
  private final StepWorker worker = new StepWorker();
  private final SwitchTables tables =
      new SwitchTables(
          DEVICE,
          new StagedWriter(OwnRules.of(one, APP, device -> true), worker),
          worker,
          new Nobody.NoJournal(),
          "Nothing is found.");

  /** Does at once what it is told, and looks after each step whether a packet could be lost. */
  private static final class Switch extends FlowRuleServiceAdapter {
    final Set<FlowRule> rules = new HashSet<>();
    final List<Integer> added = new ArrayList<>();
    Predicate<FlowRule> refuses = rule -> false;

    @Override
    public void apply(FlowRuleOperations operations) {
      List<FlowRuleOperation> refused = new ArrayList<>();
      for (Set<FlowRuleOperation> stage : operations.stages()) {
        for (FlowRuleOperation operation : stage) {
          rules.remove(operation.rule());
          if (operation.type() == FlowRuleOperation.Type.ADD) {
            if (refuses.test(operation.rule())) {
              refused.add(operation);
            } else {
              rules.add(operation.rule());
              added.add(operation.rule().tableId());
            }
          }
        }
      }
      mustLeadOn();
      if (refused.isEmpty()) {
        operations.callback().onSuccess(operations);
      } else {
        FlowRuleOperations.Builder failed = FlowRuleOperations.builder();
        refused.forEach(failed::operation);
        operations.callback().onError(failed.build());
      }
    }

    private void mustLeadOn() {
      Set<Integer> present = rules.stream().map(FlowRule::tableId).collect(Collectors.toSet());
      for (FlowRule rule : rules) {
        if (rule.treatment().tableTransition() != null && rule.tableId() == 0) {
          assertThat(present).as("a table that packets are sent to").contains(1);
        }
      }
    }
  }

  @Test
  void whatPacketsGoToNextStandsBeforeTheyAreSentThere() {
    tables.want(wanted("tcp"));
    assertThat(one.added).isSortedAccordingTo((a, b) -> Integer.compare(b, a));
    assertThat(one.rules).hasSize(4);
    tables.want(Set.of());
    assertThat(one.rules).isEmpty();
    assertThat(tables.isIdle()).isTrue();
  }

  @Test
  void packetsAreForwardedBeforeTheMeterThatHoldsCopiesBack() {
    FlowRule forward = detection.forward(forwarding());
    assertThat(forward.treatment().allInstructions())
        .contains(Instructions.createOutput(PortNumber.portNumber(7)));
    assertThat(forward.treatment().tableTransition().tableId())
        .isEqualTo(DetectionRules.COPY_TABLE);
    assertThat(forward.treatment().meters()).isEmpty();
    FlowRule copy = detection.copy(PORT, MeterId.meterId(3));
    assertThat(copy.tableId()).isEqualTo(DetectionRules.COPY_TABLE);
    assertThat(copy.treatment().meters()).hasSize(1);
    assertThat(copy.treatment().allInstructions())
        .contains(Instructions.createOutput(PortNumber.CONTROLLER));
  }

  @Test
  void aSwitchThatRefusesOneRuleKeepsNoneAndIsTriedAgain() {
    one.refuses = rule -> rule.tableId() == DetectionRules.COPY_TABLE;
    tables.want(wanted("tcp"));
    assertThat(one.rules).isEmpty();
    one.refuses = rule -> false;
    worker.passUntilNext();
    assertThat(one.rules).as("that is only said").isEmpty();
    worker.passUntilNext();
    assertThat(one.rules).hasSize(4);
  }

  @Test
  void anotherListChangesWhatDiffers() {
    tables.want(wanted("tcp"));
    one.added.clear();
    tables.want(wanted("udp"));
    assertThat(one.added).as("only what begins to look").containsExactly(0);
    assertThat(one.rules).hasSize(4);
  }

  @Test
  void whatAControllerBeforeLeftIsTakenAwayWhereNobodyWantsIt() {
    Set<FlowRule> before = wanted("tcp");
    one.rules.addAll(before);
    before.forEach(tables::adopt);
    assertThat(before).allMatch(DetectionRules::isOurs);
    assertThat(DetectionRules.isOurs(forwarding())).isFalse();
    tables.want(Set.of());
    assertThat(one.rules).isEmpty();
  }

  @Test
  void onlyWhatTheListCanMatchIsLookedAt() {
    FlowRule look =
        wanted("udp").stream().filter(rule -> rule.tableId() == 0).findFirst().orElseThrow();
    assertThat(look.selector().getCriterion(Criterion.Type.UDP_DST)).isNotNull();
    assertThat(look.selector().getCriterion(Criterion.Type.IN_PORT)).isNotNull();
    assertThat(look.selector().getCriterion(Criterion.Type.ETH_SRC)).isNotNull();
    assertThat(look.priority()).isBetween(12, 899);
  }

  /** Others could have their packets forwarded by being looked at. */
  @Test
  void atAGuardedPortOnlyWhatComesFromTheHostsAddressesIsLookedAt() {
    Set<FlowRule> guarded =
        detection.detect(
            PORT,
            MAC,
            matches("tcp"),
            Set.of(IpAddress.valueOf("10.0.0.1"), IpAddress.valueOf("fd00::1")));
    assertThat(guarded).as("the list names flows of IPv4 of this host").hasSize(1);
    assertThat(guarded.iterator().next().selector().getCriterion(Criterion.Type.IPV4_SRC))
        .isEqualTo(Criteria.matchIPSrc(IpPrefix.valueOf("10.0.0.1/32")));
  }

  private Set<FlowRule> wanted(String protocol) {
    Set<FlowRule> wanted = new HashSet<>(detection.detect(PORT, MAC, matches(protocol)));
    wanted.add(detection.forward(forwarding()));
    wanted.add(detection.handOver(DEVICE, false));
    wanted.add(detection.copy(PORT, MeterId.meterId(3)));
    return wanted;
  }

  private static Set<DetectionMatch> matches(String protocol) {
    NamingRules rules =
        NamingDocument.read(
            Map.of(
                "rules",
                List.of(
                    Map.of(
                        "name",
                        "a",
                        "intent",
                        "voip",
                        "match",
                        Map.of("protocol", protocol, "remotePort", 5060)))));
    return DetectionMatch.of(
        rules, "02:00:00:00:00:01", Set.of(IpAddress.valueOf("10.0.0.1").toInetAddress()));
  }

  private static FlowRule forwarding() {
    return DefaultFlowRule.builder()
        .forDevice(DEVICE)
        .fromApp(APP)
        .withPriority(10)
        .makePermanent()
        .withSelector(DefaultTrafficSelector.builder().matchEthDst(MAC).build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(7)).build())
        .build();
  }
}
