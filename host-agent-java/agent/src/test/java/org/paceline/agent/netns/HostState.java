package org.paceline.agent.netns;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an agent could have changed of a host, as the kernel shows it, without counters.
 *
 * @param interfaces settings, queues and filters by name
 * @param rest tables of nftables, named maps and programs, files below /run
 */
record HostState(Map<String, String> interfaces, String rest) {
  private static final String LIST = "ip -o link show | sed 's/^[0-9]*: \\([^@:]*\\).*/\\1/'";
  private static final String OF_ONE =
      "for way in ingress egress; do tc filter show dev $at $way 2>/dev/null; done;"
          + " tc qdisc show dev $at | sed 's/ refcnt.*//';"
          + " ip -d link show dev $at | grep -oE '(gso_max_s[a-z]*|group|mtu) [^ ]+'";
  private static final String REST =
      "nft list ruleset; at=$(readlink /proc/self/ns/net | tr -dc 0-9);"
          + " ls -d /run/paceline*$at* /sys/fs/bpf/paceline*$at* 2>/dev/null; true";

  static HostState of(TwoHosts hosts) throws IOException, InterruptedException {
    Map<String, String> interfaces = new TreeMap<>();
    for (String name : hosts.onSender("sh", "-c", LIST).lines().toList()) {
      interfaces.put(name, hosts.onSender("sh", "-c", "at=" + name + "; " + OF_ONE));
    }
    return new HostState(interfaces, hosts.onSender("sh", "-c", REST));
  }

  /**
   * This as far as it can still be so: without interfaces that are not there any more, and with
   * what came meanwhile, unless an agent has made it.
   */
  HostState expected(HostState now) {
    Map<String, String> interfaces =
        now.interfaces.entrySet().stream()
            .filter(one -> !isAnAgents(one.getKey() + one.getValue()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    this.interfaces.forEach(interfaces::replace);
    return new HostState(new TreeMap<>(interfaces), rest);
  }

  private static boolean isAnAgents(String text) {
    return text.contains("paceline") || text.contains("ace1:");
  }
}
