package org.paceline.runtime.providers.openflow.translation;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.MetadataInstruction;
import org.onosproject.net.flow.instructions.Instructions.MeterInstruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.Instructions.SetQueueInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanHeaderInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanIdInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanPcpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModDscpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModIPInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.VlanPcp;

/** Writes ONOS's treatment as OpenFlow instructions; {@link InstructionsToTreatment} reads it. */
public final class TreatmentToInstructions {
  // Whole packets to the controller: a buffered one could only be answered while the switch keeps
  // it.
  private static final int WHOLE_PACKET = 0xffff;

  private TreatmentToInstructions() {}

  static List<OFInstruction> translate(OFFactory factory, TrafficTreatment treatment) {
    List<OFInstruction> instructions = new ArrayList<>();
    for (MeterInstruction meter : treatment.meters()) {
      instructions.add(factory.instructions().meter(meter.meterId().id()));
    }
    List<OFAction> immediate = actions(factory, treatment.immediate());
    if (!immediate.isEmpty()) {
      instructions.add(factory.instructions().applyActions(immediate));
    }
    if (treatment.clearedDeferred()) {
      instructions.add(factory.instructions().clearActions());
    }
    List<OFAction> deferred = actions(factory, treatment.deferred());
    if (!deferred.isEmpty()) {
      instructions.add(factory.instructions().writeActions(deferred));
    }
    MetadataInstruction metadata = treatment.writeMetadata();
    if (metadata != null) {
      instructions.add(
          factory
              .instructions()
              .writeMetadata(U64.of(metadata.metadata()), U64.of(metadata.metadataMask())));
    }
    if (treatment.tableTransition() != null) {
      instructions.add(
          factory.instructions().gotoTable(TableId.of(treatment.tableTransition().tableId())));
    }
    return instructions;
  }

  public static List<OFAction> actions(OFFactory factory, List<Instruction> instructions) {
    List<OFAction> actions = new ArrayList<>();
    for (Instruction instruction : instructions) {
      switch (instruction.type()) {
        case NOACTION:
          break;
        case OUTPUT:
          actions.add(output(factory, ((OutputInstruction) instruction).port()));
          break;
        case QUEUE:
          actions.add(factory.actions().setQueue(((SetQueueInstruction) instruction).queueId()));
          break;
        case L2MODIFICATION:
          actions.add(layer2(factory, (L2ModificationInstruction) instruction));
          break;
        case L3MODIFICATION:
          actions.add(layer3(factory, (L3ModificationInstruction) instruction));
          break;
        case L4MODIFICATION:
          actions.add(layer4(factory, (L4ModificationInstruction) instruction));
          break;
        case METER:
        case TABLE:
        case METADATA:
          // Instructions of their own in OpenFlow, written above.
          break;
        default:
          throw unsupported(instruction);
      }
    }
    return actions;
  }

  private static OFAction output(OFFactory factory, PortNumber port) {
    int length = port.equals(PortNumber.CONTROLLER) ? WHOLE_PACKET : 0;
    return factory.actions().output(Ids.port(port), length);
  }

  private static OFAction layer2(OFFactory factory, L2ModificationInstruction instruction) {
    switch (instruction.subtype()) {
      case ETH_SRC:
        return set(factory, factory.oxms().ethSrc(mac((ModEtherInstruction) instruction)));
      case ETH_DST:
        return set(factory, factory.oxms().ethDst(mac((ModEtherInstruction) instruction)));
      case VLAN_ID:
        return set(
            factory,
            factory
                .oxms()
                .vlanVid(
                    OFVlanVidMatch.ofVlan(
                        ((ModVlanIdInstruction) instruction).vlanId().toShort())));
      case VLAN_PCP:
        return set(
            factory,
            factory.oxms().vlanPcp(VlanPcp.of(((ModVlanPcpInstruction) instruction).vlanPcp())));
      case VLAN_PUSH:
        return factory
            .actions()
            .pushVlan(
                EthType.of(
                    Short.toUnsignedInt(
                        ((ModVlanHeaderInstruction) instruction).ethernetType().toShort())));
      case VLAN_POP:
        return factory.actions().popVlan();
      default:
        throw unsupported(instruction);
    }
  }

  private static OFAction layer3(OFFactory factory, L3ModificationInstruction instruction) {
    switch (instruction.subtype()) {
      case IPV4_SRC:
        return set(factory, factory.oxms().ipv4Src(ipv4((ModIPInstruction) instruction)));
      case IPV4_DST:
        return set(factory, factory.oxms().ipv4Dst(ipv4((ModIPInstruction) instruction)));
      case IP_DSCP:
        return set(
            factory, factory.oxms().ipDscp(IpDscp.of(((ModDscpInstruction) instruction).dscp())));
      case DEC_TTL:
        return factory.actions().decNwTtl();
      default:
        throw unsupported(instruction);
    }
  }

  private static OFAction layer4(OFFactory factory, L4ModificationInstruction instruction) {
    TransportPort port =
        TransportPort.of(((ModTransportPortInstruction) instruction).port().toInt());
    switch (instruction.subtype()) {
      case TCP_SRC:
        return set(factory, factory.oxms().tcpSrc(port));
      case TCP_DST:
        return set(factory, factory.oxms().tcpDst(port));
      case UDP_SRC:
        return set(factory, factory.oxms().udpSrc(port));
      case UDP_DST:
        return set(factory, factory.oxms().udpDst(port));
      default:
        throw unsupported(instruction);
    }
  }

  private static OFAction set(OFFactory factory, OFOxm<?> field) {
    return factory.actions().setField(field);
  }

  private static MacAddress mac(ModEtherInstruction instruction) {
    return MacAddress.of(instruction.mac().toLong());
  }

  private static IPv4Address ipv4(ModIPInstruction instruction) {
    return IPv4Address.of(instruction.ip().getIp4Address().toInt());
  }

  private static UnsupportedOperationException unsupported(Instruction instruction) {
    return new UnsupportedOperationException(
        "The instruction "
            + instruction
            + " has no translation to OpenFlow here. Maybe use outputs, queues, meters, or changes"
            + " of Ethernet, VLAN, IPv4, TCP and UDP fields; groups are not offered.");
  }
}
