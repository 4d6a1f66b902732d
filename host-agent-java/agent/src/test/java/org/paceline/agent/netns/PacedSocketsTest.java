package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.InstalledRate;

/**
 * Sockets of other processes are told their rates one by one, and get back what they had: after a
 * stop, a kill, and a kill of all that could have cleaned up.
 */
class PacedSocketsTest extends InNamespaces {
  private static final long TWO_MEGABIT = 2_000_000;
  private static final String SOCKETS = "enforcer: socket\n";
  // May read this test's programs, which may be root's only, and has no other right.
  private static final List<String> SOMEBODY_ELSE =
      List.of(
          "setpriv",
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          "--inh-caps=+dac_read_search",
          "--ambient-caps=+dac_read_search");

  private void assertNothingIsLeft() throws Exception {
    assertThat(limited()).isZero();
    assertHostIsAsFound();
  }

  @Test
  void theyComeToTheirRateFollowItAndAreLetGo() throws Exception {
    try (AgentProcess agent = agentWith(LeastPrivilege.WORDS, SOCKETS);
        TrafficProcess server =
            TrafficProcess.start(
                hosts.sender, SOMEBODY_ELSE, "serve", TwoHosts.SENDER_ADDRESS, "8080")) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getEnforcer())
          .isEqualTo("socket");
      assertThat(command("status")).contains("enforcer socket");
      String id;
      try (TrafficProcess client = fetch(1)) {
        ConversationOpened opened = controller.awaitOpen("files/download");
        id = opened.getId();
        // For the other sockets of this server too.
        assertThat(opened.getLocalPort()).isEqualTo(8080);
        assertThat(opened.getRemotePort()).isZero();
        grant(id, TWO_MEGABIT);
        assertHeld(TWO_MEGABIT);
        try (TrafficProcess more = fetch(2)) {
          awaitLimited(3);
          assertHeld(TWO_MEGABIT);
          grant(id, FIVE_MEGABIT);
          assertHeld(FIVE_MEGABIT);
        }
        awaitLimited(1);
        assertHeld(FIVE_MEGABIT);
        // No queue at the interface is the agent's.
        assertThat(qdiscs()).doesNotContain("ace1:");
        assertThat(agent.stop()).isZero();
        assertThat(limited()).isZero();
        await(() -> hosts.receivedBitsPerSecond(1_000), rate -> rate > 4 * FIVE_MEGABIT);
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void theyKeepItWhenTheAgentIsKilledAndLoseItWhenAllIs() throws Exception {
    try (AgentProcess first = agentWith(SOCKETS)) {
      awaitAttached();
      try (Download download =
          Download.start(hosts, controller, TwoHosts.SENDER_ADDRESS6, 8081, 6)) {
        grant(download.id(), TWO_MEGABIT);
        assertHeld(TWO_MEGABIT);
        awaitLimited(6);
        kill(first);
        assertThat(limited()).isEqualTo(6);
        try (AgentProcess next = agentWith(SOCKETS)) {
          ConversationOpened again = controller.awaitOpenAgain("files/download", download.id());
          assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(TWO_MEGABIT);
          assertThat(next.output()).contains("its rates go on");
          grant(again.getId(), FIVE_MEGABIT);
          assertHeld(FIVE_MEGABIT);
          awaitLimited(6);

          next.killWith(guardian());
          controller.awaitLeft();
          assertThat(limited()).isEqualTo(6);
        }
        try (AgentProcess last = agentWith("enforcer: none\n")) {
          controller.awaitAgent();
          awaitLimited(0);
          assertThat(last.stop()).isZero();
        }
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void whereNobodyStartsAKilledAgentAgainItsGuardianLetsThemGo() throws Exception {
    try (AgentProcess agent = agentWith(LeastPrivilege.WORDS, SOCKETS + "restartGrace: 1s\n")) {
      awaitAttached();
      try (Download download = download(2)) {
        grant(download.id(), TWO_MEGABIT);
        awaitLimited(2);
        kill(agent);
        awaitLimited(0);
        // Not only because they are gone.
        await(() -> hosts.receivedBitsPerSecond(1_000), rate -> rate > 2 * TWO_MEGABIT);
      }
    }
    assertNothingIsLeft();
  }

  private void kill(AgentProcess agent) throws Exception {
    agent.kill();
    controller.awaitLeft();
  }

  @Test
  void datagramsAreRefusedWithTheReason() throws Exception {
    try (AgentProcess agent = agentWith(SOCKETS);
        TrafficProcess sender =
            TrafficProcess.start(
                hosts.sender,
                "datagrams",
                TwoHosts.SENDER_ADDRESS,
                "5004",
                TwoHosts.RECEIVER_ADDRESS)) {
      awaitAttached();
      ConversationOpened opened = controller.awaitOpen("voip/call");
      InstalledRate answer = controller.grant(Map.of(opened.getId(), TWO_MEGABIT)).getRates(0);
      assertThat(answer.getRateBitsPerSecond()).isZero();
      assertThat(answer.getError()).contains("UDP", "enforcer socket");
      assertThat(sender.pid()).isPositive();
      assertThat(agent.stop()).isZero();
    }
    assertNothingIsLeft();
  }

  @Test
  void withoutTheRightToReachOthersSocketsItSaysSo() throws Exception {
    List<String> without =
        LeastPrivilege.WORDS.stream().map(word -> word.replace(",+sys_ptrace", "")).toList();
    try (AgentProcess agent = agentWith(without, SOCKETS)) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("enforcer: socket", "CAP_SYS_PTRACE");
    }
  }

  /** As in a container of a user's own. */
  @Test
  void theyAreTheNextBestWhereNoQueueCanBeTried() throws Exception {
    List<String> inside =
        List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "sh",
            "-c",
            "echo 0 > /proc/sys/user/max_net_namespaces && exec \"$@\"",
            "sh");
    try (AgentProcess agent = agentWith(inside, "enforcer: auto\n")) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getEnforcer())
          .isEqualTo("socket");
      assertThat(command("status"))
          .contains("enforcer socket (edt: ", "; htb: ", "), TCP only (UDP leaves unpaced)");
      assertThat(agent.stop()).isZero();
    }
  }

  private TrafficProcess fetch(int sockets) throws Exception {
    return TrafficProcess.start(
        hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", Integer.toString(sockets));
  }

  /** Of the server's connections, those that are held to any rate, as the kernel shows them. */
  private long limited() throws Exception {
    String shown = hosts.onSender("ss", "-Htino", "state", "established", "sport", "<", ":9000");
    return Pattern.compile("pacing_rate \\S+/\\S+bps").matcher(shown).results().count();
  }

  private void awaitLimited(long sockets) throws Exception {
    await(this::limited, limited -> limited == sockets);
  }
}
