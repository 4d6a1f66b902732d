package org.paceline.agent.enforce.ingress;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.htb.Classifier;
import org.paceline.agent.posix.Command;

/**
 * Sends what these interfaces receive for a known conversation through the {@link IngressShaper}'
 * device, by one nftables table at ingress; what no map knows goes on as if there was no agent.
 * Later fragments bear no ports, and are not known.
 */
public final class IngressTable {
  static final String SPACE = "netdev " + Classifier.TABLE;

  private IngressTable() {}

  /** Without any element. */
  static String hung(Collection<String> interfaces, String device) {
    StringBuilder script = new StringBuilder("add table " + SPACE + "\n");
    script.append(maps("4", "ipv4_addr")).append(maps("6", "ipv6_addr"));
    if (interfaces.isEmpty()) {
      return script.toString();
    }
    script.append("add chain ").append(SPACE).append(" in { type filter hook ingress devices = { ");
    script.append(interfaces.stream().map(i -> '"' + i + '"').collect(Collectors.joining(", ")));
    script.append(" } priority 0; }\n");
    rule(script, "meta l4proto != { tcp, udp } accept");
    lookups(script, "4", "ip");
    lookups(script, "6", "ip6");
    rule(
        script,
        "meta priority & 0xffff0000 == 0x" + ClassIds.MAJOR_TEXT + "0000 fwd to \"" + device + '"');
    return script.toString();
  }

  private static String maps(String suffix, String address) {
    String local = "inet_proto . " + address + " . inet_service . " + address;
    return map("remote" + suffix, "inet_proto . " + address + " . " + address + " . inet_service")
        + map("local" + suffix, local)
        + map("exact" + suffix, local + " . inet_service");
  }

  private static String map(String name, String type) {
    return "add map " + SPACE + ' ' + name + " { type " + type + " : classid; }\n";
  }

  /** The surer a map is, the later it is asked: the last answer stays. */
  private static void lookups(StringBuilder script, String suffix, String ip) {
    String to = "meta priority set meta l4proto . " + ip + " daddr . ";
    rule(script, to + ip + " saddr . th sport map @remote" + suffix);
    rule(script, to + "th dport . " + ip + " saddr map @local" + suffix);
    rule(script, to + "th dport . " + ip + " saddr . th sport map @exact" + suffix);
  }

  private static void rule(StringBuilder script, String rule) {
    script.append("add rule ").append(SPACE).append(" in ").append(rule).append('\n');
  }

  /** Anew, with these in its maps and no others, in one transaction. */
  static String anew(Collection<String> interfaces, String device, Map<ClassKey, Integer> keys) {
    StringBuilder script =
        new StringBuilder("add table " + SPACE + "\ndelete table " + SPACE + '\n');
    script.append(hung(interfaces, device));
    keys.forEach(
        (key, minor) ->
            script.append(
                String.format(
                    "add element %s %s { %s : %s }%n",
                    SPACE, key.map(), key.element(), ClassIds.text(minor))));
    return script.toString();
  }

  static void load(String script) throws IOException {
    Command.Outcome outcome = Command.feed(script, "nft", "-f", "-");
    if (!outcome.ok()) {
      throw new IOException("nft refused: " + outcome.output().trim());
    }
  }
}
