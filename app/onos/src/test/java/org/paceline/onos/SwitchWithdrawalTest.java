package org.paceline.onos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterServiceAdapter;
import org.onosproject.net.meter.MeterState;
import org.paceline.onos.flow.RecordedSwitches;

/** Nothing of ours stays on the switches, whatever was on its way. */
class SwitchWithdrawalTest {
  private static final ApplicationId APP = new DefaultApplicationId(1, "test");
  private static final ApplicationId OTHER = new DefaultApplicationId(2, "other");
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private final Deque<FlowRule> rulesOnTheirWay = new ArrayDeque<>();
  private final Deque<DefaultMeter> metersOnTheirWay = new ArrayDeque<>();
  private final List<DefaultMeter> meters = new ArrayList<>();

  private final RecordedSwitches switches =
      new RecordedSwitches(1) {
        /** ONOS sees one more of what was asked for at each look. */
        @Override
        public Iterable<FlowEntry> getFlowEntriesById(ApplicationId app) {
          Iterable<FlowEntry> before = super.getFlowEntriesById(app);
          if (!rulesOnTheirWay.isEmpty()) {
            applyFlowRules(rulesOnTheirWay.pop());
          }
          return before;
        }
      };

  private final SwitchWithdrawal withdrawal =
      new SwitchWithdrawal(
          switches,
          new MeterServiceAdapter() {
            @Override
            public Collection<Meter> getAllMeters() {
              Collection<Meter> before = List.copyOf(meters);
              if (!metersOnTheirWay.isEmpty()) {
                meters.add(metersOnTheirWay.pop());
              }
              return before;
            }

            @Override
            public void withdraw(MeterRequest request, MeterId id) {
              assertThat(switches.count()).as("rules that may lead to it").isZero();
              meters.stream()
                  .filter(meter -> meter.id().equals(id) && meter.appId().equals(request.appId()))
                  .forEach(meter -> meter.setState(MeterState.PENDING_REMOVE));
            }
          },
          APP,
          Duration.ZERO);

  @Test
  void aRuleThatComesAfterTheFirstLookIsTakenAwayToo() {
    switches.applyFlowRules(rule(1));
    rulesOnTheirWay.addAll(List.of(rule(2), rule(3)));
    withdrawal.close();
    assertThat(switches.count()).isZero();
  }

  @Test
  void metersAreTakenAwayAfterAllRulesAndThoseOfOthersStay() {
    switches.applyFlowRules(rule(1));
    meters.addAll(List.of(meter(1, APP), meter(2, OTHER)));
    metersOnTheirWay.addAll(List.of(meter(3, APP), meter(4, APP)));
    withdrawal.close();
    assertThat(
            meters.stream()
                .filter(meter -> meter.state() != MeterState.PENDING_REMOVE)
                .map(DefaultMeter::appId)
                .collect(Collectors.toList()))
        .containsExactly(OTHER);
  }

  private static DefaultMeter meter(long id, ApplicationId app) {
    DefaultMeter meter =
        (DefaultMeter)
            DefaultMeter.builder()
                .forDevice(DEVICE)
                .withCellId(MeterId.meterId(id))
                .fromApp(app)
                .withUnit(Meter.Unit.KB_PER_SEC)
                .withBands(
                    List.of(DefaultBand.builder().ofType(Band.Type.DROP).withRate(1_000).build()))
                .build();
    meter.setState(MeterState.PENDING_ADD);
    return meter;
  }

  private static FlowRule rule(int priority) {
    return DefaultFlowRule.builder()
        .forDevice(DEVICE)
        .withSelector(DefaultTrafficSelector.emptySelector())
        .withTreatment(DefaultTrafficTreatment.emptyTreatment())
        .withPriority(priority)
        .fromApp(APP)
        .makePermanent()
        .build();
  }
}
