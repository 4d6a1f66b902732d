package org.paceline.runtime.providers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborAdvertisement;
import org.onlab.packet.ndp.NeighborSolicitation;

class SightingTest {
  private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:01");

  private static Ethernet request(String sender, MacAddress mac, short vlan) {
    return ARP.buildArpRequest(
        mac.toBytes(),
        Ip4Address.valueOf(sender).toOctets(),
        Ip4Address.valueOf("10.0.0.9").toOctets(),
        vlan);
  }

  @Test
  void aRequestTellsTheSendersAddress() {
    Sighting sighting = Sighting.in(request("10.0.0.7", MAC, VlanId.UNTAGGED)).orElseThrow();

    assertThat(sighting.mac()).isEqualTo(MAC);
    assertThat(sighting.vlan()).isEqualTo(VlanId.NONE);
    assertThat(sighting.address()).contains(IpAddress.valueOf("10.0.0.7"));
  }

  @Test
  void aTaggedRequestBelongsToItsVlan() {
    assertThat(Sighting.in(request("10.0.0.7", MAC, (short) 12)).orElseThrow().vlan())
        .isEqualTo(VlanId.vlanId((short) 12));
  }

  @Test
  void aHostThatOnlyAsksWhetherAnAddressIsFreeHasNoneYet() {
    Sighting sighting = Sighting.in(request("0.0.0.0", MAC, VlanId.UNTAGGED)).orElseThrow();

    assertThat(sighting.address()).isEqualTo(Optional.empty());
  }

  @Test
  void noHostHasAMulticastAddress() {
    assertThat(
            Sighting.in(
                request("10.0.0.7", MacAddress.valueOf("01:00:5e:00:00:01"), VlanId.UNTAGGED)))
        .isEmpty();
    assertThat(Sighting.in(request("224.0.0.1", MAC, VlanId.UNTAGGED)).orElseThrow().address())
        .isEqualTo(Optional.empty());
  }

  @Test
  void whoAsksForANeighbourOfIpv6TellsItsOwnAddress() {
    assertThat(Sighting.in(question("fd00::7")).orElseThrow().address())
        .contains(IpAddress.valueOf("fd00::7"));
    assertThat(Sighting.in(question("::")).orElseThrow().address())
        .as("it only asks whether the address is free")
        .isEqualTo(Optional.empty());
  }

  @Test
  void whoAnswersANeighbourOfIpv6TellsItsOwnAddress() {
    Ethernet answer = question("fd00::7");
    answer.getPayload().getPayload().setPayload(advertisement("fd00::9"));

    assertThat(Sighting.in(answer).orElseThrow().mac()).isEqualTo(MAC);
    assertThat(Sighting.in(answer).orElseThrow().address()).contains(IpAddress.valueOf("fd00::9"));
  }

  @Test
  void whatHasPassedARouterIsNoNeighboursWord() {
    Ethernet afar = question("fd00::7");
    ((IPv6) afar.getPayload()).setHopLimit((byte) 254);

    assertThat(Sighting.in(afar)).isEmpty();
  }

  private static NeighborAdvertisement advertisement(String of) {
    return new NeighborAdvertisement().setTargetAddress(Ip6Address.valueOf(of).toOctets());
  }

  private static Ethernet question(String sender) {
    Ip6Address target = Ip6Address.valueOf("fd00::9");
    return NeighborSolicitation.buildNdpSolicit(
        target,
        Ip6Address.valueOf(sender),
        Ip6Address.valueOf(IPv6.getSolicitNodeAddress(target.toOctets())),
        MAC,
        MacAddress.valueOf("33:33:ff:00:00:09"),
        VlanId.NONE);
  }
}
