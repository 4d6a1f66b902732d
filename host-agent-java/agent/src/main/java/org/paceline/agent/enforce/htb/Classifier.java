package org.paceline.agent.enforce.htb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.naming.AddressRange;
import org.paceline.agent.naming.AddressSet;
import org.paceline.agent.naming.Conditions;
import org.paceline.agent.naming.PortRanges;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.posix.Command;

/**
 * Sorts what this host sends into classes by one nftables table, so that a later socket of a known
 * conversation falls in its class with its first packet. A packet that no map knows waits in the
 * newcomers' class where the rules can tell from the packet alone that it will be managed, and the
 * first of its flow is marked for tracing, by which the agent hears of it.
 */
public final class Classifier {
  public static final String TABLE = "paceline";
  private static final String SPACE = "inet " + TABLE;
  private static final String EXACT4 = "meta l4proto . ip saddr . th sport . ip daddr . th dport";
  private static final String EXACT6 = "meta l4proto . ip6 saddr . th sport . ip6 daddr . th dport";

  private Classifier() {}

  /** In one transaction, so that no packet meets a table without its element. */
  static void install(Collection<String> devices, RuleSet rules, Map<ClassKey, Integer> elements)
      throws IOException {
    StringBuilder script = new StringBuilder(table(devices, rules));
    elements.forEach(
        (key, minor) ->
            script.append(
                String.format(
                    "add element %s %s { %s : %s }%n",
                    SPACE, key.map(), key.element(), ClassIds.text(minor))));
    Command.Outcome outcome = Command.feed(script.toString(), "nft", "-f", "-");
    if (!outcome.ok()) {
      throw new IOException("nft refused: " + outcome.output().trim());
    }
  }

  public static String table(Collection<String> devices, RuleSet rules) {
    String names = devices.stream().map(d -> '"' + d + '"').collect(Collectors.joining(", "));
    return "table "
        + SPACE
        + "\n"
        + "delete table "
        + SPACE
        + "\n"
        + "table "
        + SPACE
        + " {\n"
        + family("4", "ipv4_addr")
        + family("6", "ipv6_addr")
        + "chain newcomers {\n"
        + newcomers(rules)
        + "}\n"
        + "chain out {\n"
        + "type filter hook output priority mangle; policy accept;\n"
        + "oifname != { "
        + names
        + " } accept\n"
        + "meta l4proto != { tcp, udp } accept\n"
        + lookups("4", "ip", EXACT4)
        + lookups("6", "ip6", EXACT6)
        + "meta priority & 0xffff0000 == 0x"
        + ClassIds.MAJOR_TEXT
        + "0000 accept\n"
        + "jump newcomers\n"
        + firstPacket("4", EXACT4)
        + firstPacket("6", EXACT6)
        + "meta nftrace set 0\n"
        + "}\n"
        + "}\n";
  }

  private static String family(String suffix, String address) {
    String exact = "inet_proto . " + address + " . inet_service . " + address + " . inet_service";
    return "map remote"
        + suffix
        + " { type inet_proto . "
        + address
        + " . "
        + address
        + " . inet_service : classid; }\n"
        + "map local"
        + suffix
        + " { type inet_proto . "
        + address
        + " . inet_service . "
        + address
        + " : classid; }\n"
        + "map exact"
        + suffix
        + " { type "
        + exact
        + " : classid; }\n"
        // Each flow is announced once, and again when it was quiet for a minute.
        + "set seen"
        + suffix
        + " { type "
        + exact
        + "; flags dynamic,timeout; timeout 60s; size 65535; }\n";
  }

  /** The surer a map is, the later it is asked: the last answer stays. */
  private static String lookups(String suffix, String ip, String exact) {
    return "meta priority set meta l4proto . "
        + ip
        + " saddr . "
        + ip
        + " daddr . th dport map @remote"
        + suffix
        + "\n"
        + "meta priority set meta l4proto . "
        + ip
        + " saddr . th sport . "
        + ip
        + " daddr map @local"
        + suffix
        + "\n"
        + "meta priority set "
        + exact
        + " map @exact"
        + suffix
        + "\n";
  }

  private static String firstPacket(String suffix, String exact) {
    return exact
        + " @seen"
        + suffix
        + " accept\n"
        // Bounded: what is beyond is found by the next scan.
        + "meta nfproto ipv"
        + suffix
        + " limit rate 2000/second add @seen"
        + suffix
        + " { "
        + exact
        + " } meta nftrace set 1\n";
  }

  private static String newcomers(RuleSet rules) {
    StringBuilder chain = new StringBuilder();
    for (Rule rule : rules.aboutNewcomers()) {
      addresses(rule.conditions()).forEach(a -> chain.append(a).append(line(rule)));
    }
    return chain.toString();
  }

  private static String line(Rule rule) {
    Conditions c = rule.conditions();
    return c.protocol().map(p -> "meta l4proto " + p.text() + " ").orElse("")
        + ports("sport", c.localPort())
        + ports("dport", c.remotePort())
        + rule.intent()
            .map(intent -> "meta priority set " + ClassIds.text(ClassIds.NEWCOMERS) + " ")
            .orElse("")
        + "return\n";
  }

  /** What asks for them, a line for each version of IP that has some. */
  private static List<String> addresses(Conditions conditions) {
    if (conditions.localAddress().isEmpty() && conditions.remoteAddress().isEmpty()) {
      return List.of("");
    }
    List<String> lines = new ArrayList<>();
    for (boolean ipv4 : new boolean[] {true, false}) {
      Optional<String> local = address(ipv4, "saddr", conditions.localAddress());
      Optional<String> remote = address(ipv4, "daddr", conditions.remoteAddress());
      local.ifPresent(l -> remote.ifPresent(r -> lines.add(l + r)));
    }
    return lines;
  }

  /** Empty where no address of this version can be in it. */
  private static Optional<String> address(boolean ipv4, String side, Optional<AddressSet> set) {
    if (set.isEmpty()) {
      return Optional.of("");
    }
    List<AddressRange> ranges = set.get().ranges(ipv4);
    return ranges.isEmpty()
        ? Optional.empty()
        : Optional.of((ipv4 ? "ip " : "ip6 ") + side + " { " + new AddressSet(ranges) + " } ");
  }

  private static String ports(String side, Optional<PortRanges> ports) {
    return ports.map(p -> "th " + side + " { " + p + " } ").orElse("");
  }
}
