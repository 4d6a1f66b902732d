package org.paceline.agent.netns;

import java.util.ArrayList;
import java.util.List;

/** A port as agents divided it before control frames had a class: 30 to 20 of 50 Mbit/s. */
final class EarlierPort {
  private static final int LANES = 16;
  private static final String REST = " burst 6250 cburst 6250 overhead 24 quantum 1514 prio ";

  private EarlierPort() {}

  /** In tc's words, a line each. */
  static String of(String port) {
    String add = " add dev " + port + " parent ace1:";
    List<String> lines = new ArrayList<>();
    lines.add("qdisc add dev " + port + " root handle ace1: htb default 0");
    lines.add("class" + add + " classid ace1:1 htb rate 50mbit ceil 50mbit" + REST + "0");
    lines.add("class" + add + "1 classid ace1:2 htb rate 30mbit ceil 50mbit" + REST + "1");
    lines.add("class" + add + "1 classid ace1:3 htb rate 20mbit ceil 50mbit" + REST + "0");
    lines.add("qdisc" + add + "3 bfifo limit 125000");
    for (int lane = LANES; lane < 2 * LANES; lane++) {
      String minor = Integer.toHexString(lane);
      lines.add("class" + add + "2 classid ace1:" + minor + " htb rate 8kbit ceil 400gbit prio 1");
      lines.add("qdisc" + add + minor + " bfifo limit 187500");
    }
    for (String kind : new String[] {" protocol ip prio 1 4", " protocol ipv6 prio 2 6"}) {
      String table = kind.substring(kind.length() - 1);
      String filter = "filter" + add + kind.substring(0, kind.length() - 1);
      lines.add(filter + "handle " + table + ": u32 divisor " + LANES);
      for (int lane = 0; lane < LANES; lane++) {
        lines.add(
            String.format(
                "%su32 ht %s:%x: match u32 0 0 flowid ace1:%x", filter, table, lane, LANES + lane));
      }
    }
    String filter = "filter" + add + " protocol ";
    String lanes = " 0xfc hashkey mask 0x001e0000 at ";
    lines.add(filter + "all prio 3 u32 match u32 0 0 flowid ace1:3");
    lines.add(filter + "ip prio 1 u32 match ip dsfield 0x28" + lanes + "20 link 4:");
    lines.add(filter + "ipv6 prio 2 u32 match ip6 priority 0x28" + lanes + "40 link 6:");
    return String.join("\n", lines) + "\n";
  }
}
