package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.provider.ProviderId;

final class DestinationRulesTest {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");

  @Test
  void packetsTakeTheWayOfLeastDelayEvenIfItHasMoreHops() {
    assertThat(ports(Map.of("1-3", 50, "1-2", 4, "2-3", 4)))
        .containsEntry("of:1", "2")
        .containsEntry("of:2", "3")
        .containsEntry("of:3", "9");
  }

  @Test
  void whereNoDelayIsKnownTheyTakeTheFewestHops() {
    assertThat(ports(Map.of())).containsEntry("of:1", "3").containsEntry("of:2", "3");
  }

  @Test
  void packetsThatTheirSenderMarkedAsManagedLoseTheMark() {
    List<FlowRule> unmarking =
        rules(Map.of(), 34).stream()
            .filter(rule -> rule.priority() == DestinationRules.PRIORITY + 1)
            .collect(Collectors.toList());
    assertThat(unmarking).as("of IPv4 and of IPv6").hasSize(6);
    for (FlowRule rule : unmarking) {
      assertThat(rule.selector().getCriterion(Criterion.Type.IP_DSCP))
          .isEqualTo(Criteria.matchIPDscp((byte) 34));
      assertThat(rule.treatment().allInstructions().get(0))
          .isEqualTo(Instructions.modIpDscp((byte) 0));
    }
  }

  /** Elephants have rules of their own; whoever marks its packets so is none. */
  @Test
  void packetsThatTheirSenderMarkedAsElephantsLoseTheMarkWhereHostsAre() {
    List<FlowRule> unmarking =
        rules(Map.of(), 34, 10, host()).stream()
            .filter(DestinationRules::isForwarding)
            .filter(rule -> Criteria.matchIPDscp((byte) 10).equals(dscp(rule)))
            .collect(Collectors.toList());
    assertThat(unmarking).as("of IPv4 and of IPv6").hasSize(2);
    for (FlowRule rule : unmarking) {
      assertThat(rule.deviceId()).isEqualTo(host().location().deviceId());
      assertThat(rule.priority()).isGreaterThan(DestinationRules.PRIORITY);
      assertThat(rule.treatment().allInstructions())
          .containsExactly(
              Instructions.modIpDscp((byte) 0),
              Instructions.createOutput(host().location().port()));
    }
    assertThat(rules(Map.of(), 0, 0, host())).noneMatch(rule -> dscp(rule) != null);
  }

  /** Whoever asks nobody for anything is at a port where ONOS knows no host. */
  @Test
  void soTheyDoWhereAPortIsForHostsThatNobodyKnows() {
    DeviceId silent = DeviceId.deviceId("of:2");
    assertThat(rules(Map.of(), 0, 10, host(), Set.of(silent)))
        .filteredOn(rule -> Criteria.matchIPDscp((byte) 10).equals(dscp(rule)))
        .extracting(FlowRule::deviceId)
        .containsOnly(silent, host().location().deviceId())
        .hasSize(4);
  }

  private static @Nullable Criterion dscp(FlowRule rule) {
    return rule.selector().getCriterion(Criterion.Type.IP_DSCP);
  }

  /** All ARP goes to the controller otherwise, whose rule for it is of priority 40000. */
  @Test
  void hostsThatAskEachOtherWhetherTheyAreStillThereNeedNoController() {
    List<FlowRule> asking =
        rules(Map.of(), 0).stream()
            .filter(rule -> rule.priority() > 40_000)
            .collect(Collectors.toList());
    assertThat(asking).hasSize(3);
    for (FlowRule rule : asking) {
      assertThat(rule.selector().getCriterion(Criterion.Type.ETH_TYPE))
          .isEqualTo(Criteria.matchEthType(Ethernet.TYPE_ARP));
      assertThat(rule.selector().getCriterion(Criterion.Type.ETH_DST))
          .isEqualTo(Criteria.matchEthDst(host().mac()));
      assertThat(rule.treatment().allInstructions())
          .as("and ONOS goes on to learn where hosts are")
          .contains(Instructions.createOutput(PortNumber.CONTROLLER))
          .hasSize(2);
    }
  }

  @Test
  void hostsWithIpv6AskAndAnswerEachOtherWithoutAController() {
    List<FlowRule> asking =
        rules(Map.of(), 0, host(IpAddress.valueOf("fd00::1"))).stream()
            .filter(rule -> rule.priority() > 40_000)
            .filter(rule -> rule.selector().getCriterion(Criterion.Type.ICMPV6_TYPE) != null)
            .collect(Collectors.toList());
    assertThat(asking).as("a question and an answer at each switch").hasSize(6);
    for (FlowRule rule : asking) {
      assertThat(rule.treatment().allInstructions())
          .contains(Instructions.createOutput(PortNumber.CONTROLLER))
          .hasSize(2);
    }
  }

  /** The port of each switch towards a host at the third of three that are linked in a ring. */
  private static Map<String, String> ports(Map<String, Integer> millis) {
    return rules(millis, 0).stream()
        .filter(rule -> rule.priority() == DestinationRules.PRIORITY)
        .collect(
            Collectors.toMap(
                rule -> rule.deviceId().toString(),
                rule ->
                    rule.treatment().allInstructions().get(0).toString().replace("OUTPUT:", "")));
  }

  private static Set<FlowRule> rules(Map<String, Integer> millis, int managedDscp) {
    return rules(millis, managedDscp, host());
  }

  private static Set<FlowRule> rules(Map<String, Integer> millis, int managedDscp, Host host) {
    return rules(millis, managedDscp, 0, host);
  }

  private static Set<FlowRule> rules(
      Map<String, Integer> millis, int managedDscp, int elephantDscp, Host host) {
    return rules(millis, managedDscp, elephantDscp, host, Set.of());
  }

  private static Set<FlowRule> rules(
      Map<String, Integer> millis,
      int managedDscp,
      int elephantDscp,
      Host host,
      Set<DeviceId> facingHosts) {
    List<Link> links = new ArrayList<>();
    for (String pair : List.of("1-2", "2-3", "1-3")) {
      String[] ends = pair.split("-", -1);
      links.add(link(ends[0], ends[1]));
      links.add(link(ends[1], ends[0]));
    }
    DestinationRules rules =
        new DestinationRules(
            APP,
            link ->
                1_000_000L
                    * millis.getOrDefault(
                        link.src().deviceId().toString().substring(3)
                            + "-"
                            + link.dst().deviceId().toString().substring(3),
                        0),
            () -> managedDscp,
            () -> elephantDscp,
            Set::of);
    return rules.destinations(links, List.of(host), () -> facingHosts).stream()
        .flatMap(to -> rules.of(to).values().stream())
        .flatMap(List::stream)
        .collect(Collectors.toSet());
  }

  private static Link link(String from, String to) {
    return DefaultLink.builder()
        .providerId(ProviderId.NONE)
        .src(ConnectPoint.deviceConnectPoint("of:" + from + "/" + to))
        .dst(ConnectPoint.deviceConnectPoint("of:" + to + "/" + from))
        .type(Link.Type.DIRECT)
        .build();
  }

  private static Host host(IpAddress... addresses) {
    return new DefaultHost(
        ProviderId.NONE,
        HostId.hostId("00:00:00:00:00:01/None"),
        MacAddress.valueOf("00:00:00:00:00:01"),
        VlanId.NONE,
        new HostLocation(DeviceId.deviceId("of:3"), PortNumber.portNumber(9), 0),
        Set.of(addresses));
  }
}
