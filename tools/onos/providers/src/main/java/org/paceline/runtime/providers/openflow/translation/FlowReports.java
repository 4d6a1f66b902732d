package org.paceline.runtime.providers.openflow.translation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a switch's rules for ONOS.
 *
 * <p>A rule that ONOS wants, known by its cookie, is reported as ONOS wrote it, with the switch's
 * counters, so that both always agree. One whose match or actions were changed behind ONOS's back
 * is left out: ONOS then writes it again. Any other is translated, so that ONOS can remove it.
 */
public final class FlowReports {
  private static final Logger LOG = LoggerFactory.getLogger(FlowReports.class);

  private FlowReports() {}

  /**
   * @param onItsWayOut of cookies that ONOS does not want: what was told to go, and stands in this
   *     answer only because it is an old one
   */
  public static List<FlowEntry> read(
      DeviceId device,
      Iterable<FlowEntry> wanted,
      LongPredicate onItsWayOut,
      List<OFFlowStatsEntry> reported) {
    Map<Long, FlowEntry> byCookie = new HashMap<>();
    wanted.forEach(rule -> byCookie.put(rule.id().value(), rule));
    List<FlowEntry> entries = new ArrayList<>();
    for (OFFlowStatsEntry entry : reported) {
      FlowEntry rule = byCookie.get(entry.getCookie().getValue());
      if (rule == null) {
        if (!onItsWayOut.test(entry.getCookie().getValue())) {
          foreign(device, entry).ifPresent(entries::add);
        }
      } else if (agree(rule, entry)) {
        entries.add(counted(rule, entry));
      } else {
        LOG.warn("{} does not do what rule {} says; it is written again.", device, rule);
      }
    }
    return entries;
  }

  private static boolean agree(FlowRule rule, OFFlowStatsEntry entry) {
    OFFactory factory = OFFactories.getFactory(entry.getVersion());
    if (rule.priority() != entry.getPriority()
        || rule.tableId() != entry.getTableId().getValue()
        || !SelectorToMatch.translate(factory, rule.selector()).equals(entry.getMatch())) {
      return false;
    }
    try {
      // Both through the same translation: a switch may order and default actions its own way.
      return InstructionsToTreatment.translate(entry.getInstructions())
          .equals(
              InstructionsToTreatment.translate(
                  TreatmentToInstructions.translate(factory, rule.treatment())));
    } catch (UnsupportedOperationException unknown) {
      LOG.warn(
          "Rule {} of {} cannot be compared: {}", rule.id(), rule.deviceId(), unknown.getMessage());
      return true;
    }
  }

  private static FlowEntry counted(FlowRule rule, OFFlowStatsEntry entry) {
    return new DefaultFlowEntry(
        rule,
        FlowEntryState.ADDED,
        TimeUnit.SECONDS.toNanos(entry.getDurationSec()) + entry.getDurationNsec(),
        TimeUnit.NANOSECONDS,
        entry.getPacketCount().getValue(),
        entry.getByteCount().getValue());
  }

  private static Optional<FlowEntry> foreign(DeviceId device, OFFlowStatsEntry entry) {
    try {
      FlowRule rule =
          DefaultFlowRule.builder()
              .forDevice(device)
              .withCookie(entry.getCookie().getValue())
              .forTable(entry.getTableId().getValue())
              .withPriority(entry.getPriority())
              .withSelector(MatchToSelector.translate(entry.getMatch()))
              .withTreatment(InstructionsToTreatment.translate(entry.getInstructions()))
              .makePermanent()
              .build();
      return Optional.of(counted(rule, entry));
    } catch (UnsupportedOperationException unknown) {
      LOG.warn(
          "{} has a rule that ONOS did not write and cannot remove: {}",
          device,
          unknown.getMessage());
      return Optional.empty();
    }
  }

  /** The rule that a switch let go of, where ONOS still knows it. */
  public static Optional<FlowEntry> removed(Iterable<FlowEntry> known, OFFlowRemoved message) {
    for (FlowEntry rule : known) {
      if (rule.id().value() == message.getCookie().getValue()) {
        return Optional.of(
            new DefaultFlowEntry(
                rule,
                FlowEntryState.REMOVED,
                TimeUnit.SECONDS.toNanos(message.getDurationSec()) + message.getDurationNsec(),
                TimeUnit.NANOSECONDS,
                message.getPacketCount().getValue(),
                message.getByteCount().getValue()));
      }
    }
    return Optional.empty();
  }
}
