package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.PortNumber;
import org.onosproject.net.provider.ProviderId;

final class LedHostsTest {
  private static final ConnectPoint PORT = ConnectPoint.deviceConnectPoint("of:1/1");

  private static Host host(int number, long port, long seen) {
    return host(number, VlanId.NONE, port, seen);
  }

  private static Host host(int number, VlanId vlan, long port, long seen) {
    MacAddress mac = mac(number);
    return new DefaultHost(
        ProviderId.NONE,
        HostId.hostId(mac, vlan),
        mac,
        vlan,
        new HostLocation(DeviceId.deviceId("of:1"), PortNumber.portNumber(port), seen),
        Set.of());
  }

  private static MacAddress mac(int number) {
    return MacAddress.valueOf(0x020000000000L + number);
  }

  private static Set<MacAddress> macs(LedHosts chosen) {
    return chosen.hosts().stream().map(Host::mac).collect(Collectors.toSet());
  }

  @Test
  void ofAPortWithTooManyTheFirstSeenAreTakenInWhateverOrderTheyAreKnown() {
    List<Host> known = new ArrayList<>();
    for (int number = 1; number <= 50; number++) {
      known.add(host(number, 1, 1_000 - number / 2));
    }
    known.add(host(99, 2, 5_000));
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(known, new Random(seed));
      LedHosts chosen = LedHosts.of(known, 3, Map.of());
      assertThat(macs(chosen)).containsExactlyInAnyOrder(mac(50), mac(48), mac(49), mac(99));
      assertThat(chosen.crowded()).containsExactly(Map.entry(PORT, 50));
      assertThat(chosen.surplus()).hasSize(47).doesNotContainAnyElementsOf(chosen.hosts());
    }
  }

  @Test
  void whoMakesUpVlansOfItsAddressPushesNobodyOut() {
    List<Host> known = new ArrayList<>(List.of(host(1, 1, 50), host(2, 1, 90)));
    for (short vlan = 1; vlan <= 40; vlan++) {
      known.add(host(1, VlanId.vlanId(vlan), 1, vlan));
    }
    LedHosts chosen = LedHosts.of(known, 3, Map.of(mac(1), PORT, mac(2), PORT));
    assertThat(macs(chosen)).containsExactlyInAnyOrder(mac(1), mac(2));
    assertThat(chosen.surplus()).hasSize(39);
  }

  @Test
  void whoSaysToHaveMoreAddressesThanAHostHasIsNotKept() {
    Host greedy = host(1, false, LedHosts.MOST_ADDRESSES + 1);
    Host rich = host(2, false, LedHosts.MOST_ADDRESSES);
    Host told = host(3, true, LedHosts.MOST_ADDRESSES + 1);
    LedHosts chosen = LedHosts.of(List.of(greedy, rich, told), 9, Map.of());
    assertThat(chosen.surplus()).containsExactly(greedy);
    assertThat(chosen.hosts()).containsExactlyInAnyOrder(rich, told);
  }

  @Test
  void ofWhomAnOperatorHasToldIsKeptWithoutRules() {
    LedHosts chosen = LedHosts.of(List.of(host(1, 1, 1), host(2, true, 1)), 1, Map.of());
    assertThat(chosen.hosts()).hasSize(1);
    assertThat(chosen.surplus()).noneMatch(Host::configured);
  }

  private static Host host(int number, boolean isConfigured, int addresses) {
    return new DefaultHost(
        ProviderId.NONE,
        HostId.hostId(mac(number)),
        mac(number),
        VlanId.NONE,
        Set.of(new HostLocation(PORT.deviceId(), PORT.port(), number)),
        IntStream.range(0, addresses)
            .mapToObj(each -> IpAddress.valueOf(0x0a000000 + each))
            .collect(Collectors.toSet()),
        isConfigured);
  }

  @Test
  void whoIsLedToStaysUnlessItHasMoved() {
    List<Host> known = List.of(host(1, 1, 9), host(2, 1, 1), host(3, 1, 2), host(4, 1, 8));
    ConnectPoint elsewhere = ConnectPoint.deviceConnectPoint("of:1/2");
    LedHosts chosen = LedHosts.of(known, 2, Map.of(mac(1), PORT, mac(4), elsewhere));
    assertThat(macs(chosen)).containsExactlyInAnyOrder(mac(1), mac(2));
  }

  @Test
  void aPortWithAsManyAsItMayHaveIsNotCrowded() {
    LedHosts chosen = LedHosts.of(List.of(host(1, 1, 1), host(2, 1, 1)), 2, Map.of());
    assertThat(chosen.hosts()).hasSize(2);
    assertThat(chosen.crowded()).isEmpty();
  }

  @Test
  void ofTwoWithOneAddressTheOneSeenLastIsTaken() {
    Host last = host(1, VlanId.vlanId((short) 7), 2, 5);
    assertThat(LedHosts.of(List.of(last, host(1, 1, 4)), 9, Map.of()).hosts())
        .containsExactly(last);
    assertThat(LedHosts.of(List.of(host(1, 1, 4), last), 9, Map.of()).hosts())
        .containsExactly(last);
  }

  @Test
  void aHostWhoseSwitchHasLeftIsNotAmongThem() {
    Host nowhere =
        new DefaultHost(
            ProviderId.NONE, HostId.hostId(mac(1)), mac(1), VlanId.NONE, Set.of(), Set.of(), false);
    assertThat(LedHosts.of(List.of(nowhere), 9, Map.of()).hosts()).isEmpty();
  }
}
