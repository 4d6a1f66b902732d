package org.paceline.onos;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.meter.DefaultMeterRequest;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterService;
import org.onosproject.net.meter.MeterState;

/**
 * Takes all rules and meters of an application that stops off the switches, those too that were on
 * their way when it stopped, or waited to be taken away later. ONOS carries out writes on many
 * threads in no certain order: one look at what it holds may come before a rule that was asked for
 * earlier, and that rule would stay for ever.
 *
 * <p>Close it after everything that writes rules or makes meters.
 */
final class SwitchWithdrawal implements AutoCloseable {
  private static final int LOOKS_AT_MOST = 50;
  private static final int LOOKS_THAT_FIND_NONE = 3;

  private final FlowRuleService rules;
  private final MeterService meters;
  private final ApplicationId app;
  private final Duration between;

  /**
   * @param between two looks; a write on its way must be seen within twice this
   */
  SwitchWithdrawal(
      FlowRuleService rules, MeterService meters, ApplicationId app, Duration between) {
    this.rules = rules;
    this.meters = meters;
    this.app = app;
    this.between = between;
  }

  /** Returns when nothing has come for a while; what keeps coming is given up on. */
  @Override
  public void close() {
    untilNoneComes(this::withdrawRules);
    // Later: with a meter a switch takes away the rules that lead to it, which ONOS would write
    // again.
    untilNoneComes(this::withdrawMeters);
  }

  /**
   * @param look takes away what is found, and says how many these are
   */
  private void untilNoneComes(IntSupplier look) {
    int foundNone = 0;
    for (int looks = 0; looks < LOOKS_AT_MOST && foundNone < LOOKS_THAT_FIND_NONE; looks++) {
      // ONOS 2.7 brings a Guava that does not take durations.
      Uninterruptibles.sleepUninterruptibly(between.toMillis(), TimeUnit.MILLISECONDS);
      foundNone = look.getAsInt() == 0 ? foundNone + 1 : 0;
    }
  }

  private int withdrawRules() {
    FlowRule[] left =
        StreamSupport.stream(rules.getFlowEntriesById(app).spliterator(), false)
            .filter(SwitchWithdrawal::stays)
            .toArray(FlowRule[]::new);
    rules.removeFlowRules(left);
    return left.length;
  }

  private static boolean stays(FlowEntry entry) {
    return entry.state() != FlowEntryState.PENDING_REMOVE
        && entry.state() != FlowEntryState.REMOVED;
  }

  private int withdrawMeters() {
    List<Meter> left =
        meters.getAllMeters().stream()
            .filter(meter -> app.equals(meter.appId()))
            .filter(SwitchWithdrawal::stays)
            .collect(Collectors.toList());
    left.forEach(meter -> meters.withdraw(removal(meter), meter.id()));
    return left.size();
  }

  private static boolean stays(Meter meter) {
    return meter.state() != MeterState.PENDING_REMOVE;
  }

  private static MeterRequest removal(Meter meter) {
    MeterRequest.Builder request =
        DefaultMeterRequest.builder()
            .forDevice(meter.deviceId())
            .fromApp(meter.appId())
            .withUnit(meter.unit())
            .withBands(meter.bands());
    return (meter.isBurst() ? request.burst() : request).remove();
  }
}
