package org.paceline.bench.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A sender and a receiver of many addresses with a cable between them, and a cable from the sender
 * to the controller, which is this process. Made of network namespaces; closing leaves none.
 */
final class Hosts implements AutoCloseable {
  static final String SENDER = "10.214.77.1";
  static final String RECEIVER = "10.214.77.2";
  static final String CONTROLLER = "10.214.78.1";

  /** One remote address for each conversation. */
  static final int ADDRESSES = 50;

  private static final Pattern COUNTED =
      Pattern.compile("([0-9.]+) \\. (\\d+) counter packets (\\d+) bytes (\\d+)");
  private static final Pattern SMOOTHED = Pattern.compile("\\brtt:([0-9.]+)/");
  private static final double SECONDS_PER_TICK = 0.01;
  private static final int ETHERNET_HEADER = 14;

  private final Deque<String[]> undo = new ArrayDeque<>();
  private final String suffix = Long.toString(ProcessHandle.current().pid() % 100_000);
  final String sender = "pb-s" + suffix;
  final String receiver = "pb-r" + suffix;

  Hosts() throws IOException {
    // Also where the bench is interrupted: what runs in a namespace would keep it.
    Runtime.getRuntime().addShutdownHook(new Thread(this::abandon));
    try {
      make();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void make() throws IOException {
    for (String name : List.of(sender, receiver)) {
      run("ip", "netns", "add", name);
      undo.push(new String[] {"ip", "netns", "del", name});
      run("ip", "-n", name, "link", "set", "lo", "up");
    }
    String control = "pbc" + suffix;
    run("ip", "link", "add", control, "type", "veth", "peer", "name", "ctl0", "netns", sender);
    undo.push(new String[] {"ip", "link", "del", control});
    run("ip", "addr", "add", CONTROLLER + "/24", "dev", control);
    run("ip", "link", "set", control, "up");
    run("ip", "-n", sender, "addr", "add", "10.214.78.2/24", "dev", "ctl0");
    run("ip", "-n", sender, "link", "set", "ctl0", "up");
    run(
        "ip", "link", "add", "pbs0", "netns", sender, "type", "veth", "peer", "name", "pbr0",
        "netns", receiver);
    run("ip", "-n", sender, "addr", "add", SENDER + "/24", "dev", "pbs0");
    run("ip", "-n", receiver, "addr", "add", RECEIVER + "/24", "dev", "pbr0");
    for (int i = 0; i < ADDRESSES; i++) {
      run("ip", "-n", receiver, "addr", "add", address(i) + "/24", "dev", "pbr0");
    }
    run("ip", "-n", sender, "link", "set", "pbs0", "up");
    run("ip", "-n", receiver, "link", "set", "pbr0", "up");
    // As a wire has them: the cable would hand on together what was sent together, with one header.
    run(inside(sender, "ethtool", "-K", "pbs0", "tso", "off"));
    // Linux' default, whatever this machine's is: BBR's own timer for each packet would be measured
    // too. A namespace's default cannot be set to everything, a route's can.
    run(
        "ip",
        "-n",
        sender,
        "route",
        "replace",
        "10.214.77.0/24",
        "dev",
        "pbs0",
        "proto",
        "kernel",
        "scope",
        "link",
        "src",
        SENDER,
        "congctl",
        "cubic");
    // Datagrams end after they are counted: nobody has to read them.
    run(
        inside(
            receiver,
            "nft",
            "add table inet bench; add set inet bench seen { type ipv4_addr . inet_service;"
                + " flags dynamic; size 10000; }; add chain inet bench in { type filter hook prerouting"
                + " priority raw; }; add rule inet bench in update @seen { ip daddr . th dport counter };"
                + " add rule inet bench in udp dport "
                + Load.DATAGRAMS
                + " drop"));
  }

  static String address(int conversation) {
    return "10.214.77." + (100 + conversation);
  }

  /** Bytes of whole frames that have arrived at each of the receiver's addresses, by port. */
  Map<String, Map<String, Long>> received() throws IOException {
    Matcher counted =
        COUNTED.matcher(
            run(
                inside(
                    receiver, "chrt", "--fifo", "50", "nft", "-n", "list", "set", "inet", "bench",
                    "seen")));
    Map<String, Map<String, Long>> bytes = new HashMap<>();
    while (counted.find()) {
      bytes
          .computeIfAbsent(counted.group(1), address -> new HashMap<>())
          .put(
              counted.group(2),
              Long.parseLong(counted.group(4))
                  + ETHERNET_HEADER * Long.parseLong(counted.group(3)));
    }
    return bytes;
  }

  /**
   * Of the sender's TCP sockets with this address, in milliseconds, as their kernel has smoothed
   * it; empty where there are none. Backlogged, it is what their own packets wait here.
   */
  String roundTrip(String address) throws IOException {
    Matcher smoothed = SMOOTHED.matcher(run(inside(sender, "ss", "-tinH", "dst", address)));
    return smoothed
        .results()
        .mapToDouble(one -> Double.parseDouble(one.group(1)))
        .average()
        .stream()
        .mapToObj(Math::round)
        .map(Object::toString)
        .collect(Collectors.joining());
  }

  /** How long this machine's processors have had nothing to do, as a share of all of them. */
  static double idleSeconds() throws IOException {
    String all = Files.readAllLines(Path.of("/proc/stat"), StandardCharsets.UTF_8).get(0);
    long ticks = Long.parseLong(all.split(" +", -1)[4]);
    return ticks * SECONDS_PER_TICK / Runtime.getRuntime().availableProcessors();
  }

  static String[] inside(String namespace, String... words) {
    List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace));
    all.addAll(List.of(words));
    return all.toArray(String[]::new);
  }

  private static String run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(Arrays.toString(words) + ": " + output.trim());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output;
  }

  private synchronized void abandon() {
    try {
      if (!undo.isEmpty()) {
        for (String name : List.of(sender, receiver)) {
          for (String pid : run("ip", "netns", "pids", name).split("\\s+")) {
            ProcessHandle.of(pid.isEmpty() ? -1 : Long.parseLong(pid))
                .ifPresent(ProcessHandle::destroyForcibly);
          }
        }
      }
      close();
    } catch (IOException e) {
      System.err.println("paceline bench agent: left something behind: " + e.getMessage());
    }
  }

  @Override
  public synchronized void close() throws IOException {
    while (!undo.isEmpty()) {
      run(undo.pop());
    }
  }
}
