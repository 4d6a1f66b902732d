package org.paceline.runtime.providers.openflow.translation;

import java.util.List;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionPushVlan;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.action.OFActionSetQueue;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionGotoTable;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionMeter;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteMetadata;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmEthDst;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmEthSrc;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmIpDscp;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmIpv4Dst;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmIpv4Src;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmTcpDst;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmTcpSrc;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmUdpDst;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmUdpSrc;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmVlanPcp;
import org.projectfloodlight.openflow.protocol.oxm.OFOxmVlanVid;

/** Reads what a switch does with packets in ONOS's words, to compare it with what was wanted. */
final class InstructionsToTreatment {
  private InstructionsToTreatment() {}

  static TrafficTreatment translate(List<OFInstruction> instructions) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    for (OFInstruction instruction : instructions) {
      switch (instruction.getType()) {
        case METER:
          treatment.meter(MeterId.meterId(((OFInstructionMeter) instruction).getMeterId()));
          break;
        case APPLY_ACTIONS:
          treatment.immediate();
          ((OFInstructionApplyActions) instruction)
              .getActions()
              .forEach(action -> add(treatment, action));
          break;
        case WRITE_ACTIONS:
          treatment.deferred();
          ((OFInstructionWriteActions) instruction)
              .getActions()
              .forEach(action -> add(treatment, action));
          break;
        case CLEAR_ACTIONS:
          treatment.wipeDeferred();
          break;
        case WRITE_METADATA:
          OFInstructionWriteMetadata metadata = (OFInstructionWriteMetadata) instruction;
          treatment.writeMetadata(
              metadata.getMetadata().getValue(), metadata.getMetadataMask().getValue());
          break;
        case GOTO_TABLE:
          treatment.transition(
              (int) ((OFInstructionGotoTable) instruction).getTableId().getValue());
          break;
        default:
          throw unknown(instruction);
      }
    }
    return treatment.build();
  }

  private static void add(TrafficTreatment.Builder treatment, OFAction action) {
    switch (action.getType()) {
      case OUTPUT:
        treatment.setOutput(Ids.port(((OFActionOutput) action).getPort()));
        break;
      case SET_QUEUE:
        treatment.add(Instructions.setQueue(((OFActionSetQueue) action).getQueueId(), null));
        break;
      case PUSH_VLAN:
        treatment.pushVlan(
            new org.onlab.packet.EthType(((OFActionPushVlan) action).getEthertype().getValue()));
        break;
      case POP_VLAN:
        treatment.popVlan();
        break;
      case DEC_NW_TTL:
        treatment.decNwTtl();
        break;
      case SET_FIELD:
        set(treatment, ((OFActionSetField) action).getField());
        break;
      default:
        throw unknown(action);
    }
  }

  private static void set(TrafficTreatment.Builder treatment, OFOxm<?> field) {
    switch (field.getMatchField().id) {
      case ETH_SRC:
        treatment.setEthSrc(MacAddress.valueOf(((OFOxmEthSrc) field).getValue().getLong()));
        break;
      case ETH_DST:
        treatment.setEthDst(MacAddress.valueOf(((OFOxmEthDst) field).getValue().getLong()));
        break;
      case VLAN_VID:
        treatment.setVlanId(VlanId.vlanId(((OFOxmVlanVid) field).getValue().getVlan()));
        break;
      case VLAN_PCP:
        treatment.setVlanPcp(((OFOxmVlanPcp) field).getValue().getValue());
        break;
      case IPV4_SRC:
        treatment.setIpSrc(Ip4Address.valueOf(((OFOxmIpv4Src) field).getValue().getInt()));
        break;
      case IPV4_DST:
        treatment.setIpDst(Ip4Address.valueOf(((OFOxmIpv4Dst) field).getValue().getInt()));
        break;
      case IP_DSCP:
        treatment.setIpDscp(((OFOxmIpDscp) field).getValue().getDscpValue());
        break;
      case TCP_SRC:
        treatment.setTcpSrc(TpPort.tpPort(((OFOxmTcpSrc) field).getValue().getPort()));
        break;
      case TCP_DST:
        treatment.setTcpDst(TpPort.tpPort(((OFOxmTcpDst) field).getValue().getPort()));
        break;
      case UDP_SRC:
        treatment.setUdpSrc(TpPort.tpPort(((OFOxmUdpSrc) field).getValue().getPort()));
        break;
      case UDP_DST:
        treatment.setUdpDst(TpPort.tpPort(((OFOxmUdpDst) field).getValue().getPort()));
        break;
      default:
        throw unknown(field);
    }
  }

  private static UnsupportedOperationException unknown(Object thing) {
    return new UnsupportedOperationException(
        "What the switch does (" + thing + ") has no translation here.");
  }
}
