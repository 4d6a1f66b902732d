package org.paceline.agent.ports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.paceline.agent.enforce.ClassIds;

/**
 * A divided port in tc's words: under HTB's root the port's class, and below it one for elephants,
 * one for others and one for control frames. Others have one queue. Elephants have lanes, each a
 * queue that some of their connections wait in, told by bits of the source port: lanes are served
 * in turn, a frame each, so that a connection far away gets as much as one that is near.
 *
 * <p>HTB serves classes that are within their rates before those that borrow, whatever the ratio of
 * what waits. As the two rates add up to the port's, each has its share, and what one leaves the
 * other sends.
 *
 * <p>Control frames are those by which switches and hosts find each other. Behind a flood they
 * would be dropped with it, and whoever waits for them would take the link for gone. Their small
 * rate is taken from others' share, so all three still add up to the port's.
 */
final class PortTree {
  static final int PORT = 1;
  static final int ELEPHANTS = 2;
  static final int OTHERS = 3;
  static final int CONTROL = 4;

  /**
   * The kinds of Ethernet's frames that are control: ARP, LLDP, the kind that ONOS looks for links
   * by behind switches of others (BDDP), and LACP's. What has a tag or a label is somebody's data.
   */
  static final List<String> CONTROL_KINDS = List.of("0x0806", "0x88cc", "0x8942", "0x8809");

  /** Of filters: elephants' come first, then a priority for each kind of control frames. */
  static final int FIRST_CONTROL_FILTER = 3;

  /** By which neighbours and routers of IPv6 find each other. */
  static final int NEIGHBOUR_FILTER = FIRST_CONTROL_FILTER + CONTROL_KINDS.size();

  static final int LAST_FILTER = NEIGHBOUR_FILTER + 1;

  /**
   * The types of ICMPv6 that are neighbour discovery, 133 to 137 (RFC 4861, section 4), each as
   * value and mask; with 132, which has another hop limit.
   */
  static final List<int[]> NEIGHBOUR_TYPES =
      List.of(new int[] {0x84, 0xfc}, new int[] {0x88, 0xfe});

  /** Behind a header without options, and in it: ICMPv6, of which no router has passed one on. */
  private static final String FROM_A_NEIGHBOUR =
      " match u8 0x%02x 0x%02x at 40 match u16 0x3aff 0xffff at 6";

  /** The first lane of elephants; one that ends in the same bits as another shares its lane. */
  static final int FIRST_LANE = 16;

  static final int LANES = 16;

  /**
   * Of the source port, but for its last bit: Linux gives connections of its own even ports only.
   */
  static final int LANE_MASK = 0x001e_0000;

  /** The tables of lanes, of IPv4 and of IPv6. */
  static final int LANES_4 = 4;

  static final int LANES_6 = 6;

  /** Where the source port is, behind a header without options. */
  private static final int SOURCE_PORT_4 = 20;

  private static final int SOURCE_PORT_6 = 40;

  /** So little that a lane lives on what it borrows from the elephants' class, never changed. */
  private static final long LANE_RATE = 8_000;

  private static final long LANE_CEILING = 400_000_000_000L;

  /** Of Ethernet: preamble 8, checksum 4, gap 12. */
  private static final int WIRE_BYTES = 24;

  /** A frame, so that neither waits for more than one of the other's. */
  private static final int TURN_BYTES = 1_514;

  /** What a late timer leaves beyond it is lost; what is within it waits at the wire. */
  private static final long LEAST_BURST_BYTES = 1_600;

  private static final long BURSTS_A_SECOND = 1_000;

  /** A few full frames must fit, however small the share. */
  private static final long LEAST_BUFFER_BYTES = 30_000;

  /** Two hundred frames of ARP, a burst of theirs; whoever floods with them loses them here. */
  static final long CONTROL_BUFFER_BYTES = 16_000;

  private static final double NANOS = 1e9;

  private PortTree() {}

  /** All of it, on a port that has nothing of ours. No queue ever holds a packet that it loses. */
  static String creation(String device, PortShares shares, Duration buffer) {
    List<String> lines = new ArrayList<>();
    // Until there are filters everything passes by the classes.
    lines.add(
        String.format("qdisc add dev %s root handle %s htb default 0", device, ClassIds.HANDLE));
    lines.addAll(classes("add", device, shares));
    lines.add(control("add", device, shares));
    for (int lane = 0; lane < LANES; lane++) {
      int minor = FIRST_LANE + lane;
      lines.add(one("add", device, "" + ELEPHANTS, minor, LANE_RATE, LANE_CEILING, 1));
    }
    lines.addAll(queues("add", device, shares, buffer));
    lines.add(controlQueue(device));
    lines.addAll(filters(device, shares.dscp()));
    return String.join("\n", lines) + "\n";
  }

  /** The same of what an agent of an earlier version left: it had no class for control frames. */
  static String completion(String device, PortShares shares, Duration buffer) {
    return control("add", device, shares)
        + "\n"
        + controlQueue(device)
        + "\n"
        + changeWithFilters(device, shares, buffer);
  }

  /** Other shares for what is there: classes and queues stay, with all that waits in them. */
  static String change(String device, PortShares shares, Duration buffer) {
    List<String> lines = new ArrayList<>(classes("change", device, shares));
    lines.add(control("change", device, shares));
    lines.addAll(queues("change", device, shares, buffer));
    return String.join("\n", lines) + "\n";
  }

  /** The same where elephants are told otherwise: meanwhile what comes passes by the classes. */
  static String changeWithFilters(String device, PortShares shares, Duration buffer) {
    return "filter del dev "
        + device
        + " parent "
        + ClassIds.HANDLE
        + "\n"
        + change(device, shares, buffer)
        + String.join("\n", filters(device, shares.dscp()))
        + "\n";
  }

  static String removal(String device) {
    return String.format("qdisc del dev %s root handle %s%n", device, ClassIds.HANDLE);
  }

  private static List<String> classes(String verb, String device, PortShares shares) {
    long all = shares.totalBitsPerSecond();
    return List.of(
        one(verb, device, "", PORT, all, all, 0),
        // Others come first where both are within their rates: few of them, and small.
        one(verb, device, "" + PORT, ELEPHANTS, shares.elephantsBitsPerSecond(), all, 1),
        one(verb, device, "" + PORT, OTHERS, shares.packetsOfOthersBitsPerSecond(), all, 0));
  }

  /** In turn with others, a frame each, while it is within its rate. */
  private static String control(String verb, String device, PortShares shares) {
    long all = shares.totalBitsPerSecond();
    return one(verb, device, "" + PORT, CONTROL, shares.controlBitsPerSecond(), all, 0);
  }

  private static String one(
      String verb, String device, String parent, int minor, long rate, long ceiling, int rank) {
    return String.format(
        "class %s dev %s parent %s%s classid %s htb rate %dbit ceil %dbit burst %d cburst %d"
            + " overhead %d quantum %d prio %d",
        verb,
        device,
        ClassIds.HANDLE,
        parent,
        ClassIds.text(minor),
        rate,
        ceiling,
        burst(rate),
        burst(ceiling),
        WIRE_BYTES,
        TURN_BYTES,
        rank);
  }

  private static long burst(long bitsPerSecond) {
    return Math.max(LEAST_BURST_BYTES, bitsPerSecond / Byte.SIZE / BURSTS_A_SECOND);
  }

  private static List<String> queues(
      String verb, String device, PortShares shares, Duration buffer) {
    List<String> lines = new ArrayList<>();
    lines.add(queue(verb, device, OTHERS, bufferBytes(shares.othersBitsPerSecond(), buffer)));
    // A lane alone may have all of the elephants' part.
    long most = bufferBytes(shares.elephantsBitsPerSecond(), buffer);
    for (int lane = 0; lane < LANES; lane++) {
      lines.add(queue(verb, device, FIRST_LANE + lane, most));
    }
    return lines;
  }

  private static String controlQueue(String device) {
    return queue("add", device, CONTROL, CONTROL_BUFFER_BYTES);
  }

  private static String queue(String verb, String device, int minor, long bytes) {
    return String.format(
        "qdisc %s dev %s parent %s bfifo limit %d", verb, device, ClassIds.text(minor), bytes);
  }

  /** What so much of the port sends in that time: so the port's buffer is divided as its rate. */
  static long bufferBytes(long bitsPerSecond, Duration buffer) {
    double bytes = (double) bitsPerSecond / Byte.SIZE * buffer.toNanos() / NANOS;
    return Math.min(Integer.MAX_VALUE, Math.max(LEAST_BUFFER_BYTES, (long) bytes));
  }

  private static List<String> filters(String device, int dscp) {
    List<String> lines = new ArrayList<>();
    String filter = "filter add dev " + device + " parent " + ClassIds.HANDLE + " protocol ";
    String ip = filter + "ip prio 1 ";
    String ip6 = filter + "ipv6 prio 2 ";
    lines.addAll(lanes(ip, LANES_4));
    lines.addAll(lanes(ip6, LANES_6));
    int priority = FIRST_CONTROL_FILTER;
    for (String kind : CONTROL_KINDS) {
      lines.add(every(filter, kind, priority++, CONTROL));
    }
    for (int[] type : NEIGHBOUR_TYPES) {
      String match = String.format(FROM_A_NEIGHBOUR, type[0], type[1]);
      lines.add(filter + "ipv6 prio " + NEIGHBOUR_FILTER + " u32" + match + to(CONTROL));
    }
    lines.add(every(filter, "all", LAST_FILTER, OTHERS));
    // Last, so that whoever is told to be an elephant has a lane.
    lines.add(
        ip + toLane(String.format("ip dsfield 0x%02x 0xfc", dscp << 2), LANES_4, SOURCE_PORT_4));
    lines.add(
        ip6 + toLane(String.format("ip6 priority 0x%02x 0xfc", dscp << 2), LANES_6, SOURCE_PORT_6));
    return lines;
  }

  private static String every(String filter, String kind, int priority, int minor) {
    return filter + kind + " prio " + priority + " u32 match u32 0 0" + to(minor);
  }

  private static List<String> lanes(String filter, int table) {
    List<String> lines = new ArrayList<>();
    lines.add(String.format("%shandle %x: u32 divisor %d", filter, table, LANES));
    for (int lane = 0; lane < LANES; lane++) {
      lines.add(
          String.format("%su32 ht %x:%x: match u32 0 0", filter, table, lane)
              + to(FIRST_LANE + lane));
    }
    return lines;
  }

  private static String toLane(String match, int table, int sourcePort) {
    return String.format(
        "u32 match %s hashkey mask 0x%08x at %d link %x:", match, LANE_MASK, sourcePort, table);
  }

  private static String to(int minor) {
    return " flowid " + ClassIds.text(minor);
  }
}
