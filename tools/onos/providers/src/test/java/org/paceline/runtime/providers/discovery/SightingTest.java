package org.paceline.runtime.providers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;

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
}
