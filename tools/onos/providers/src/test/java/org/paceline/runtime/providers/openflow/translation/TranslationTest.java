package org.paceline.runtime.providers.openflow.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.paceline.runtime.providers.openflow.translation.Rules.OPENFLOW;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onlab.packet.EthType;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.types.OFPort;

class TranslationTest {
  static Stream<TrafficSelector> selectors() {
    return Stream.of(
        DefaultTrafficSelector.emptySelector(),
        select().matchInPort(PortNumber.portNumber(0xffff_fe00L)).build(),
        select().matchInPort(PortNumber.LOCAL).build(),
        select()
            .matchInPort(PortNumber.portNumber(3))
            .matchEthType((short) 0x0800)
            .matchIPSrc(IpPrefix.valueOf("10.0.0.1/32"))
            .matchIPDst(IpPrefix.valueOf("192.168.128.0/17"))
            .matchIPProtocol((byte) 6)
            .matchTcpSrc(TpPort.tpPort(65535))
            .matchTcpDst(TpPort.tpPort(80))
            .build(),
        select()
            .matchEthType((short) 0x0800)
            .matchIPProtocol((byte) 17)
            .matchUdpSrc(TpPort.tpPort(5004))
            .matchUdpDst(TpPort.tpPort(40000))
            .matchIPDscp((byte) 46)
            .matchIPEcn((byte) 1)
            .build(),
        select()
            .matchEthType((short) 0x86dd)
            .matchIPv6Src(IpPrefix.valueOf("2001:db8::1/128"))
            .matchIPv6Dst(IpPrefix.valueOf("2001:db8::/32"))
            .build(),
        select()
            .matchEthType((short) 0x0806)
            .matchArpOp(2)
            .matchArpSpa(Ip4Address.valueOf("10.0.0.1"))
            .matchArpTpa(Ip4Address.valueOf("240.0.0.2"))
            .build(),
        select()
            .matchEthSrc(MacAddress.valueOf("02:00:00:00:00:01"))
            .matchEthDst(MacAddress.valueOf("fe:ff:ff:ff:ff:fe"))
            .matchVlanId(VlanId.vlanId((short) 4094))
            .matchVlanPcp((byte) 7)
            .build(),
        select().matchVlanId(VlanId.NONE).build(),
        select().matchVlanId(VlanId.ANY).build(),
        select()
            .matchEthDstMasked(
                MacAddress.valueOf("01:00:00:00:00:00"), MacAddress.valueOf("01:00:00:00:00:00"))
            .build(),
        select()
            .matchEthType((short) 0x0800)
            .matchIPProtocol((byte) 1)
            .matchIcmpType((byte) 8)
            .matchIcmpCode((byte) 0)
            .build(),
        neighbours(135)
            .matchIPv6NDSourceLinkLayerAddress(MacAddress.valueOf("02:00:00:00:00:01"))
            .build(),
        neighbours(136)
            .matchIPv6NDTargetAddress(Ip6Address.valueOf("2001:db8::1"))
            .matchIPv6NDTargetLinkLayerAddress(MacAddress.ZERO)
            .build());
  }

  static Stream<TrafficTreatment> treatments() {
    return Stream.of(
        treat().build(),
        treat().setOutput(PortNumber.portNumber(4)).build(),
        treat().setOutput(PortNumber.CONTROLLER).wipeDeferred().build(),
        treat()
            .meter(MeterId.meterId(17))
            .add(Instructions.setQueue(5, null))
            .setOutput(PortNumber.portNumber(2))
            .build(),
        treat()
            .setEthSrc(MacAddress.valueOf("02:00:00:00:00:01"))
            .setEthDst(MacAddress.valueOf("02:00:00:00:00:02"))
            .setIpSrc(Ip4Address.valueOf("10.0.0.1"))
            .setIpDst(Ip4Address.valueOf("10.0.0.2"))
            .setIpDscp((byte) 10)
            .setUdpDst(TpPort.tpPort(5005))
            .decNwTtl()
            .setOutput(PortNumber.portNumber(1))
            .build(),
        treat()
            .pushVlan(EthType.EtherType.VLAN.ethType())
            .setVlanId(VlanId.vlanId((short) 7))
            .deferred()
            .setOutput(PortNumber.portNumber(9))
            .build(),
        treat().popVlan().transition(3).build());
  }

  private static TrafficSelector.Builder select() {
    return DefaultTrafficSelector.builder();
  }

  private static TrafficSelector.Builder neighbours(int type) {
    return select()
        .matchEthType((short) 0x86dd)
        .matchIPProtocol((byte) 58)
        .matchIcmpv6Type((byte) type);
  }

  private static TrafficTreatment.Builder treat() {
    return DefaultTrafficTreatment.builder();
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void whatIsSelectedComesBackFromTheSwitchUnchanged(TrafficSelector selector) {
    assertThat(MatchToSelector.translate(SelectorToMatch.translate(OPENFLOW, selector)))
        .isEqualTo(selector);
  }

  @ParameterizedTest
  @MethodSource("treatments")
  void whatIsToBeDoneComesBackFromTheSwitchUnchanged(TrafficTreatment treatment) {
    TrafficTreatment read =
        InstructionsToTreatment.translate(TreatmentToInstructions.translate(OPENFLOW, treatment));

    assertThat(read.immediate().toString()).isEqualTo(treatment.immediate().toString());
    assertThat(read.deferred().toString()).isEqualTo(treatment.deferred().toString());
    assertThat(read.meters()).isEqualTo(treatment.meters());
    assertThat(read.clearedDeferred()).isEqualTo(treatment.clearedDeferred());
    assertThat(String.valueOf(read.tableTransition()))
        .isEqualTo(String.valueOf(treatment.tableTransition()));
  }

  @Test
  void aPacketForTheControllerIsSentWhole() {
    OFInstructionApplyActions apply =
        (OFInstructionApplyActions)
            TreatmentToInstructions.translate(OPENFLOW, treat().punt().build()).get(0);
    OFActionOutput output = (OFActionOutput) apply.getActions().get(0);

    assertThat(output.getPort()).isEqualTo(OFPort.CONTROLLER);
    assertThat(output.getMaxLen()).isEqualTo(0xffff);
  }

  @Test
  void groupsAreRefusedWithAWayOut() {
    TrafficTreatment group = treat().group(GroupId.valueOf(1)).build();

    assertThatThrownBy(() -> TreatmentToInstructions.translate(OPENFLOW, group))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Maybe use outputs, queues, meters");
  }

  @Test
  void aRuleCarriesItsFlowIdAsCookieAndIsTakenAwayStrictly() {
    OFFlowMod added =
        FlowMods.add(OPENFLOW, Rules.rule(0xabcdL, Rules.fromPort(1), Rules.toPort(2)), 5);
    OFFlowMod removed =
        FlowMods.remove(OPENFLOW, Rules.rule(0xabcdL, Rules.fromPort(1), Rules.toPort(2)), 6);

    assertThat(added.getCookie().getValue()).isEqualTo(0xabcdL);
    assertThat(added.getFlags()).containsExactly(OFFlowModFlags.SEND_FLOW_REM);
    assertThat(added.getIdleTimeout()).isZero();
    assertThat(removed).isInstanceOf(OFFlowDeleteStrict.class);
    assertThat(removed.getMatch()).isEqualTo(added.getMatch());
    assertThat(List.of(added.getXid(), removed.getXid())).containsExactly(5L, 6L);
  }
}
