package org.paceline.onos.flow;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;

/**
 * Takes all rules of an application that stops off the switches, those too that were on their way
 * when it stopped. ONOS carries out writes on many threads in no certain order: one look at what it
 * holds may come before a rule that was asked for earlier, and that rule would stay for ever.
 *
 * <p>Close it after everything that writes rules.
 */
public final class RuleWithdrawal implements AutoCloseable {
  private static final int LOOKS_AT_MOST = 50;
  private static final int LOOKS_THAT_FIND_NONE = 3;

  private final FlowRuleService rules;
  private final ApplicationId app;
  private final Duration between;

  /**
   * @param between two looks; a write on its way must be seen within twice this
   */
  public RuleWithdrawal(FlowRuleService rules, ApplicationId app, Duration between) {
    this.rules = rules;
    this.app = app;
    this.between = between;
  }

  /** Returns when nothing has come for a while; what keeps coming is given up on. */
  @Override
  public void close() {
    int foundNone = 0;
    for (int look = 0; look < LOOKS_AT_MOST && foundNone < LOOKS_THAT_FIND_NONE; look++) {
      // ONOS 2.7 brings a Guava that does not take durations.
      Uninterruptibles.sleepUninterruptibly(between.toMillis(), TimeUnit.MILLISECONDS);
      FlowRule[] left =
          StreamSupport.stream(rules.getFlowEntriesById(app).spliterator(), false)
              .filter(RuleWithdrawal::stays)
              .toArray(FlowRule[]::new);
      foundNone = left.length == 0 ? foundNone + 1 : 0;
      rules.removeFlowRules(left);
    }
  }

  private static boolean stays(FlowEntry entry) {
    return entry.state() != FlowEntryState.PENDING_REMOVE
        && entry.state() != FlowEntryState.REMOVED;
  }
}
