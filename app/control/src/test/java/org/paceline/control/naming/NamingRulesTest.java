package org.paceline.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.IpAddress;

final class NamingRulesTest {
  private static final String PHONE = "00:1b:54:00:00:01";
  private static final int SOME = 400;

  @Test
  void theFirstRuleThatMatchesDecides() {
    NamingRules rules =
        rules(
            rule("calls", "voip", Map.of("protocol", "udp", "remotePort", "5000-5009")),
            rule("rest", "bulk", Map.of()));
    assertThat(named(rules, packet(Transport.UDP, 1, 5_009, 0))).contains("calls");
    assertThat(named(rules, packet(Transport.UDP, 1, 5_010, 0))).contains("rest");
    assertThat(named(rules, packet(Transport.TCP, 1, 5_000, 0))).contains("rest");
  }

  @Test
  void whatNoRuleMatchesAndWhatOneIgnoresIsLeftAlone() {
    NamingRules rules =
        rules(
            Map.of("name", "not", "ignore", true, "match", Map.of("remotePort", 22)),
            rule("tcp", "bulk", Map.of("protocol", "tcp")));
    assertThat(rules.name(packet(Transport.TCP, 1, 22, 0))).isEmpty();
    assertThat(rules.name(packet(Transport.UDP, 1, 80, 0))).isEmpty();
    assertThat(named(rules, packet(Transport.TCP, 1, 80, 0))).contains("tcp");
  }

  @Test
  void phonesAreNamedByAListAddressesByASetAndMarksByTheirNames() {
    NamingRules rules =
        NamingDocument.read(
            Map.of(
                "macs",
                Map.of("phones", List.of("00-1B-54", Map.of("mac", "aabb.ccdd.eeff", "name", "x"))),
                "addresses",
                Map.of("servers", List.of("10.0.1.0/24", "2001:db8::/32")),
                "rules",
                List.of(
                    rule("phones", "voip", Map.of("localMac", "@phones")),
                    rule("servers", "web", Map.of("remoteAddress", List.of("@servers"))),
                    rule("marked", "voip", Map.of("dscp", "ef")),
                    rule("guests", "web", Map.of("vlan", 30)))));
    PacketFacts.Builder any = builder(Transport.UDP, 1, 2, 0);
    assertThat(named(rules, any.from("AA:BB:CC:DD:EE:FF").build())).contains("phones");
    assertThat(named(rules, any.from(PHONE).build())).contains("phones");
    any.from("02:00:00:00:00:01");
    assertThat(named(rules, any.remote(address("10.0.1.77")).build())).contains("servers");
    assertThat(named(rules, any.remote(address("2001:db8::7")).build())).contains("servers");
    any.remote(address("10.0.9.9"));
    assertThat(named(rules, any.dscp(46).build())).contains("marked");
    assertThat(named(rules, any.dscp(0).vlan(Optional.of(30)).build())).contains("guests");
    assertThat(named(rules, any.vlan(Optional.of(31)).build())).isEmpty();
  }

  @Test
  void oneConversationTakesAllThatItsRuleNamesForCertain() {
    assertThat(packets(rule("all", "bulk", Map.of())))
        .isEqualTo(PacketMatch.of(Transport.ANY, 0, 0));
    assertThat(packets(rule("tcp", "bulk", Map.of("protocol", "tcp"))))
        .isEqualTo(PacketMatch.of(Transport.TCP, 0, 0));
    assertThat(packets(rule("web", "bulk", Map.of("remotePort", "80, 443"))))
        .isEqualTo(PacketMatch.of(Transport.TCP, 0, 80));
    assertThat(packets(rule("marked", "bulk", Map.of("dscp", 0))))
        .as("packets that are marked otherwise are not its")
        .isEqualTo(PacketMatch.of(Transport.TCP, 7, 80));
    Map<String, Object> each = rule("each", "bulk", Map.of());
    each.put("group", "socket");
    assertThat(packets(each)).isEqualTo(PacketMatch.of(Transport.TCP, 7, 80));
    assertThat(
            packets(
                rule("before", "voip", Map.of("remotePort", 5060)), rule("all", "bulk", Map.of())))
        .as("5060 is named by the rule before")
        .isEqualTo(PacketMatch.of(Transport.TCP, 0, 80));
  }

  @Test
  void whatOneBeforeItCoversNeverMatches() {
    NamingRules rules =
        rules(
            rule("udp", "voip", Map.of("protocol", "udp")),
            rule("some", "voip", Map.of("protocol", "udp", "remotePort", 5060)),
            rule("gone", "voip", Map.of("protocol", "tcp")));
    assertThat(rules.warnings(intent -> true)).hasSize(1).first().asString().contains("(some)");
    assertThat(rules.warnings(intent -> false)).hasSize(4);
  }

  /** By what is written, not by what was read: one rule after the other, each member by itself. */
  @Test
  void theFirstMatchIsThatOfABruteForce() {
    Random random = new Random(7);
    for (int round = 0; round < SOME; round++) {
      List<Map<String, Object>> list = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        list.add(rule("r" + i, "voip", someMatch(random)));
      }
      NamingRules rules = NamingDocument.read(Map.of("rules", list));
      assertThat(NamingDocument.read(NamingDocument.write(rules))).isEqualTo(rules);
      for (int p = 0; p < 20; p++) {
        PacketFacts packet =
            packet(
                random.nextBoolean() ? Transport.TCP : Transport.UDP,
                1 + random.nextInt(4),
                1 + random.nextInt(4),
                random.nextInt(2));
        Optional<String> first =
            list.stream()
                .filter(rule -> matches((Map<?, ?>) rule.getOrDefault("match", Map.of()), packet))
                .map(rule -> String.valueOf(rule.get("name")))
                .findFirst();
        Optional<NamingRules.Name> name = rules.name(packet);
        assertThat(name.map(found -> found.rule().name())).isEqualTo(first);
        name.ifPresent(found -> mustBeAlike(rules, packet, found));
        first.ifPresent(
            f ->
                assertThat(DetectionMatch.of(rules, PHONE, Set.of(packet.local())))
                    .as("the switch shows it")
                    .anyMatch(match -> shows(match, packet)));
      }
    }
  }

  /** Every packet that a conversation takes has its rule for the first. */
  private static void mustBeAlike(NamingRules rules, PacketFacts packet, NamingRules.Name name) {
    PacketMatch own = PacketMatch.of(packet.transport(), packet.localPort(), packet.remotePort());
    assertThat(name.packets().meets(own)).isTrue();
    if (name.packets().equals(own)) {
      return;
    }
    for (Transport transport : List.of(Transport.TCP, Transport.UDP)) {
      for (int local = 1; local < 5; local++) {
        for (int remote = 1; remote < 5; remote++) {
          for (int dscp = 0; dscp < 2; dscp++) {
            PacketMatch one = PacketMatch.of(transport, local, remote);
            if (name.packets().meets(one)) {
              assertThat(named(rules, packet(transport, local, remote, dscp)))
                  .contains(name.rule().name());
            }
          }
        }
      }
    }
  }

  private static boolean shows(DetectionMatch match, PacketFacts packet) {
    return match.isIpv4()
        && (match.transport() == Transport.ANY || match.transport() == packet.transport())
        && match.remote().map(prefix -> prefix.contains(packet.remote())).orElse(true)
        && (match.localPort() == 0 || match.localPort() == packet.localPort())
        && (match.remotePort() == 0 || match.remotePort() == packet.remotePort());
  }

  private static Map<String, Object> someMatch(Random random) {
    Map<String, Object> match = new LinkedHashMap<>();
    if (random.nextInt(2) == 0) {
      match.put("protocol", random.nextBoolean() ? "tcp" : "udp");
    }
    if (random.nextInt(3) == 0) {
      match.put("localPort", "" + (1 + random.nextInt(2)) + "-" + (3 + random.nextInt(2)));
    }
    if (random.nextInt(2) == 0) {
      match.put("remotePort", (1 + random.nextInt(2)) + ", " + (3 + random.nextInt(2)));
    }
    if (random.nextInt(4) == 0) {
      match.put("dscp", random.nextInt(2));
    }
    if (random.nextInt(4) == 0) {
      match.put("remoteAddress", random.nextBoolean() ? "10.0.9.0/24" : "10.0.8.0/24");
    }
    return match;
  }

  private static boolean matches(Map<?, ?> match, PacketFacts packet) {
    boolean matches = true;
    for (Map.Entry<?, ?> one : match.entrySet()) {
      String wanted = String.valueOf(one.getValue());
      switch (String.valueOf(one.getKey())) {
        case "protocol":
          matches &= packet.transport().name().equalsIgnoreCase(wanted);
          break;
        case "localPort":
          String[] ends = wanted.split("-", -1);
          matches &=
              packet.localPort() >= Integer.parseInt(ends[0])
                  && packet.localPort() <= Integer.parseInt(ends[1]);
          break;
        case "remotePort":
          matches &= List.of(wanted.split(", ", -1)).contains("" + packet.remotePort());
          break;
        case "dscp":
          matches &= wanted.equals("" + packet.dscp());
          break;
        case "remoteAddress":
          matches &= packet.remoteAddress().startsWith(wanted.substring(0, 7));
          break;
        default:
          throw new AssertionError(one);
      }
    }
    return matches;
  }

  @Test
  void everyFaultIsNamedWithItsPlace() {
    Map<String, Object> bad = rule("a", "voip", Map.of("remotePort", "9-3", "protocol", "icmp"));
    assertThatThrownBy(
            () ->
                NamingDocument.read(
                    Map.of(
                        "rules",
                        List.of(
                            bad,
                            rule("b c", "voip", Map.of("localMac", "zz")),
                            rule("same", "voip", Map.of()),
                            rule("same", "voip", Map.of()),
                            Map.of("name", "d")))))
        .hasMessageContainingAll(
            "rule 1: The ports (9-3) must rise",
            "rule 1: The protocol (icmp) is unknown",
            "rule 2: The name of a rule (b c)",
            "rule 2: The MAC address (zz)",
            "rule 4: There is a rule (same) before it",
            "rule 5: A rule gives an intent or says (ignore: true)");
    assertThatThrownBy(() -> NamingDocument.read(List.of())).hasMessageContaining("an object");
    assertThatThrownBy(() -> NamingDocument.read(Map.of())).hasMessageContaining("(rules)");
  }

  @Test
  void anExportOfPhonesIsReadWithItsNamesAndAHeading() {
    List<MacPrefix> phones =
        MacListFile.read("MAC;Name\n\"00:1B:54:00:00:01\";\"desk 12\";x\r\n001b54000002\n\n");
    assertThat(phones).extracting(MacPrefix::prefix).containsExactly(PHONE, "00:1b:54:00:00:02");
    assertThat(phones.get(0).name()).isEqualTo("desk 12");
    assertThatThrownBy(() -> MacListFile.read("00:1b:54:00:00:01\nx,y\n"))
        .hasMessageContaining("line 2: The MAC address (x)");
    NamingRules with = NamingRules.NONE.withMacs("phones", phones);
    assertThat(with.macs()).containsEntry("phones", phones);
  }

  private static PacketMatch packets(Map<?, ?>... rules) {
    return rules(rules).name(packet(Transport.TCP, 7, 80, 0)).orElseThrow().packets();
  }

  private static NamingRules rules(Map<?, ?>... rules) {
    return NamingDocument.read(Map.of("rules", List.of(rules)));
  }

  private static Map<String, Object> rule(String name, String intent, Map<String, ?> match) {
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("name", name);
    rule.put("intent", intent);
    rule.put("match", match);
    return rule;
  }

  private static Optional<String> named(NamingRules rules, PacketFacts packet) {
    return rules.name(packet).map(name -> name.rule().name());
  }

  private static PacketFacts packet(Transport transport, int local, int remote, int dscp) {
    return builder(transport, local, remote, dscp).build();
  }

  private static PacketFacts.Builder builder(Transport transport, int local, int remote, int dscp) {
    return PacketFacts.builder()
        .from(PHONE)
        .local(address("10.0.0.1"))
        .remote(address("10.0.9.2"))
        .transport(transport)
        .localPort(local)
        .remotePort(remote)
        .dscp(dscp);
  }

  private static InetAddress address(String text) {
    return IpAddress.parse(text).toInetAddress();
  }
}
