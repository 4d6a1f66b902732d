package org.paceline.onos.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.Nobody;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.StepWorker;
import org.paceline.onos.listen.Listening;

final class LostRemovalsTest {
  private static final ApplicationId APP = new DefaultApplicationId(7, "test");
  private static final DeviceId SWITCH = DeviceId.deviceId("of:0000000000000001");

  private final StepWorker worker = new StepWorker();
  private final Closers closers = new Closers(new Nobody.NoJournal());
  private final Switch device = new Switch();
  private final Store store = new Store();
  private final Map<Integer, FlowRule> wanted = new HashMap<>();
  private final LostRemovals lost =
      new LostRemovals(
          OwnRules.of(store, APP, device -> true),
          device,
          worker,
          rule -> rule.priority() != 40,
          rule -> Optional.ofNullable(wanted.get(rule.priority())));

  @BeforeEach
  void open() {
    lost.open(new Listening(new Faults(new Nobody.NoJournal()), closers));
  }

  @Test
  void aSwitchThatIsBackIsAskedUntilItHasRemovedWhatItWasToRemove() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    store.put(APP, 20, FlowEntryState.ADDED);
    store.put(APP, 30, FlowEntryState.PENDING_ADD);
    device.changes(false);
    worker.passTime();
    assertThat(store.asked).as("it is gone").isEmpty();
    store.hears = false;
    device.changes(true);
    worker.passUntilNext();
    worker.passUntilNext();
    assertThat(store.asked).containsExactly(10, 10);
    store.hears = true;
    worker.passTime();
    assertThat(store.asked).containsExactly(10, 10, 10);
  }

  /** ONOS does what it is told at one time in any order. */
  @Test
  void whatIsWantedAgainIsWrittenAgainAndNotTakenAway() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    store.put(APP, 20, FlowEntryState.PENDING_REMOVE);
    FlowRule again = store.entries.get(20);
    wanted.put(20, again);
    device.changes(true);
    worker.passUntilNext();
    assertThat(store.asked).containsExactly(10);
    assertThat(store.written).containsExactly(again);
  }

  @Test
  void rulesOfOthersAreLeftToThem() {
    store.put(new DefaultApplicationId(8, "other"), 10, FlowEntryState.PENDING_REMOVE);
    store.put(APP, 40, FlowEntryState.PENDING_REMOVE);
    device.changes(true);
    worker.passTime();
    assertThat(store.asked).isEmpty();
  }

  @Test
  void afterItsEndNobodyIsAsked() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    closers.close();
    device.changes(true);
    worker.passTime();
    assertThat(store.asked).isEmpty();
  }

  private static final class Switch extends DeviceServiceAdapter {
    private final List<DeviceListener> listeners = new ArrayList<>();
    private boolean isThere;

    void changes(boolean there) {
      isThere = there;
      Device self =
          new DefaultDevice(
              ProviderId.NONE, SWITCH, Device.Type.SWITCH, "", "", "", "", new ChassisId());
      DeviceEvent event = new DeviceEvent(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, self);
      listeners.forEach(listener -> listener.event(event));
    }

    @Override
    public boolean isAvailable(DeviceId at) {
      return isThere;
    }

    @Override
    public void addListener(DeviceListener listener) {
      listeners.add(listener);
    }

    @Override
    public void removeListener(DeviceListener listener) {
      listeners.remove(listener);
    }
  }

  /** What ONOS has, by priority. */
  private static final class Store extends FlowRuleServiceAdapter {
    final List<Integer> asked = new ArrayList<>();
    final List<FlowRule> written = new ArrayList<>();
    boolean hears = true;
    private final Map<Integer, FlowEntry> entries = new HashMap<>();

    void put(ApplicationId app, int priority, FlowEntryState state) {
      FlowRule rule =
          TableRule.of(
              app,
              SWITCH,
              0,
              priority,
              DefaultTrafficSelector.builder(),
              DefaultTrafficTreatment.builder());
      entries.put(priority, new DefaultFlowEntry(rule, state));
    }

    @Override
    public void applyFlowRules(FlowRule... rules) {
      written.addAll(List.of(rules));
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId at) {
      return List.copyOf(entries.values());
    }

    @Override
    public void removeFlowRules(FlowRule... rules) {
      for (FlowRule rule : rules) {
        asked.add(rule.priority());
        if (hears) {
          entries.remove(rule.priority());
        }
      }
    }
  }
}
