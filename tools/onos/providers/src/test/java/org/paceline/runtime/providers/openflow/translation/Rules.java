package org.paceline.runtime.providers.openflow.translation;

import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Rules, and how a switch would report them. */
public final class Rules {
  static final OFFactory OPENFLOW = OFFactories.getFactory(OFVersion.OF_13);
  public static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private Rules() {}

  public static TrafficSelector fromPort(long port) {
    return DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(port)).build();
  }

  public static TrafficTreatment toPort(long port) {
    return DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build();
  }

  public static FlowEntry rule(long cookie, TrafficSelector selector, TrafficTreatment treatment) {
    FlowRule rule =
        DefaultFlowRule.builder()
            .forDevice(DEVICE)
            .withCookie(cookie)
            .withPriority(100)
            .withSelector(selector)
            .withTreatment(treatment)
            .makePermanent()
            .build();
    return new DefaultFlowEntry(rule);
  }

  static OFFlowStatsEntry reported(
      long cookie, TrafficSelector selector, TrafficTreatment treatment) {
    return OPENFLOW
        .buildFlowStatsEntry()
        .setCookie(U64.of(cookie))
        .setTableId(TableId.ZERO)
        .setPriority(100)
        .setMatch(SelectorToMatch.translate(OPENFLOW, selector))
        .setInstructions(TreatmentToInstructions.translate(OPENFLOW, treatment))
        .setDurationSec(7)
        .setDurationNsec(500_000_000)
        .setPacketCount(U64.of(11))
        .setByteCount(U64.of(1_100))
        .build();
  }
}
