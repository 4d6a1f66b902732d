package org.paceline.onos.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

final class LostWritesTest {
  private static final ApplicationId APP = new DefaultApplicationId(7, "test");
  private static final DeviceId SWITCH = DeviceId.deviceId("of:0000000000000001");

  private static final Device SELF =
      new DefaultDevice(
          ProviderId.NONE, SWITCH, Device.Type.SWITCH, "", "", "", "", new ChassisId());

  private final StepWorker worker = new StepWorker();
  private final Closers closers = new Closers(new Nobody.NoJournal());
  private final Switch device = new Switch();
  private final Store store = new Store();
  private final Set<FlowRule> wanted = new HashSet<>();
  private final List<Integer> writtenAgain = new ArrayList<>();
  private int returns;
  private boolean isTakenIn = true;
  private final LostWrites lost =
      new LostWrites(
          OwnRules.of(store, APP, device -> true),
          device,
          worker,
          rule -> rule.priority() != 40,
          List.of(new Owner()));

  private final class Owner implements RuleOwner {
    @Override
    public void returned(DeviceId device) {
      returns++;
    }

    @Override
    public Collection<FlowRule> wanted(DeviceId device) {
      return wanted;
    }

    @Override
    public void writeAgain(DeviceId device, Set<FlowRule> lost) {
      lost.forEach(rule -> writtenAgain.add(rule.priority()));
      if (isTakenIn) {
        lost.forEach(rule -> store.put(APP, rule.priority(), FlowEntryState.PENDING_ADD));
      }
    }
  }

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

  @Test
  void aSwitchThatIsThereAtTheStartIsAskedToo() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    device.isThere = true;
    open();
    worker.passTime();
    assertThat(store.asked).containsExactly(10);
    assertThat(returns).as("it was not gone").isZero();
  }

  @Test
  void aLookThatFailsIsDoneAgain() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    store.isAway = true;
    device.changes(true);
    assertThatThrownBy(worker::passTime).isSameAs(Store.AWAY);
    store.isAway = false;
    worker.passTime();
    assertThat(store.asked).containsExactly(10);
  }

  @Test
  void whatOnosNeverTakesInIsWrittenTwice() {
    wanted.add(rule(APP, 10));
    isTakenIn = false;
    device.changes(true);
    for (int i = 0; i < 5; i++) {
      worker.passTime();
    }
    assertThat(writtenAgain).containsExactly(10, 10);
    assertThat(returns).isEqualTo(1);
  }

  @Test
  void whatIsWantedAgainStaysThoughOnosHasNotBegunToWriteIt() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    store.put(APP, 20, FlowEntryState.PENDING_REMOVE);
    device.changes(true);
    wanted.add(rule(APP, 10));
    worker.passTime();
    assertThat(store.asked).containsExactly(20);
  }

  @Test
  void whatOnosDidNotTakeInIsWrittenAgain() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    store.put(APP, 20, FlowEntryState.ADDED);
    store.put(APP, 30, FlowEntryState.PENDING_ADD);
    store.put(APP, 50, FlowEntryState.ADDED, 2);
    List.of(5, 10, 20, 30, 50).forEach(priority -> wanted.add(rule(APP, priority)));
    device.changes(true);
    worker.passTime();
    assertThat(writtenAgain).as("new, wanted again, changed").containsExactlyInAnyOrder(5, 10, 50);
    device.changes(true);
    worker.passTime();
    assertThat(writtenAgain).as("once").hasSize(3);
    assertThat(store.asked).isEmpty();
  }

  @Test
  void theWaitBeginsAnewWithEachReturn() {
    store.put(APP, 10, FlowEntryState.PENDING_REMOVE);
    device.changes(false);
    worker.after(Duration.ofSeconds(9), () -> device.changes(true));
    worker.passUntilNext();
    worker.passUntilNext();
    assertThat(store.asked).as("links are not found again yet").isEmpty();
    worker.passUntilNext();
    assertThat(store.asked).containsExactly(10);
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

  private static FlowRule rule(ApplicationId app, int priority) {
    return rule(app, priority, 1);
  }

  private static FlowRule rule(ApplicationId app, int priority, int table) {
    return TableRule.of(
        app,
        SWITCH,
        0,
        priority,
        DefaultTrafficSelector.builder(),
        DefaultTrafficTreatment.builder().transition(table));
  }

  private static final class Switch extends DeviceServiceAdapter {
    private final List<DeviceListener> listeners = new ArrayList<>();
    private boolean isThere;

    void changes(boolean there) {
      isThere = there;
      DeviceEvent event = new DeviceEvent(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, SELF);
      listeners.forEach(listener -> listener.event(event));
    }

    @Override
    public Iterable<Device> getAvailableDevices() {
      return isThere ? List.of(SELF) : List.of();
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
    static final IllegalStateException AWAY = new IllegalStateException("away");

    boolean hears = true;
    boolean isAway;
    private final Map<Integer, FlowEntry> entries = new HashMap<>();

    void put(ApplicationId app, int priority, FlowEntryState state) {
      put(app, priority, state, 1);
    }

    void put(ApplicationId app, int priority, FlowEntryState state, int table) {
      entries.put(priority, new DefaultFlowEntry(rule(app, priority, table), state));
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId at) {
      if (isAway) {
        throw AWAY;
      }
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
