package org.paceline.agent.netns;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sender, a switch and a receiver, and a cable from the switch to the controller, which is this
 * process. The switch routes: a bridge would let a sender's kernel see the queue at the far port,
 * so that nothing but the sender's own socket would ever be full. Closing leaves nothing.
 */
final class SwitchedPath implements AutoCloseable {
  static final String RECEIVER = "10.216.2.2";
  static final String RECEIVER6 = "fd00:216:2::2";

  /** From the switch to the receiver. */
  static final String PORT = "sw2";

  /** From the switch to the sender. */
  static final String OTHER_PORT = "sw1";

  /** What is sent to it is elephants'. */
  static final int ELEPHANTS_PORT = 7001;

  static final int DSCP = 10;

  static final String CONTROLLER = TwoHosts.ownAddress(217, 1);

  private static final Pattern CLASS =
      Pattern.compile(
          "class htb ace1:([0-9a-f]+) .*\\n Sent (\\d+) bytes \\d+ pkt \\(dropped (\\d+),[^\\n]*");

  private final String suffix = Long.toString(ProcessHandle.current().pid() % 100_000);
  private final Deque<String[]> undo = new ArrayDeque<>();
  final String sender = "pl-qa" + suffix;
  final String device = "pl-qs" + suffix;
  final String receiver = "pl-qb" + suffix;

  SwitchedPath() throws IOException, InterruptedException {
    namespace(sender);
    namespace(device);
    namespace(receiver);
    cable(sender, "eth0", OTHER_PORT, "1");
    cable(receiver, "eth0", PORT, "2");
    on(device, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    on(device, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/all/forwarding");
    // As agents of hosts do: what is one packet to a queue is a frame.
    on(sender, "ip", "link", "set", "eth0", "gso_max_segs", "1");
    // Of those that this kernel has, the one that fills queues.
    on(sender, "ip", "route", "add", "10.216.2.0/24", "via", "10.216.1.1", "congctl", "cubic");
    on(sender, "ip", "route", "add", "fd00:216:2::/64", "via", "fd00:216:1::1");
    on(receiver, "ip", "route", "add", "default", "via", "10.216.2.1");
    on(receiver, "ip", "route", "add", "default", "via", "fd00:216:2::1");
    mark();
    String control = "plq" + suffix;
    Sh.run("ip", "link", "add", control, "type", "veth", "peer", "name", "ctl0", "netns", device);
    undo.push(new String[] {"ip", "link", "del", control});
    Sh.run("ip", "addr", "add", CONTROLLER + "/30", "dev", control);
    Sh.run("ip", "link", "set", control, "up");
    on(device, "ip", "addr", "add", TwoHosts.ownAddress(217, 2) + "/30", "dev", "ctl0");
    on(device, "ip", "link", "set", "ctl0", "up");
  }

  /** As rules of a first switch do. */
  private void mark() throws IOException, InterruptedException {
    for (String transport : new String[] {"tcp", "udp"}) {
      for (String protocol : new String[] {"ip", "ip6"}) {
        String rule =
            String.format(
                "add rule inet marks forward %s dport %d %s dscp set %d",
                transport, ELEPHANTS_PORT, protocol, DSCP);
        onSwitch(
            "nft",
            "add table inet marks; add chain inet marks forward"
                + " { type filter hook forward priority mangle; }; "
                + rule);
      }
    }
  }

  private void namespace(String name) throws IOException, InterruptedException {
    Sh.run("ip", "netns", "add", name);
    undo.push(new String[] {"ip", "netns", "del", name});
    Sh.run("ip", "-n", name, "link", "set", "lo", "up");
  }

  private void cable(String host, String its, String port, String net)
      throws IOException, InterruptedException {
    Sh.run(
        "ip", "link", "add", its, "netns", host, "type", "veth", "peer", "name", port, "netns",
        device);
    address(host, its, net, "2");
    address(device, port, net, "1");
  }

  private static void address(String namespace, String name, String net, String number)
      throws IOException, InterruptedException {
    on(namespace, "ip", "addr", "add", "10.216." + net + "." + number + "/24", "dev", name);
    on(
        namespace,
        "ip",
        "addr",
        "add",
        "fd00:216:" + net + "::" + number + "/64",
        "dev",
        name,
        "nodad");
    on(namespace, "ip", "link", "set", name, "up");
  }

  static String on(String namespace, String... words) throws IOException, InterruptedException {
    return Sh.run(Sh.inside(namespace, words));
  }

  String onSwitch(String... words) throws IOException, InterruptedException {
    return on(device, words);
  }

  /** What a class of the port has sent and dropped, at one time. */
  record Count(double seconds, Map<String, Long> sentBytes, Map<String, Long> dropped) {
    /** Of class 2, elephants', or 3, others'. */
    double bitsPerSecond(Count before, String minor) {
      long bytes = sentBytes.getOrDefault(minor, 0L) - before.sentBytes.getOrDefault(minor, 0L);
      return bytes * 8 / (seconds - before.seconds);
    }

    long dropped(Count before, String minor) {
      return dropped.getOrDefault(minor, 0L) - before.dropped.getOrDefault(minor, 0L);
    }
  }

  Count count() throws IOException, InterruptedException {
    String shown = onSwitch("tc", "-s", "class", "show", "dev", PORT);
    double now = System.nanoTime() / 1e9;
    Map<String, Long> sent = new HashMap<>();
    Map<String, Long> dropped = new HashMap<>();
    Matcher each = CLASS.matcher(shown);
    while (each.find()) {
      String minor = each.group(1);
      sent.put(minor, Long.parseLong(each.group(2)));
      // What a lane of two digits drops is the elephants' loss, whose class itself drops nothing.
      dropped.merge(minor.length() == 2 ? "2" : minor, Long.parseLong(each.group(3)), Long::sum);
    }
    return new Count(now, sent, dropped);
  }

  /** Mean and standard deviation of round trips, in milliseconds. */
  record RoundTrips(double mean, double deviation) {
    @Override
    public String toString() {
      return String.format("%.2f +- %.2f ms", mean, deviation);
    }
  }

  /** Of so many, 10 ms apart; ping knows how long each took by the kernel's clock. */
  RoundTrips ping(int times) throws IOException, InterruptedException {
    String said = on(sender, "ping", "-q", "-i", "0.01", "-c", Integer.toString(times), RECEIVER);
    Matcher trips = Pattern.compile("= [\\d.]+/([\\d.]+)/[\\d.]+/([\\d.]+) ms").matcher(said);
    if (!trips.find()) {
      throw new IOException("ping said: " + said);
    }
    return new RoundTrips(Double.parseDouble(trips.group(1)), Double.parseDouble(trips.group(2)));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    while (!undo.isEmpty()) {
      Sh.run(undo.pop());
    }
  }
}
