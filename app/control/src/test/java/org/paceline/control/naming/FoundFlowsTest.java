package org.paceline.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.tree.TrafficDirection;

final class FoundFlowsTest {
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final Map<String, Object> NAME_SERVICE =
      Map.of("name", "dns", "intent", "web", "match", Map.of("protocol", "udp", "remotePort", 53));

  private final ManualWorker time = new ManualWorker();
  private final Map<ConversationId, Conversation> open = new TreeMap<>();
  private final List<ConversationId> ended = new ArrayList<>();
  private final FoundFlows found =
      new FoundFlows(
          time,
          time,
          new FoundFlows.Owner() {
            @Override
            public void opened(Conversation conversation) {
              open.put(conversation.id(), conversation);
            }

            @Override
            public void closed(Collection<ConversationId> ids) {
              open.keySet().removeAll(ids);
              ended.addAll(ids);
            }
          });

  @Test
  void aPacketThatARuleNamesOpensAConversationOfItsHosts() {
    found.goBy(rules("udp", "voip/g729.1", "address"));
    assertThat(found.seen(packet("10.0.0.1", 5, 6))).isEqualTo(FoundFlows.Outcome.NAMED);
    Conversation one = only();
    assertThat(one.id()).isEqualTo(ConversationId.parse("found/udp/10.0.0.1-10.0.9.2"));
    assertThat(one.namedBy()).isEqualTo("udp");
    assertThat(one.intent()).isEqualTo("voip/g729.1");
    assertThat(one.enforcement()).isEqualTo(Enforcement.FIRST_HOP);
    assertThat(found.seen(packet("10.0.0.1", 7, 8))).isEqualTo(FoundFlows.Outcome.NAMED);
    assertThat(open).as("all of UDP between the two is one").hasSize(1);
    assertThat(found.count()).isEqualTo(1);
  }

  @Test
  void whatNoRuleNamesOpensNone() {
    found.goBy(rules("tcp", "voip", "address", "protocol", "tcp"));
    assertThat(found.seen(packet("10.0.0.1", 5, 6))).isEqualTo(FoundFlows.Outcome.UNNAMED);
    assertThat(open).isEmpty();
  }

  @Test
  void eachSocketHasItsOwnWhereTheRuleSaysSo() {
    found.goBy(rules("udp", "voip", "socket"));
    found.seen(packet("10.0.0.1", 5, 6));
    found.seen(packet("10.0.0.1", 7, 6));
    assertThat(open).hasSize(2);
  }

  @Test
  void itIsOverWhenNothingWasCountedForSoLongAndNotInAPause() {
    found.goBy(rules("udp", "voip", "address"));
    found.seen(packet("10.0.0.1", 5, 6));
    ConversationId id = only().id();
    count(id, 10);
    time.pass(Duration.ofSeconds(50));
    count(id, 10);
    found.expire(IDLE);
    assertThat(open).hasSize(1);
    count(id, 11);
    time.pass(Duration.ofSeconds(50));
    found.expire(IDLE);
    assertThat(open).as("50 s after the last packet").hasSize(1);
    // Its rule was written again, and counts from 0.
    count(id, 0);
    time.pass(Duration.ofSeconds(11));
    found.expire(IDLE);
    assertThat(open).isEmpty();
    assertThat(ended).containsExactly(id);
    assertThat(found.seen(packet("10.0.0.1", 5, 6))).isEqualTo(FoundFlows.Outcome.NAMED);
    assertThat(open).as("the next packet is found again").hasSize(1);
  }

  @Test
  void aClockThatIsSteppedEndsNoneAndKeepsNoneThatIsOver() {
    found.goBy(rules("udp", "voip", "address"));
    found.seen(packet("10.0.0.1", 5, 6));
    time.step(Duration.ofHours(2));
    found.expire(IDLE);
    assertThat(open).hasSize(1);
    time.step(Duration.ofHours(-4));
    time.pass(IDLE.plusSeconds(1));
    found.expire(IDLE);
    assertThat(open).isEmpty();
  }

  @Test
  void packetsAfterItsRuleWasWrittenAgainCount() {
    found.goBy(rules("udp", "voip", "address"));
    found.seen(packet("10.0.0.1", 5, 6));
    count(only().id(), 100);
    time.pass(Duration.ofSeconds(59));
    count(only().id(), 3);
    time.pass(Duration.ofSeconds(59));
    found.expire(IDLE);
    assertThat(open).hasSize(1);
  }

  @Test
  void aScanOpensNoMoreThanASenderMayHaveAndTakesNothingFromOthers() {
    found.goBy(rules("udp", "voip", "socket"));
    for (int port = 1; port <= 1_000; port++) {
      found.seen(packet("10.0.0.1", 9, port));
    }
    assertThat(open).hasSize(FoundFlows.MOST_OF_A_SENDER);
    assertThat(found.turnedAway()).containsOnlyKeys("10.0.0.1");
    assertThat(found.seen(packet("10.0.0.2", 9, 1))).isEqualTo(FoundFlows.Outcome.NAMED);
    time.pass(IDLE.plusSeconds(1));
    found.expire(IDLE);
    assertThat(found.seen(packet("10.0.0.1", 9, 1))).isEqualTo(FoundFlows.Outcome.NAMED);
  }

  @Test
  void allTogetherAreBounded() {
    found.goBy(rules("udp", "voip", "socket"));
    for (int host = 0; host < 100; host++) {
      for (int port = 1; port <= FoundFlows.MOST_OF_A_SENDER; port++) {
        found.seen(packet("10.0.0." + host, 9, port));
      }
    }
    assertThat(open).hasSize(FoundFlows.MOST_IN_ALL);
  }

  @Test
  void flowsThatCannotBeToldTogetherAreMatchesOfOneConversationAndBounded() {
    found.goBy(rules("marked", "voip", "address", "dscp", "CS0"));
    for (int port = 1; port <= 100; port++) {
      found.seen(packet("10.0.0.1", port, 6));
    }
    assertThat(only().matches()).hasSize(FoundFlows.MOST_FLOWS_OF_A_CONVERSATION);
  }

  @Test
  void anotherListRenamesAtOnceAndTheSameLeavesAllAsTheyAre() {
    found.goBy(rules("udp", "voip", "address"));
    found.seen(packet("10.0.0.1", 5, 6));
    found.goBy(rules("udp", "voip", "address"));
    assertThat(ended).isEmpty();
    found.goBy(rules("other", "web", "address"));
    assertThat(only().namedBy()).isEqualTo("other");
    assertThat(ended).hasSize(1);
    found.goBy(NamingRules.NONE);
    assertThat(open).isEmpty();
  }

  /** What goes to one port is taken together there, for an earlier rule takes port 53. */
  @Test
  void aPortForWhichNoRuleAsksNeedNotBeTheServers() {
    found.goBy(NamingDocument.read(Map.of("rules", List.of(NAME_SERVICE, site(Map.of())))));
    found.seen(packet("10.0.0.1", 443, 50_000));
    found.seen(packet("10.0.0.2", 50_000, 443));
    found.seen(packet("10.0.0.3", 40_000, 50_000));
    assertThat(of("10.0.0.1").matches()).containsExactly(PacketMatch.of(Transport.UDP, 0, 50_000));
    assertThat(of("10.0.0.1").direction()).isEqualTo(TrafficDirection.DOWNLOAD);
    assertThat(of("10.0.0.2").direction()).isEqualTo(TrafficDirection.UPLOAD);
    assertThat(of("10.0.0.3").direction()).isEqualTo(TrafficDirection.UNKNOWN);
    // The same packets, but now the rule says that this is the server's port.
    Map<String, Object> asks = site(Map.of("remotePort", 50_000));
    found.goBy(NamingDocument.read(Map.of("rules", List.of(NAME_SERVICE, asks))));
    assertThat(of("10.0.0.1").direction()).isEqualTo(TrafficDirection.UPLOAD);
    assertThat(of("10.0.0.3").direction()).isEqualTo(TrafficDirection.UPLOAD);
  }

  @Test
  void whatIsOfAllPortsHasNoDirection() {
    found.goBy(rules("udp", "voip", "address"));
    found.seen(packet("10.0.0.1", 443, 50_000));
    assertThat(only().direction()).isEqualTo(TrafficDirection.UNKNOWN);
  }

  @Test
  void whoGetsAnAgentIsLeftToIt() {
    found.goBy(rules("udp", "voip", "address"));
    found.seen(packet("10.0.0.1", 5, 6));
    found.seen(packet("10.0.0.2", 5, 6));
    found.leaveToAgents(Set.of("10.0.0.1"));
    assertThat(only().localAddress()).isEqualTo("10.0.0.2");
  }

  private void count(ConversationId id, long packets) {
    found.counted(Map.of(id, packets));
  }

  private Conversation only() {
    assertThat(open).hasSize(1);
    return open.values().iterator().next();
  }

  private Conversation of(String sender) {
    return open.values().stream()
        .filter(one -> one.localAddress().equals(sender))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> site(Map<String, Object> asked) {
    Map<String, Object> match = new TreeMap<>(asked);
    match.put("protocol", "udp");
    return Map.of("name", "site", "intent", "web", "match", match);
  }

  private static NamingRules rules(String name, String intent, String group, String... match) {
    Map<String, String> asked =
        match.length == 0 ? Map.of("protocol", "udp") : Map.of(match[0], match[1]);
    return NamingDocument.read(
        Map.of(
            "rules",
            List.of(Map.of("name", name, "intent", intent, "group", group, "match", asked))));
  }

  private static PacketFacts packet(String from, int local, int remote) {
    return PacketFacts.builder()
        .from(String.format("02:00:00:00:00:%02x", Integer.parseInt(from.substring(7))))
        .local(IpAddress.parse(from).toInetAddress())
        .remote(IpAddress.parse("10.0.9.2").toInetAddress())
        .transport(Transport.UDP)
        .localPort(local)
        .remotePort(remote)
        .build();
  }
}
