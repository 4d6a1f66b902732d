package org.paceline.onos.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onosproject.app.ApplicationServiceAdapter;
import org.onosproject.app.ApplicationState;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.ManualWorker;
import org.paceline.control.model.Alarm;
import org.paceline.onos.flow.OwnRules;

final class OtherApplicationsTest {
  private static final ApplicationId ONOS = new DefaultApplicationId(1, CoreService.CORE_APP_NAME);
  private static final ApplicationId OWN = new DefaultApplicationId(2, "org.paceline.app");
  private static final ApplicationId FWD = new DefaultApplicationId(3, "org.onosproject.fwd");
  private static final ApplicationId OTHER = new DefaultApplicationId(4, "org.example.acl");

  private final List<FlowEntry> entries = new ArrayList<>();
  private final ManualWorker clock = new ManualWorker();
  private Optional<ApplicationId> active = Optional.empty();
  private final OtherApplications others =
      new OtherApplications(
          new Known(),
          new Applications(),
          new Switches(),
          OwnRules.of(new Rules(), OWN, device -> true),
          clock);

  @Test
  void whatOnosAndPacelineWriteIsNoConflict() {
    entry(ONOS, 1, 0, 40_000, FlowEntryState.ADDED);
    entry(OWN, 1, 0, 1_004, FlowEntryState.ADDED);
    entry(OWN, 1, 1, 10, FlowEntryState.ADDED);
    assertThat(look()).isEmpty();
  }

  @Test
  void whatIsBelowAllRulesOfPacelineOrOnItsWayOffIsNoConflict() {
    entry(OTHER, 1, 0, 9, FlowEntryState.ADDED);
    entry(OTHER, 1, 0, 50_000, FlowEntryState.PENDING_REMOVE);
    assertThat(look()).isEmpty();
  }

  @Test
  void rulesOfAnotherApplicationAreToldWithWhereTheyAreAndTheWayOut() {
    entry(OTHER, 1, 0, 50_000, FlowEntryState.ADDED);
    entry(OTHER, 2, 0, 10, FlowEntryState.PENDING_ADD);
    entry(OTHER, 2, 3, 0, FlowEntryState.ADDED);
    List<Alarm> alarms = look();
    assertThat(alarms).hasSize(1);
    Alarm alarm = alarms.get(0);
    assertThat(alarm.kind()).isEqualTo(Alarm.Kind.CONFLICT);
    assertThat(alarm.about()).isEqualTo("application org.example.acl");
    assertThat(alarm.sentence())
        .isEqualTo(
            "The application (org.example.acl) has rules (of priority 50000 in table 0; in table 3)"
                + " at the switch (of:0000000000000001) and at (1) more: packets that these take are"
                + " not led, marked and metered as planned. Maybe deactivate it (onos:app deactivate"
                + " org.example.acl), or take its rules away (DELETE"
                + " /onos/v1/flows/application/org.example.acl).");
  }

  @Test
  void theAlarmStaysWhatItWasUntilTheRulesAreGone() {
    entry(OTHER, 1, 0, 50_000, FlowEntryState.ADDED);
    List<Alarm> first = look();
    assertThat(others.look()).isEqualTo(first).hasSize(1);
    entries.clear();
    assertThat(look()).as("rules are read every few seconds only").isEqualTo(first);
    assertThat(look()).isEmpty();
  }

  @Test
  void reactiveForwardingIsToldBeforeItHasWrittenAnything() {
    active = Optional.of(FWD);
    assertThat(look())
        .extracting(Alarm::sentence)
        .singleElement()
        .asString()
        .contains("(org.onosproject.fwd) is active")
        .contains("onos:app deactivate org.onosproject.fwd");
    active = Optional.empty();
    assertThat(look()).isEmpty();
  }

  @Test
  void anApplicationThatOnosDoesNotKnowIsToldByItsNumber() {
    entry(new DefaultApplicationId(77, "?"), 1, 0, 100, FlowEntryState.ADDED);
    assertThat(look()).extracting(Alarm::about).containsExactly("application number 77");
  }

  private List<Alarm> look() {
    List<Alarm> alarms = others.look();
    clock.pass(Duration.ofSeconds(6));
    return alarms;
  }

  private void entry(ApplicationId of, int device, int table, int priority, FlowEntryState state) {
    entries.add(
        new DefaultFlowEntry(
            DefaultFlowRule.builder()
                .forDevice(DeviceId.deviceId(device(device)))
                .forTable(table)
                .fromApp(of)
                .withPriority(priority)
                .makePermanent()
                .withSelector(
                    DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(3)).build())
                .withTreatment(DefaultTrafficTreatment.builder().drop().build())
                .build(),
            state));
  }

  private static String device(int number) {
    return String.format("of:%016x", number);
  }

  private static final class Known extends CoreServiceAdapter {
    @Override
    public @Nullable ApplicationId getAppId(Short id) {
      return List.of(ONOS, OWN, FWD, OTHER).stream()
          .filter(known -> known.id() == id)
          .findFirst()
          .orElse(null);
    }

    @Override
    public @Nullable ApplicationId getAppId(String name) {
      return name.equals(FWD.name()) ? FWD : null;
    }
  }

  private final class Applications extends ApplicationServiceAdapter {
    @Override
    public ApplicationState getState(ApplicationId id) {
      return active.filter(id::equals).isPresent()
          ? ApplicationState.ACTIVE
          : ApplicationState.INSTALLED;
    }
  }

  private final class Rules extends FlowRuleServiceAdapter {
    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
      return entries.stream()
          .filter(entry -> entry.deviceId().equals(device))
          .collect(Collectors.toUnmodifiableList());
    }
  }

  private static final class Switches extends DeviceServiceAdapter {
    @Override
    public Iterable<Device> getAvailableDevices() {
      return List.of(switchOf(1), switchOf(2));
    }

    private static Device switchOf(int number) {
      return new DefaultDevice(
          ProviderId.NONE,
          DeviceId.deviceId(device(number)),
          Device.Type.SWITCH,
          "",
          "",
          "",
          "",
          null);
    }
  }
}
