package org.paceline.onos.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.UDP;
import org.paceline.control.model.Transport;
import org.paceline.control.naming.PacketFacts;

final class PacketReaderTest {
  @Test
  void aDatagramShowsItsEndsPortsMarkAndTag() {
    IPv4 ip = ip();
    ip.setDscp((byte) 46).setPayload(new UDP().setSourcePort(5_004).setDestinationPort(60_000));
    Ethernet frame = frame(Ethernet.TYPE_IPV4);
    frame.setVlanID((short) 30).setPayload(ip);
    PacketFacts facts = PacketReader.read(frame).orElseThrow();
    assertThat(facts.mac()).isEqualTo("02:aa:00:00:00:01");
    assertThat(facts.localAddress()).isEqualTo("10.0.0.1");
    assertThat(facts.remoteAddress()).isEqualTo("10.0.9.2");
    assertThat(facts.transport()).isEqualTo(Transport.UDP);
    assertThat(facts.localPort()).isEqualTo(5_004);
    assertThat(facts.remotePort()).isEqualTo(60_000);
    assertThat(facts.dscp()).isEqualTo(46);
    assertThat(facts.vlan()).isEqualTo(Optional.of(30));
  }

  @Test
  void aSegmentOfIpv6ShowsThem() {
    IPv6 ip = new IPv6();
    ip.setSourceAddress(Ip6Address.valueOf("2001:db8::1").toOctets())
        .setDestinationAddress(Ip6Address.valueOf("2001:db8::2").toOctets())
        .setTrafficClass((byte) (34 << 2))
        .setNextHeader(IPv6.PROTOCOL_TCP);
    ip.setPayload(new TCP().setSourcePort(40_000).setDestinationPort(443));
    Ethernet frame = frame(Ethernet.TYPE_IPV6);
    frame.setPayload(ip);
    PacketFacts facts = PacketReader.read(frame).orElseThrow();
    assertThat(facts.localAddress()).isEqualTo("2001:db8::1");
    assertThat(facts.transport()).isEqualTo(Transport.TCP);
    assertThat(facts.localPort()).isEqualTo(40_000);
    assertThat(facts.dscp()).isEqualTo(34);
    assertThat(facts.vlan()).isEmpty();
  }

  @Test
  void aLaterFragmentHasNoPortsAndIsNoFirstPacket() {
    Ethernet frame = frame(Ethernet.TYPE_IPV4);
    frame.setPayload(ip().setFragmentOffset((short) 185));
    assertThat(PacketReader.read(frame)).isEmpty();
    assertThat(PacketReader.read(frame(Ethernet.TYPE_ARP))).isEmpty();
    assertThat(PacketReader.read(null)).isEmpty();
  }

  private static Ethernet frame(short type) {
    Ethernet frame = new Ethernet();
    frame
        .setSourceMACAddress(MacAddress.valueOf("02:AA:00:00:00:01"))
        .setDestinationMACAddress(MacAddress.valueOf("02:00:00:00:00:02"))
        .setEtherType(type);
    return frame;
  }

  private static IPv4 ip() {
    return new IPv4()
        .setSourceAddress("10.0.0.1")
        .setDestinationAddress("10.0.9.2")
        .setProtocol(IPv4.PROTOCOL_UDP);
  }
}
