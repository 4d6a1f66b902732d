package org.paceline.runtime.providers.openflow.translation;

import java.util.EnumSet;
import org.onosproject.net.flow.FlowRule;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** The messages that write a rule to a switch and take it away; the cookie is ONOS's flow id. */
public final class FlowMods {
  private FlowMods() {}

  public static OFFlowMod add(OFFactory factory, FlowRule rule, long xid) {
    OFFlowMod.Builder message = factory.buildFlowAdd();
    // No idle timeout: ONOS counts that itself, and would put back what the switch let go.
    message
        .setHardTimeout(rule.hardTimeout())
        .setFlags(EnumSet.of(OFFlowModFlags.SEND_FLOW_REM))
        .setInstructions(TreatmentToInstructions.translate(factory, rule.treatment()));
    return address(message, factory, rule, xid);
  }

  /** Strict, so that no other rule goes with it. */
  public static OFFlowMod remove(OFFactory factory, FlowRule rule, long xid) {
    OFFlowMod.Builder message = factory.buildFlowDeleteStrict();
    message.setOutPort(OFPort.ANY).setOutGroup(OFGroup.ANY);
    return address(message, factory, rule, xid);
  }

  private static OFFlowMod address(
      OFFlowMod.Builder message, OFFactory factory, FlowRule rule, long xid) {
    return message
        .setXid(xid)
        .setCookie(U64.of(rule.id().value()))
        .setTableId(TableId.of(rule.tableId()))
        .setPriority(rule.priority())
        .setBufferId(OFBufferId.NO_BUFFER)
        .setMatch(SelectorToMatch.translate(factory, rule.selector()))
        .build();
  }
}
