package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Refusal;

/** The agent as a process, a real controller's protocol, real sockets, real queues. */
@Tag("netns")
class PacingInNamespacesTest {
  private static final String RULES =
      """
      rules:
        - intent: files/download
          match: {protocol: tcp, localPort: "8080-8081"}
        - intent: voip/call
          match: {protocol: udp, localPort: 5004}
        - intent: backup/nightly
          match: {protocol: tcp, process: "java*", remotePort: 7000}
      """;
  private static final long FIVE_MEGABIT = 5_000_000;

  private Path directory;
  private TwoHosts hosts;
  private TestController controller;

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

  private AgentProcess agent(String... options) throws IOException {
    return agentWith("", options);
  }

  private AgentProcess agentWith(String more, String... options) throws IOException {
    String config =
        "controller: "
            + TwoHosts.CONTROLLER_ADDRESS
            + ":"
            + controller.port()
            + "\nhostId: h1\ninterfaces: auto\nrules: rules.yaml\ndefaultRate: 1mbit\n"
            + more;
    return AgentProcess.start(hosts.sender, directory, config, RULES, options);
  }

  private void awaitAttached() throws InterruptedException {
    controller.await(
        "the agent", () -> controller.hasAgent() ? Optional.of(true) : Optional.empty());
    // Installing follows the welcome; a report is sent only once it is done.
    controller.await("the first report", controller::latestReport);
  }

  /** At the receiver, over the given time; what the agent believes goes into the message. */
  private void assertReceived(long bitsPerSecond, double percent, long millis) throws Exception {
    String before = hosts.onSender("tc", "-s", "class", "show", "dev", TwoHosts.DEVICE);
    double rate = hosts.receivedBitsPerSecond(millis);
    String after = hosts.onSender("tc", "-s", "class", "show", "dev", TwoHosts.DEVICE);
    assertThat(rate)
        .as("before:\n%s\nafter:\n%s", before, after)
        .isCloseTo((double) bitsPerSecond, Percentage.withPercentage(percent));
  }

  private String qdiscs() throws Exception {
    return hosts.onSender("tc", "qdisc", "show", "dev", TwoHosts.DEVICE);
  }

  private void assertHostIsAsFound() throws Exception {
    assertThat(qdiscs()).doesNotContain("htb");
    assertThat(hosts.onSender("nft", "list", "tables")).doesNotContain("paceline");
    assertThat(hosts.onSender("ip", "-d", "link", "show", "dev", TwoHosts.DEVICE))
        .contains("gso_max_segs 65535");
    String namespace = hosts.onSender("readlink", "/proc/self/ns/net").replaceAll("\\D", "");
    assertThat(Path.of("/run/paceline-agent-" + namespace + ".lock")).doesNotExist();
    assertThat(Path.of("/run/paceline-agent-" + namespace + ".lock.state")).doesNotExist();
  }

  @Test
  void oneTcpConversationRunsAtItsGrant() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080")) {
      awaitAttached();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "1")) {
        ConversationOpened opened = controller.awaitOpen("files/download");
        assertThat(opened.getRemoteAddress()).isEqualTo(TwoHosts.RECEIVER_ADDRESS);
        assertThat(opened.getLocalPort()).isEqualTo(8080);
        assertThat(opened.getUser()).isEqualTo("root");
        // Before a grant, the safe start; the first packets came before the class.
        Thread.sleep(300);
        assertThat(hosts.receivedBitsPerSecond(2_000)).isLessThan(1_050_000);

        var installed = controller.grant(Map.of(opened.getId(), FIVE_MEGABIT));

        assertThat(installed.getRates(0).getRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
        assertThat(installed.getRates(0).getError()).isEmpty();
        Thread.sleep(500);
        assertReceived(FIVE_MEGABIT, 3, 4_000);
      }
      assertThat(agent.stop()).isZero();
      assertHostIsAsFound();
    }
  }

  @Test
  void sixSocketsShareOneRate() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080")) {
      awaitAttached();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "6")) {
        ConversationOpened opened = controller.awaitOpen("files/download");
        assertThat(controller.grant(Map.of(opened.getId(), FIVE_MEGABIT)).getRates(0).getError())
            .isEmpty();
        Thread.sleep(500);

        assertReceived(FIVE_MEGABIT, 3, 4_000);
        assertThat(controller.open("files/download")).hasSize(1);
        assertThat(controller.latestReport(opened.getId()).orElseThrow().getSockets()).isEqualTo(6);
        assertThat(controller.latestReport(opened.getId()).orElseThrow().getDroppedPackets())
            .isZero();
      }
    }
  }

  @Test
  void datagramsRunAtTheirGrant() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (TrafficProcess sender =
          TrafficProcess.start(
              hosts.sender,
              "datagrams",
              TwoHosts.SENDER_ADDRESS,
              "5004",
              TwoHosts.RECEIVER_ADDRESS)) {
        ConversationOpened opened = controller.awaitOpen("voip/call");
        assertThat(controller.grant(Map.of(opened.getId(), FIVE_MEGABIT)).getRates(0).getError())
            .isEmpty();
        Thread.sleep(500);

        assertReceived(FIVE_MEGABIT, 3, 4_000);
      }
    }
  }

  @Test
  void ipv6IsPacedToo() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS6, "8081")) {
      awaitAttached();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS6, "8081", "2")) {
        ConversationOpened opened = controller.awaitOpen("files/download");
        assertThat(controller.grant(Map.of(opened.getId(), FIVE_MEGABIT)).getRates(0).getError())
            .isEmpty();
        Thread.sleep(500);

        assertReceived(FIVE_MEGABIT, 3, 3_000);
      }
    }
  }

  @Test
  void aClientIsNamedByItsProcess() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.receiver, "serve", TwoHosts.RECEIVER_ADDRESS, "7000")) {
      awaitAttached();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.sender, "fetch", TwoHosts.RECEIVER_ADDRESS, "7000", "1")) {
        ConversationOpened opened = controller.awaitOpen("backup/nightly");

        assertThat(opened.getProcess()).isEqualTo("java");
        assertThat(opened.getRemotePort()).isEqualTo(7000);
      }
    }
  }

  @Test
  void whatIsAcknowledgedIsWhatTheKernelShows() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080")) {
      awaitAttached();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "1")) {
        ConversationOpened opened = controller.awaitOpen("files/download");
        Map<String, Long> rates = new HashMap<>();
        rates.put(opened.getId(), 2_345_678L);
        rates.put("gone", 1_000_000L);

        var installed = controller.grant(rates);

        assertThat(hosts.onSender("tc", "class", "show", "dev", TwoHosts.DEVICE))
            .contains("rate 2345Kbit");
        assertThat(installed.getRatesList())
            .anySatisfy(
                one -> {
                  assertThat(one.getConversationId()).isEqualTo(opened.getId());
                  assertThat(one.getRateBitsPerSecond()).isEqualTo(2_345_000);
                })
            .anySatisfy(
                one -> {
                  assertThat(one.getConversationId()).isEqualTo("gone");
                  assertThat(one.getError()).contains("no such conversation");
                });
      }
    }
  }

  @Test
  void aConversationThatClosesTakesItsClassAlong() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080")) {
      awaitAttached();
      ConversationOpened opened;
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "6")) {
        opened = controller.awaitOpen("files/download");
        controller.grant(Map.of(opened.getId(), FIVE_MEGABIT));
      }
      controller.awaitClosed(opened.getId());
      controller.await("the next report", () -> Optional.of(true));
      Thread.sleep(300);

      assertThat(hosts.onSender("tc", "class", "show", "dev", TwoHosts.DEVICE))
          .doesNotContain("5Mbit");
      assertThat(hosts.onSender("nft", "list", "map", "inet", "paceline", "local4"))
          .doesNotContain("8080");

      // And the same two open again, as if nothing had been.
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "1")) {
        assertThat(controller.awaitOpen("files/download").getId()).isNotEqualTo(opened.getId());
      }
    }
  }

  @Test
  void aKilledAgentLeavesTheHostAsItWas() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      assertThat(qdiscs()).contains("htb");

      agent.kill();

      for (int i = 0; i < 50 && qdiscs().contains("htb"); i++) {
        Thread.sleep(100);
      }
      Thread.sleep(300);
      assertHostIsAsFound();
    }
  }

  @Test
  void ratesHoldWhileTheControllerIsAwayAndAreAnnouncedWhenItComesBack() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080")) {
      awaitAttached();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "1")) {
        ConversationOpened opened = controller.awaitOpen("files/download");
        controller.grant(Map.of(opened.getId(), FIVE_MEGABIT));
        // The cable to the controller is cut: nothing of it passes, and nobody is told.
        hosts.onSender("ip", "link", "set", "ctl0", "down");
        assertReceived(FIVE_MEGABIT, 5, 3_000);
        hosts.onSender("ip", "link", "set", "ctl0", "up");

        assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(opened.getId());
        assertThat(controller.grant(Map.of(opened.getId(), 2_000_000L)).getRates(0).getError())
            .isEmpty();
      }
    }
  }

  @Test
  void anAgentOfAnotherProtocolVersionIsRefusedAndLeavesNothing() throws Exception {
    controller.door(
        hello ->
            hello.getProtocolVersion() == 1
                ? Optional.empty()
                : Optional.of(
                    Refusal.newBuilder()
                        .setCode(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION)
                        .setMessage("The protocol version (99) is unknown; this speaks 1.")
                        .build()));
    try (AgentProcess agent = agent("--protocol-version", "99")) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("protocol version (99)");
      assertHostIsAsFound();
    }
  }

  @Test
  void aRulesFileWithAnIntentThatNobodyKnowsIsRefusedByName() throws Exception {
    controller.door(
        hello ->
            hello.getIntentsList().contains("voip/call")
                ? Optional.of(
                    Refusal.newBuilder()
                        .setCode(Refusal.Code.UNKNOWN_INTENT)
                        .setMessage("The intent (voip/call) is unknown.")
                        .addUnknownIntents("voip/call")
                        .addKnownIntents("voip/telephone")
                        .build())
                : Optional.empty());
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("voip/call", "Maybe you meant one of voip/telephone");
      assertHostIsAsFound();
    }
  }

  @Test
  void aSecondHostOfTheSameNameIsRefused() throws Exception {
    controller.door(
        hello ->
            Optional.of(
                Refusal.newBuilder()
                    .setCode(Refusal.Code.DUPLICATE_HOST)
                    .setMessage("The host (h1) is attached already.")
                    .build()));
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("DUPLICATE_HOST", "h1");
      assertHostIsAsFound();
    }
  }

  @Test
  void aSecondAgentInTheSameNamespaceIsRefused() throws Exception {
    try (AgentProcess first = agent()) {
      awaitAttached();
      try (AgentProcess second = agent()) {
        assertThat(second.awaitExit()).isEqualTo(2);
        assertThat(second.output()).contains("Another agent runs in this network namespace");
      }
      assertThat(qdiscs()).contains("htb ace1:");
    }
  }

  @Test
  void aQueueOfSomebodyElsesIsLeftAlone() throws Exception {
    hosts.onSender(
        "tc",
        "qdisc",
        "add",
        "dev",
        TwoHosts.DEVICE,
        "root",
        "handle",
        "7:",
        "pfifo",
        "limit",
        "50");
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("pfifo 7:", "adopt: true");
      assertThat(qdiscs()).contains("pfifo 7:");
    }
    try (AgentProcess agent = agentWith("adopt: true\n")) {
      awaitAttached();
      assertThat(qdiscs()).contains("htb ace1:");
    }
  }

  @Test
  void rootThatSomebodyTakesAwayComesBack() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      hosts.onSender("tc", "qdisc", "del", "dev", TwoHosts.DEVICE, "root");

      for (int i = 0; i < 50 && !qdiscs().contains("htb ace1:"); i++) {
        Thread.sleep(100);
      }
      assertThat(qdiscs()).contains("htb ace1:");
    }
  }
}
