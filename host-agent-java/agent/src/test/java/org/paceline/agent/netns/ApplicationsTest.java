package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.client.PacelineClient;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;

/** What applications say themselves, by the real clients, to a real agent about real sockets. */
class ApplicationsTest extends WithApplications {
  @Test
  void aClaimNamesTheProcessesSocketsAndEndsWithItsConnection() throws Exception {
    try (AgentProcess agent = listeningAgent();
        TrafficProcess server =
            TrafficProcess.start(
                hosts.sender,
                "claiming-serve",
                TwoHosts.SENDER_ADDRESS,
                "9000",
                socket().toString(),
                "video/lecture");
        TrafficProcess client =
            TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "9000", "2")) {
      ConversationOpened opened = controller.awaitOpen("video/lecture");
      controller.grant(Map.of(opened.getId(), FIVE_MEGABIT));
      assertThat(server.ask("grants"))
          .contains("video/lecture", "grantedBitsPerSecond=5000000")
          .contains("installedBitsPerSecond=5000000");

      server.ask("report");
      ConversationReport report =
          controller.await(
              "the KPI",
              () ->
                  controller
                      .latestReport(opened.getId())
                      .filter(r -> r.getKpisCount() > 0 && r.getSockets() == 2));
      assertThat(report.getKpisMap()).containsExactly(Map.entry("rtt_ms", 12.5));
      assertThat(report.getKpiAgesMillisMap()).containsOnlyKeys("rtt_ms");
      assertReceived(FIVE_MEGABIT, 5, 2_000);

      // No rule names these sockets: what only the claim named has no intent again.
      server.ask("close");
      controller.awaitClosed(opened.getId());
      controller.awaitOpen("");
      await(this::classes, classes -> !classes.contains("rate 5Mbit"));
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
    assertThat(socket()).doesNotExist();
  }

  @Test
  void aClaimGoesBeforeTheRulesAndTheRulesComeBackAfterIt() throws Exception {
    try (AgentProcess agent = listeningAgent();
        Download download = download(1)) {
      try (Raw raw = new Raw(socket())) {
        assertThat(raw.ask("{\"do\":\"claim\",\"intent\":\"a/b\",\"process\":999999999}"))
            .contains("There is no process (999999999)");
        assertThat(
                raw.ask(
                    "{\"do\":\"claim\",\"intent\":\"video/lecture\",\"process\":"
                        + download.serverPid()
                        + "}"))
            .isEqualTo("{\"ok\":true}");
        ConversationOpened claimed = controller.awaitOpen("video/lecture");
        controller.awaitClosed(download.id());
        controller.grant(Map.of(claimed.getId(), FIVE_MEGABIT));
        assertReceived(FIVE_MEGABIT, 5, 2_000);
      }
      controller.awaitOpen("files/download");
      controller.await(
          "the end of the claim",
          () -> controller.open("video/lecture").isEmpty() ? Optional.of(true) : Optional.empty());
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void aClaimOfWhatTheRulesSayBringsKpisAndChangesNothingElse() throws Exception {
    try (AgentProcess agent = listeningAgent();
        Download download = download(2);
        Raw raw = new Raw(socket())) {
      assertThat(
              raw.ask(
                  "{\"do\":\"claim\",\"intent\":\"files/download\",\"process\":"
                      + download.serverPid()
                      + "}"))
          .isEqualTo("{\"ok\":true}");
      assertThat(raw.ask("{\"do\":\"report\",\"kpis\":{\"download_10mb_s\":7.5}}"))
          .isEqualTo("{\"ok\":true}");
      controller.await(
          "the KPI",
          () -> controller.latestReport(download.id()).filter(r -> r.getKpisCount() == 1));
      assertThat(controller.open("files/download"))
          .extracting(ConversationOpened::getId, ConversationOpened::getMoreMatchesCount)
          .containsExactly(tuple(download.id(), 0));
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void socketsOfIpv6AreClaimedLikeOthers() throws Exception {
    try (AgentProcess agent = listeningAgent();
        TrafficProcess server =
            TrafficProcess.start(
                hosts.sender,
                "claiming-serve",
                TwoHosts.SENDER_ADDRESS6,
                "9000",
                socket().toString(),
                "video/lecture");
        TrafficProcess client =
            TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS6, "9000", "1")) {
      ConversationOpened opened = controller.awaitOpen("video/lecture");
      assertThat(opened.getRemoteAddress()).contains("fd00:213:77:");
      controller.grant(Map.of(opened.getId(), FIVE_MEGABIT));
      assertThat(server.ask("grants")).contains("installedBitsPerSecond=5000000");
      assertReceived(FIVE_MEGABIT, 5, 2_000);
      server.ask("close");
      controller.awaitClosed(opened.getId());
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  /** The kernel shows no peer of such a socket: its first packet does. */
  @Test
  void aDatagramSocketThatIsNotConnectedIsClaimedWithItsProcess() throws Exception {
    try (AgentProcess agent = listeningAgent();
        TrafficProcess sender =
            TrafficProcess.start(hosts.sender, "words", "6000", TwoHosts.RECEIVER_ADDRESS);
        Raw raw = new Raw(socket())) {
      String process = ",\"process\":" + sender.pid() + "}";
      assertThat(raw.ask("{\"do\":\"claim\",\"intent\":\"video/lecture\"" + process))
          .isEqualTo("{\"ok\":true}");
      assertThat(controller.open("video/lecture")).isEmpty();

      assertThat(sender.ask("talk")).isEqualTo("talks");
      ConversationOpened opened = controller.awaitOpen("video/lecture");
      assertThat(opened.getRemoteAddress()).isEqualTo(TwoHosts.RECEIVER_ADDRESS);
      controller.grant(Map.of(opened.getId(), FIVE_MEGABIT));
      assertThat(raw.ask("{\"do\":\"grants\"}")).contains("\"installed_bits_per_second\":5000000");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void aRefusalIsAnExceptionThatSaysWhy() throws Exception {
    try (AgentProcess agent = listeningAgent();
        PacelineClient client = PacelineClient.connect(socket())) {
      assertThatThrownBy(() -> client.claim(""))
          .isInstanceOf(PacelineClient.RefusedException.class)
          .hasMessageContaining("(intent) is empty");
      client.claim("video/lecture");
      assertThat(client.grants()).isEmpty();
      assertThat(agent.stop()).isZero();
    }
  }
}
