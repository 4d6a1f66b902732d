package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Refusal;

/** What comes from a host without an agent is held to its rate where it arrives. */
class IncomingTest extends InNamespaces {
  private static final String WITH_INCOMING =
      """
      rules:
        - intent: files/download
          direction: in
          match: {protocol: tcp, remotePort: 8080}
        - intent: voip/call
          direction: in
          match: {protocol: udp, localPort: 9}
      """;

  /** Payload in a full frame of 1,514 bytes, and in a datagram of 1,400 with its headers. */
  private static final double TCP_PART = 1_448 / 1_514.0;

  private static final double UDP_PART = 1_400 / 1_442.0;
  private static final long EIGHT_MEGABIT = 8_000_000;

  /** Of a rate that is held. Another one, or one that does not hold, is off by a fifth at least. */
  private static final double MOST_PERCENT = 4;

  private static final double LEAST_PERCENT = -12;
  private static final int WINDOWS = 40;

  @BeforeAll
  static void needsIfb() throws Exception {
    assumeTrue(
        Sh.run("sh", "-c", "unshare --net ip link add x type ifb 2>&1 && echo there || true")
            .contains("there"),
        "Skipped: this kernel has no ifb.");
  }

  private AgentProcess receiver() throws Exception {
    return agentWith(WITH_INCOMING, LeastPrivilege.WORDS, "");
  }

  @Test
  void aStreamFromAHostWithoutAnAgentIsHeldOutlivesAKillAndIsLet() throws Exception {
    try (AgentProcess agent = receiver();
        TrafficProcess server = stranger("serve", TwoHosts.RECEIVER_ADDRESS, "8080")) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getLimitsIncoming())
          .isTrue();
      try (TrafficProcess client =
          TrafficProcess.start(hosts.sender, "receive", TwoHosts.RECEIVER_ADDRESS, "8080")) {
        ConversationOpened opened = controller.awaitIncoming("files/download", "");
        assertThat(opened.getRemoteAddress()).isEqualTo(TwoHosts.RECEIVER_ADDRESS);
        assertThat(opened.getRemotePort()).isEqualTo(8080);
        assertThat(opened.getInstalledRateBitsPerSecond()).isZero();
        // Whether the sender is held, its receiver cannot know: so without a grant nothing is.
        assertThat(incomingClasses()).doesNotContain("rate 1Mbit");

        grant(opened.getId(), FIVE_MEGABIT);
        assertHeld(client, FIVE_MEGABIT * TCP_PART);
        controller.await(
            "what was held",
            () -> controller.latestReport(opened.getId()).filter(r -> r.getSentBytes() > 0));
        assertThat(command("status")).contains(" <- " + TwoHosts.RECEIVER_ADDRESS);

        somebodyTakesTheDeviceAway();
        assertHeld(client, FIVE_MEGABIT * TCP_PART);

        agent.kill();
        assertHeld(client, FIVE_MEGABIT * TCP_PART);
        try (AgentProcess next = receiver()) {
          String again = controller.awaitIncoming("files/download", opened.getId()).getId();
          assertThat(next.output()).contains("its rates go on");
          grant(again, EIGHT_MEGABIT);
          assertHeld(client, EIGHT_MEGABIT * TCP_PART);

          controller.refuse(again, Refusal.Code.COUNTED_ALREADY);

          awaitIncomingClasses("rate 8Mbit", false);
          await(() -> rate(client), rate -> rate > 4 * FIVE_MEGABIT);
          assertThat(next.stop()).isZero();
        }
      }
    }
    assertNothingIncomingIsLeft();
  }

  @Test
  void datagramsAreHeldTooAndTheOthersGoOnAsBefore() throws Exception {
    try (AgentProcess agent = receiver();
        TrafficProcess hears =
            TrafficProcess.start(
                hosts.sender,
                "hear",
                TwoHosts.SENDER_ADDRESS,
                "9",
                TwoHosts.RECEIVER_ADDRESS,
                "5004");
        TrafficProcess server = stranger("serve", TwoHosts.RECEIVER_ADDRESS, "8082")) {
      awaitAttached();
      try (TrafficProcess sender =
              stranger("datagrams", TwoHosts.RECEIVER_ADDRESS, "5004", TwoHosts.SENDER_ADDRESS);
          TrafficProcess other =
              TrafficProcess.start(hosts.sender, "receive", TwoHosts.RECEIVER_ADDRESS, "8082")) {
        grant(controller.awaitIncoming("voip/call", "").getId(), FIVE_MEGABIT);
        assertHeld(hears, FIVE_MEGABIT * UDP_PART);
        // No rule names it: it goes by no queue of ours.
        await(() -> rate(other), rate -> rate > 4 * FIVE_MEGABIT);
      }
      assertThat(agent.stop()).isZero();
    }
    assertNothingIncomingIsLeft();
  }

  /** As with departure times, which no kernel at hand has beside all that this needs. */
  @Test
  void byWhateverMeansThisHostPacesWhatItSendsItHoldsWhatItReceivesByQueues() throws Exception {
    try (AgentProcess agent = agentWith(WITH_INCOMING, LeastPrivilege.WORDS, "enforcer: socket\n");
        TrafficProcess server = stranger("serve", TwoHosts.RECEIVER_ADDRESS, "8080");
        TrafficProcess client =
            TrafficProcess.start(hosts.sender, "receive", TwoHosts.RECEIVER_ADDRESS, "8080")) {
      awaitAttached();
      String id = controller.awaitIncoming("files/download", "").getId();
      InstalledRate answer = controller.grant(Map.of(id, 5_000_777L)).getRates(0);
      assertThat(answer.getError()).isEmpty();
      // A queue's rate, as tc prints it; a socket's would be in whole bytes.
      assertThat(answer.getRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
      assertHeld(client, FIVE_MEGABIT * TCP_PART);
      assertThat(command("status")).contains("enforcer socket").contains("incoming by ifb");
      assertThat(agent.stop()).isZero();
    }
    assertNothingIncomingIsLeft();
  }

  @Test
  void somebodyElsesIngressFilterIsRespected() throws Exception {
    hosts.onSender("tc", "qdisc", "add", "dev", TwoHosts.DEVICE, "ingress");
    hosts.onSender(
        "sh",
        "-c",
        "tc filter add dev pla0 ingress protocol ip u32 match ip dst 192.0.2.1 flowid 1:1");
    try (AgentProcess agent = receiver()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("(" + TwoHosts.DEVICE + ")").contains("direction: in");
    }
    assertThat(hosts.onSender("tc", "filter", "show", "dev", TwoHosts.DEVICE, "ingress"))
        .isNotBlank();
    assertNothingIncomingIsLeft();
  }

  @Test
  void whereNothingIsHeldTheControllerIsToldSo() throws Exception {
    try (AgentProcess agent = agentWith(WITH_INCOMING, List.of(), "enforcer: none\n");
        TrafficProcess server = stranger("serve", TwoHosts.RECEIVER_ADDRESS, "8080");
        TrafficProcess client =
            TrafficProcess.start(hosts.sender, "receive", TwoHosts.RECEIVER_ADDRESS, "8080")) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getLimitsIncoming())
          .isFalse();
      controller.awaitIncoming("files/download", "");
      assertThat(agent.output()).contains("incoming not limited");
    }
  }

  private TrafficProcess stranger(String... words) throws Exception {
    return TrafficProcess.start(hosts.receiver, words);
  }

  /** What the application gets, over two seconds of its own clock. */
  private static double rate(TrafficProcess traffic) throws Exception {
    String[] first = traffic.ask("count").split(" ", -1);
    Thread.sleep(2_000);
    String[] second = traffic.ask("count").split(" ", -1);
    double bits = 8.0 * (Long.parseLong(second[1]) - Long.parseLong(first[1]));
    return bits * 1e9 / (Long.parseLong(second[0]) - Long.parseLong(first[0]));
  }

  /** It comes to the rate: what was in queues at another goes first, and a busy machine is late. */
  private void assertHeld(TrafficProcess traffic, double bitsPerSecond) throws Exception {
    List<Double> errors = new ArrayList<>();
    while (errors.isEmpty() || !isHeld(errors.get(errors.size() - 1))) {
      assertThat(errors)
          .as("errors in %% of %s bit/s\n%s", bitsPerSecond, incomingClasses())
          .hasSizeLessThan(WINDOWS);
      errors.add((rate(traffic) / bitsPerSecond - 1) * 100);
    }
    System.out.printf("%.0f bit/s: errors %s %%%n", bitsPerSecond, errors);
  }

  private static boolean isHeld(double error) {
    return error >= LEAST_PERCENT && error <= MOST_PERCENT;
  }

  private String incomingClasses() throws Exception {
    return hosts.onSender("sh", "-c", "tc -s class show dev paceline-in 2>&1 || true");
  }

  private void awaitIncomingClasses(String text, boolean there) throws Exception {
    await(this::incomingClasses, classes -> classes.contains(text) == there);
  }

  private void somebodyTakesTheDeviceAway() throws Exception {
    hosts.onSender("ip", "link", "del", "paceline-in");
    // Another is there with the next report, and its classes with the one after that.
    awaitIncomingClasses("rate 5Mbit", true);
  }

  private void assertNothingIncomingIsLeft() throws Exception {
    assertHostIsAsFound();
    assertThat(hosts.onSender("ip", "link", "show")).doesNotContain("paceline-in");
  }
}
