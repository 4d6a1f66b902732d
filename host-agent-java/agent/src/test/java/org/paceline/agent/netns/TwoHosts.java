package org.paceline.agent.netns;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two hosts with a cable between them, and one of them with a second cable to the controller, which
 * is this process. Made of network namespaces; closing leaves none.
 */
final class TwoHosts implements AutoCloseable {
  static final String SENDER_ADDRESS = "10.213.77.1";
  static final String RECEIVER_ADDRESS = "10.213.77.2";
  static final String SENDER_ADDRESS6 = "fd00:213:77::1";
  static final String RECEIVER_ADDRESS6 = "fd00:213:77::2";
  static final String CONTROLLER_ADDRESS = ownAddress(214, 1);
  static final String DEVICE = "pla0";
  static final String RECEIVER_DEVICE = "plb0";
  static final String SECOND_DEVICE = "pla1";
  static final String SECOND_RECEIVER_DEVICE = "plb1";
  static final String SECOND_ADDRESS = "10.213.79.1";
  static final String SECOND_ADDRESS6 = "fd00:213:79::1";

  private static final Pattern SENT =
      Pattern.compile("class htb \\S+ .*rate (\\S+) ceil.*\\n Sent (\\d+) bytes");

  private final String suffix = Long.toString(ProcessHandle.current().pid() % 100_000);
  private final Deque<String[]> undo = new ArrayDeque<>();
  private final String control = "plc" + suffix;
  final String sender = "pl-a" + suffix;
  final String receiver = "pl-b" + suffix;

  TwoHosts() throws IOException, InterruptedException {
    namespace(sender);
    namespace(receiver);
    layCable();
    Sh.run("ip", "link", "add", control, "type", "veth", "peer", "name", "ctl0", "netns", sender);
    undo.push(new String[] {"ip", "link", "del", control});
    Sh.run("ip", "addr", "add", CONTROLLER_ADDRESS + "/30", "dev", control);
    Sh.run("ip", "link", "set", control, "up");
    address(sender, "ctl0", ownAddress(214, 2) + "/30", "fd00:213:78::2/64");
  }

  /**
   * One of the four of a /30 that is this process's in the machine's own network, where others run
   * these tests, too.
   */
  static String ownAddress(int second, int number) {
    long process = ProcessHandle.current().pid() % 16_384;
    return "10." + second + "." + process / 64 + "." + (process % 64 * 4 + number);
  }

  void layCable() throws IOException, InterruptedException {
    layCable(DEVICE, RECEIVER_DEVICE, "10.213.77.", "fd00:213:77::");
  }

  /** One more between the two, with addresses of its own. */
  void laySecondCable() throws IOException, InterruptedException {
    layCable(SECOND_DEVICE, SECOND_RECEIVER_DEVICE, "10.213.79.", "fd00:213:79::");
  }

  private void layCable(String from, String to, String ipv4, String ipv6)
      throws IOException, InterruptedException {
    Sh.run(
        "ip", "link", "add", from, "netns", sender, "type", "veth", "peer", "name", to, "netns",
        receiver);
    address(sender, from, ipv4 + "1/24", ipv6 + "1/64");
    address(receiver, to, ipv4 + "2/24", ipv6 + "2/64");
  }

  /** Both interfaces are gone with it. */
  void cutCable() throws IOException, InterruptedException {
    onSender("ip", "link", "del", DEVICE);
  }

  void cutSecondCable() throws IOException, InterruptedException {
    onSender("ip", "link", "del", SECOND_DEVICE);
  }

  private void namespace(String name) throws IOException, InterruptedException {
    Sh.run("ip", "netns", "add", name);
    undo.push(new String[] {"ip", "netns", "del", name});
    Sh.run("ip", "-n", name, "link", "set", "lo", "up");
  }

  private static void address(String namespace, String device, String ipv4, String ipv6)
      throws IOException, InterruptedException {
    Sh.run("ip", "-n", namespace, "addr", "add", ipv4, "dev", device);
    Sh.run("ip", "-n", namespace, "addr", "add", ipv6, "dev", device, "nodad");
    Sh.run("ip", "-n", namespace, "link", "set", device, "up");
  }

  String onSender(String... words) throws IOException, InterruptedException {
    return Sh.run(Sh.inside(sender, words));
  }

  /**
   * Bytes that classes have sent, by their rates as tc writes them; empty without the interface.
   */
  Map<String, Long> sentByRate(String device) throws IOException, InterruptedException {
    String shown = onSender("sh", "-c", "tc -s class show dev " + device + " 2>/dev/null || true");
    Map<String, Long> sent = new HashMap<>();
    Matcher each = SENT.matcher(shown);
    while (each.find()) {
      sent.merge(each.group(1), Long.parseLong(each.group(2)), Long::sum);
    }
    return sent;
  }

  /** The controller's end of its cable: the sender's own interface stays up. */
  void cutController() throws IOException, InterruptedException {
    Sh.run("ip", "link", "set", control, "down");
  }

  void mendController() throws IOException, InterruptedException {
    Sh.run("ip", "link", "set", control, "up");
  }

  /** With the receiver's time of it: how long asking takes does not matter. */
  private static final double MOST_BETWEEN_S = 0.015;

  private record Reading(double seconds, long bytes, long packets) {}

  /** A busy machine may let time pass between the clock and the counters: then it is read again. */
  private Reading read(String device) throws IOException, InterruptedException {
    while (true) {
      String[] lines =
          Sh.run(Sh.inside(receiver, "cat", "/proc/uptime", "/proc/net/dev", "/proc/uptime"))
              .split("\n", -1);
      double before = seconds(lines[0]);
      double after = seconds(lines[lines.length - 2]);
      if (after - before <= MOST_BETWEEN_S) {
        return reading(device, after, lines);
      }
    }
  }

  private static double seconds(String uptime) {
    return Double.parseDouble(uptime.split(" ", -1)[0]);
  }

  private static Reading reading(String device, double seconds, String[] lines) throws IOException {
    for (String line : lines) {
      if (line.trim().startsWith(device + ":")) {
        String[] counters = line.trim().split("\\s+");
        return new Reading(seconds, Long.parseLong(counters[1]), Long.parseLong(counters[2]));
      }
    }
    throw new IOException("the receiver has no " + device);
  }

  /** Over the given time, at the receiver, whatever the sender believes. */
  double receivedBitsPerSecond(long millis) throws IOException, InterruptedException {
    return receivedBitsPerSecond(RECEIVER_DEVICE, millis);
  }

  /** The same, of what has come by one of its interfaces. */
  double receivedBitsPerSecond(String device, long millis)
      throws IOException, InterruptedException {
    Reading first = read(device);
    Thread.sleep(millis);
    Reading second = read(device);
    return (second.bytes - first.bytes) * 8 / (second.seconds - first.seconds);
  }

  /** Bytes of what arrives as one, which the cable hands over as it was sent. */
  long receivedTogether(long millis) throws IOException, InterruptedException {
    Reading first = read(RECEIVER_DEVICE);
    Thread.sleep(millis);
    Reading second = read(RECEIVER_DEVICE);
    return (second.bytes - first.bytes) / Math.max(1, second.packets - first.packets);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    while (!undo.isEmpty()) {
      Sh.run(undo.pop());
    }
  }
}
