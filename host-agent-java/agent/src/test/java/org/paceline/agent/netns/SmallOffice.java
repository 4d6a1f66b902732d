package org.paceline.agent.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Some hosts on the bridge of a router, behind one slow uplink to a server outside: namespaces and
 * nothing else.
 */
final class SmallOffice implements AutoCloseable {
  static final String SERVER = "10.215.2.2";
  static final String DEVICE = "eth0";
  static final long UPLINK = 10_000_000;
  private static final String LAN = "10.215.1.";
  private static final String OUTSIDE = "10.215.2.";
  private static final String TO_SERVER = "wan0";

  private final String suffix = Long.toString(ProcessHandle.current().pid() % 100_000);
  private final Deque<String[]> undo = new ArrayDeque<>();
  private final Path directory;
  final String router = "pl-r" + suffix;
  final String server = "pl-s" + suffix;
  private final List<String> hosts = new ArrayList<>();

  SmallOffice(Path directory, int hosts) throws IOException, InterruptedException {
    this.directory = directory;
    namespace(router);
    namespace(server);
    on(router, "ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0");
    on(router, "ip", "addr", "add", LAN + "1/24", "dev", "br0");
    on(router, "ip", "link", "set", "br0", "up");
    on(router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    cable(router, TO_SERVER, server, DEVICE);
    on(router, "ip", "addr", "add", OUTSIDE + "1/24", "dev", TO_SERVER);
    on(server, "ip", "addr", "add", OUTSIDE + "2/24", "dev", DEVICE);
    on(server, "ip", "route", "add", "default", "via", OUTSIDE + "1");
    limit(router, TO_SERVER, UPLINK);
    for (int h = 0; h < hosts; h++) {
      addHost(h);
    }
  }

  private void addHost(int number) throws IOException, InterruptedException {
    String host = "pl-h" + number + "-" + suffix;
    namespace(host);
    hosts.add(host);
    cable(router, port(number), host, DEVICE);
    on(router, "ip", "link", "set", port(number), "master", "br0");
    on(host, "ip", "addr", "add", address(number) + "/24", "dev", DEVICE);
    on(host, "ip", "route", "add", "default", "via", LAN + "1");
  }

  /** What comes from outside, too. */
  void limitDownlink(long bitsPerSecond) throws IOException, InterruptedException {
    limit(server, DEVICE, bitsPerSecond);
  }

  private static void limit(String namespace, String device, long bitsPerSecond)
      throws IOException, InterruptedException {
    String rate = bitsPerSecond + "bit";
    on(
        namespace, "tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", rate, "burst",
        "20kb", "latency", "100ms");
  }

  private void namespace(String name) throws IOException, InterruptedException {
    Sh.run("ip", "netns", "add", name);
    undo.push(new String[] {"ip", "netns", "del", name});
    Sh.run("ip", "-n", name, "link", "set", "lo", "up");
  }

  private static void cable(String one, String device, String other, String itsDevice)
      throws IOException, InterruptedException {
    Sh.run(
        "ip", "link", "add", device, "netns", one, "type", "veth", "peer", "name", itsDevice,
        "netns", other);
    Sh.run("ip", "-n", one, "link", "set", device, "up");
    Sh.run("ip", "-n", other, "link", "set", itsDevice, "up");
  }

  static String on(String namespace, String... words) throws IOException, InterruptedException {
    return Sh.run(Sh.inside(namespace, words));
  }

  String host(int number) {
    return hosts.get(number);
  }

  static String address(int number) {
    return LAN + (10 + number);
  }

  private static String port(int number) {
    return "port" + number;
  }

  /** Whether what the host says reaches the others. */
  void plug(int number, boolean in) throws IOException, InterruptedException {
    on(router, "ip", "link", "set", port(number), in ? "up" : "down");
  }

  /** An agent without any controller; all of one key share the uplink. */
  AgentProcess agent(int number, String key, String weights)
      throws IOException, InterruptedException {
    return agent(number, key, weights, "htb", link("uplink", "out"));
  }

  static String link(String name, String direction) {
    return "name: " + name + ", direction: " + direction + ", capacity: " + UPLINK + "bit";
  }

  AgentProcess agent(int number, String key, String weights, String enforcer, String link)
      throws IOException, InterruptedException {
    Path its = Files.createDirectories(directory.resolve("host" + number));
    Path file = Files.writeString(its.resolve("peers.key"), key.repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String config =
        "hostId: h"
            + number
            + "\nrules: rules.yaml\ninterfaces: ["
            + DEVICE
            + "]\nenforcer: "
            + enforcer
            + "\nrestartGrace: 1s\npeers:\n  keyFile: peers.key\n  links: [{"
            + link
            + "}]\n  weights: "
            + weights
            + "\n";
    String rules =
        "rules:\n"
            + "  - {intent: upload/bulk, match: {remotePort: 7000}}\n"
            + "  - {intent: voip/call, match: {protocol: udp, remotePort: 9}}\n"
            + "  - {intent: p2p/torrent, match: {remotePort: 7001}}\n"
            + "  - {intent: video/live, match: {remotePort: 7002}}\n"
            + (link.contains("direction: in")
                ? "  - {intent: download/film, direction: in, match: {remotePort: 8080}}\n"
                : "");
    return AgentProcess.start(host(number), List.of(), its, config, rules);
  }

  /** What is counted of a port of the router, as /proc/net/dev has it. */
  private enum Way {
    FROM_HOST(1),
    TO_HOST(9);

    private final int column;

    Way(int column) {
      this.column = column;
    }
  }

  private long[] counted(Way way) throws IOException, InterruptedException {
    long[] bytes = new long[hosts.size()];
    for (String line : on(router, "cat", "/proc/net/dev").split("\n", -1)) {
      for (int h = 0; h < bytes.length; h++) {
        if (line.trim().startsWith(port(h) + ":")) {
          bytes[h] = Long.parseLong(line.trim().split("\\s+")[way.column]);
        }
      }
    }
    return bytes;
  }

  /** What each host sends, over the given time. */
  double[] sentBitsPerSecond(long millis) throws IOException, InterruptedException {
    return bitsPerSecond(Way.FROM_HOST, millis);
  }

  /** What comes to each host. */
  double[] deliveredBitsPerSecond(long millis) throws IOException, InterruptedException {
    return bitsPerSecond(Way.TO_HOST, millis);
  }

  private double[] bitsPerSecond(Way way, long millis) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long[] before = counted(way);
    Thread.sleep(millis);
    long[] after = counted(way);
    double seconds = (System.nanoTime() - begun) / 1e9;
    double[] rates = new double[before.length];
    for (int h = 0; h < rates.length; h++) {
      rates[h] = (after[h] - before[h]) * 8 / seconds;
    }
    return rates;
  }

  /** Another command of the agent's program on a host; what it says. */
  String status(int number) throws IOException, InterruptedException {
    List<String> whatever = List.of("sh", "-c", "\"$@\" 2>&1 || true", "sh");
    return on(host(number), Sh.command(whatever, "status"));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    while (!undo.isEmpty()) {
      Sh.run(undo.pop());
    }
  }
}
