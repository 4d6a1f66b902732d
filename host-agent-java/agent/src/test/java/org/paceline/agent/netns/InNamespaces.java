package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The agent as a process, a real controller's protocol, real sockets, real queues. */
@Tag("kernel")
abstract class InNamespaces {
  static final String RULES =
      """
      rules:
        - intent: files/download
          match: {protocol: tcp, localPort: "8080-8081"}
        - intent: voip/call
          match: {protocol: udp, localPort: 5004}
        - intent: backup/nightly
          match: {protocol: tcp, process: "java*", remotePort: 7000}
      """;
  static final long FIVE_MEGABIT = 5_000_000;

  /** What a machine that others keep busy may take for anything. */
  static final Duration LONG = Duration.ofSeconds(60);

  /** Late timers make a class fall behind, never run ahead; how exact it is, the bench measures. */
  private static final double LEAST_ON_A_BUSY_HOST = 0.6;

  /** Of a rate that is held. Another one, or one that does not hold, is off by a fifth at least. */
  private static final double MOST_PERCENT = 3;

  private static final double LEAST_PERCENT = -12;
  private static final int WINDOWS = 60;

  Path directory;
  TwoHosts hosts;
  TestController controller;
  private Optional<HostState> found = Optional.empty();

  @BeforeAll
  static void needsRoot() throws Exception {
    assumeTrue(
        Files.readString(Path.of("/proc/self/status")).contains("Uid:\t0\t0"),
        "Skipped: making network namespaces needs root.");
    for (String program : List.of("nft", "tc", "ip", "nsenter")) {
      assumeTrue(
          Sh.run("sh", "-c", "command -v " + program + " || true").length() > 0,
          "Skipped: the program (" + program + ") is not installed.");
    }
  }

  @BeforeEach
  void connect(@TempDir Path temporary) throws Exception {
    directory = temporary;
    hosts = new TwoHosts();
    controller = new TestController(TwoHosts.CONTROLLER_ADDRESS);
  }

  @AfterEach
  void disconnect() throws Exception {
    controller.close();
    hosts.close();
  }

  AgentProcess agent(String... options) throws Exception {
    return agentWith("", options);
  }

  AgentProcess agentWith(String more, String... options) throws Exception {
    return agentWith(List.of(), more, options);
  }

  /**
   * @param before what starts it, such as a program that takes rights away
   */
  AgentProcess agentWith(List<String> before, String more, String... options) throws Exception {
    return agentWith(RULES, before, more, options);
  }

  AgentProcess agentWith(String rules, List<String> before, String more, String... options)
      throws Exception {
    remember();
    return AgentProcess.start(hosts.sender, before, directory, config(more), rules, options);
  }

  /** The host as it is before the first agent. */
  void remember() throws Exception {
    if (found.isEmpty()) {
      found = Optional.of(HostState.of(hosts));
    }
  }

  String config(String more) {
    return "controller: "
        + TwoHosts.CONTROLLER_ADDRESS
        + ":"
        + controller.port()
        + "\nhostId: h1\nrules: rules.yaml\ndefaultRate: 1mbit\n"
        + (more.contains("interfaces:") ? "" : "interfaces: auto\n")
        // What most of these tests look at in the kernel is this one's.
        + (more.contains("enforcer:") ? "" : "enforcer: htb\n")
        // An agent that goes on with what a killed one left begins as soon as the machine lets it.
        + (more.contains("restartGrace:") ? "" : "restartGrace: 120s\n")
        + more;
  }

  /** Something happens while an agent paces a download at 5 Mbit/s. */
  interface Event {
    void happens(AgentProcess agent, Download download) throws Exception;
  }

  /**
   * The agent is stopped after it, and leaves the host as found.
   *
   * @param more of its configuration
   */
  void whilePacing(String more, int sockets, Event event) throws Exception {
    try (AgentProcess agent = agentWith(more)) {
      awaitAttached();
      try (Download download = download(sockets)) {
        grant(download.id(), FIVE_MEGABIT);
        event.happens(agent, download);
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  /** From the sender to the receiver, with as many sockets. */
  Download download(int sockets) throws Exception {
    return Download.start(hosts, controller, TwoHosts.SENDER_ADDRESS, 8080, sockets);
  }

  void awaitAttached() throws InterruptedException {
    controller.awaitAgent();
    // Installing follows the welcome; a report is sent only once it is done.
    controller.await("the first report", controller::latestReport);
  }

  /**
   * At the receiver, over the given time, at most so much more; what the agent believes goes into
   * the message. What was in the newcomers' queue when the rate was granted goes out first, for it
   * would arrive beside what is held to the rate. Whoever sends may have had no processor for most
   * of one such time: what is not held is not held in any.
   */
  void assertReceived(long bitsPerSecond, double percent, long millis) throws Exception {
    await(this::newcomers, queue -> queue.isBlank() || queue.contains("backlog 0b 0p"));
    await(
        () -> received(millis),
        seen ->
            seen.rate >= bitsPerSecond * LEAST_ON_A_BUSY_HOST
                && seen.rate <= bitsPerSecond * (1 + percent / 100));
  }

  private record Received(double rate, String before, String after) {}

  private Received received(long millis) throws Exception {
    String before = hosts.onSender("tc", "-s", "class", "show", "dev", TwoHosts.DEVICE);
    double rate = hosts.receivedBitsPerSecond(millis);
    return new Received(
        rate, before, hosts.onSender("tc", "-s", "class", "show", "dev", TwoHosts.DEVICE));
  }

  private String newcomers() throws Exception {
    return hosts.onSender(
        "tc", "-s", "class", "show", "dev", TwoHosts.DEVICE, "classid", "ace1:fffe");
  }

  void grant(String conversation, long bitsPerSecond) throws Exception {
    var installed = controller.grant(Map.of(conversation, bitsPerSecond)).getRates(0);
    assertThat(installed.getError()).isEmpty();
    assertThat(installed.getRateBitsPerSecond()).isEqualTo(bitsPerSecond);
  }

  /**
   * What arrives comes to the rate, and stays there for a while: what was in queues at another one
   * goes first, and a machine that is busy elsewhere may lose some time.
   */
  void assertHeld(long bitsPerSecond) throws Exception {
    assertHeldOn(TwoHosts.RECEIVER_DEVICE, bitsPerSecond);
  }

  void assertHeldOn(String receiver, long bitsPerSecond) throws Exception {
    List<Double> errors = new ArrayList<>();
    while (errors.isEmpty() || !isHeld(errors.get(errors.size() - 1))) {
      assertThat(errors).as("errors in %% of %d bit/s", bitsPerSecond).hasSizeLessThan(WINDOWS);
      errors.add((hosts.receivedBitsPerSecond(receiver, 2_000) / bitsPerSecond - 1) * 100);
    }
    System.out.printf("%d bit/s: errors %s %%%n", bitsPerSecond, errors);
  }

  private static boolean isHeld(double error) {
    return error >= LEAST_PERCENT && error <= MOST_PERCENT;
  }

  String qdiscs() throws Exception {
    return qdiscs(TwoHosts.DEVICE);
  }

  String qdiscs(String device) throws Exception {
    return hosts.onSender("tc", "qdisc", "show", "dev", device);
  }

  String classes() throws Exception {
    return hosts.onSender("tc", "class", "show", "dev", TwoHosts.DEVICE);
  }

  void awaitClasses(String text) throws Exception {
    await(this::classes, classes -> classes.contains(text));
  }

  /** The agent's own, there or not. */
  void awaitQueues(boolean there) throws Exception {
    await(this::qdiscs, qdiscs -> qdiscs.contains("htb ace1:") == there);
  }

  /**
   * What is found as soon as it is so, and what was found instead where it never is. Only a test
   * that fails waits for as long as that.
   */
  static <T> void await(Callable<T> look, Predicate<T> isSo) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    for (T now = look.call(); !isSo.test(now); now = look.call()) {
      assertThat(System.nanoTime()).as("still %s", now).isLessThan(end);
      Thread.sleep(100);
    }
  }

  /** As below, where a guardian does it, which takes one thing away after the other. */
  void awaitHostIsAsFound() throws Exception {
    await(() -> HostState.of(hosts), now -> now.equals(found.orElseThrow().expected(now)));
    await(this::lockFile, Files::notExists);
    await(this::stateFile, Files::notExists);
    assertHostIsAsFound();
  }

  /** As the first agent of this test found it, in all that {@link HostState} knows. */
  void assertHostIsAsFound() throws Exception {
    assertThat(qdiscs()).doesNotContain("htb");
    HostState now = HostState.of(hosts);
    assertThat(now).isEqualTo(found.orElseThrow().expected(now));
    assertThat(lockFile()).doesNotExist();
    assertThat(stateFile()).doesNotExist();
    assertThat(command("status")).contains("No agent of this network namespace answers");
    // Neither guardians nor monitors, which take a moment to end.
    await(this::helpers, List::isEmpty);
  }

  /** Processes that an agent has started, or one before it. */
  List<String> helpers() throws Exception {
    List<String> all = new ArrayList<>();
    for (String pid : Sh.run("ip", "netns", "pids", hosts.sender).split("\\s+", -1)) {
      if (!pid.isEmpty()) {
        all.add(name(pid));
      }
    }
    all.retainAll(List.of("nft", "sh", "sleep", "tc", "ip", "bpftool"));
    return all;
  }

  private static String name(String pid) {
    try {
      return Files.readString(Path.of("/proc", pid, "comm")).trim();
    } catch (IOException e) {
      // It has ended meanwhile.
      return "";
    }
  }

  /** Another command of the agent's program, on the sender; what it says. */
  String command(String words) throws Exception {
    List<String> whatever = List.of("sh", "-c", "\"$@\" " + words + " 2>&1 || true", "sh");
    return hosts.onSender(Sh.command(whatever));
  }

  Path lockFile() throws Exception {
    return lockFile(hosts.sender);
  }

  static Path lockFile(String namespace) throws Exception {
    String number =
        Sh.run(Sh.inside(namespace, "readlink", "/proc/self/ns/net")).replaceAll("\\D", "");
    return Path.of("/run/paceline-agent-" + number + ".lock");
  }

  /** Where the agent of that lock says how things are. */
  static Path statusSocket(Path lock) {
    return Path.of(lock.toString().replaceFirst("lock$", "sock"));
  }

  /** What an agent writes down for the one after it. */
  Path stateFile() throws Exception {
    return lockFile().resolveSibling(lockFile().getFileName() + ".state");
  }

  /** The process of an agent that cleans up after it. */
  long guardian() throws Exception {
    return Files.readAllLines(stateFile()).stream()
        .filter(line -> line.startsWith("guardian "))
        .map(line -> Long.parseLong(line.split(" ", -1)[1]))
        .findFirst()
        .orElseThrow();
  }
}
