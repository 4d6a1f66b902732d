package org.paceline.agent.netns;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Two hosts with a cable between them, and one of them with a second cable to the controller, which
 * is this process. Made of network namespaces; closing leaves none.
 */
final class TwoHosts implements AutoCloseable {
  static final String SENDER_ADDRESS = "10.213.77.1";
  static final String RECEIVER_ADDRESS = "10.213.77.2";
  static final String SENDER_ADDRESS6 = "fd00:213:77::1";
  static final String RECEIVER_ADDRESS6 = "fd00:213:77::2";
  static final String CONTROLLER_ADDRESS = "10.213.78.1";
  static final String DEVICE = "pla0";

  private final String suffix = Long.toString(ProcessHandle.current().pid() % 100_000);
  private final Deque<String[]> undo = new ArrayDeque<>();
  final String sender = "pl-a" + suffix;
  final String receiver = "pl-b" + suffix;

  TwoHosts() throws IOException, InterruptedException {
    namespace(sender);
    namespace(receiver);
    layCable();
    String control = "plc" + suffix;
    Sh.run("ip", "link", "add", control, "type", "veth", "peer", "name", "ctl0", "netns", sender);
    undo.push(new String[] {"ip", "link", "del", control});
    Sh.run("ip", "addr", "add", CONTROLLER_ADDRESS + "/24", "dev", control);
    Sh.run("ip", "link", "set", control, "up");
    address(sender, "ctl0", "10.213.78.2/24", "fd00:213:78::2/64");
  }

  void layCable() throws IOException, InterruptedException {
    Sh.run(
        "ip", "link", "add", DEVICE, "netns", sender, "type", "veth", "peer", "name", "plb0",
        "netns", receiver);
    address(sender, DEVICE, SENDER_ADDRESS + "/24", SENDER_ADDRESS6 + "/64");
    address(receiver, "plb0", RECEIVER_ADDRESS + "/24", RECEIVER_ADDRESS6 + "/64");
  }

  /** Both interfaces are gone with it. */
  void cutCable() throws IOException, InterruptedException {
    onSender("ip", "link", "del", DEVICE);
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

  /** Bytes of frames that have arrived at the receiver. */
  long receivedBytes() throws IOException, InterruptedException {
    return read().bytes;
  }

  /** As the cable hands them over, which is what was sent as one. */
  long receivedPackets() throws IOException, InterruptedException {
    return read().packets;
  }

  /** With the receiver's time of it: how long asking takes does not matter. */
  private record Reading(double seconds, long bytes, long packets) {}

  private Reading read() throws IOException, InterruptedException {
    String[] lines =
        Sh.run(Sh.inside(receiver, "cat", "/proc/uptime", "/proc/net/dev")).split("\n", -1);
    for (String line : lines) {
      if (line.trim().startsWith("plb0:")) {
        String[] counters = line.trim().split("\\s+");
        return new Reading(
            Double.parseDouble(lines[0].split(" ", -1)[0]),
            Long.parseLong(counters[1]),
            Long.parseLong(counters[2]));
      }
    }
    throw new IOException("the receiver has no plb0");
  }

  /** Over the given time, at the receiver, whatever the sender believes. */
  double receivedBitsPerSecond(long millis) throws IOException, InterruptedException {
    Reading first = read();
    Thread.sleep(millis);
    Reading second = read();
    return (second.bytes - first.bytes) * 8 / (second.seconds - first.seconds);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    while (!undo.isEmpty()) {
      Sh.run(undo.pop());
    }
  }
}
