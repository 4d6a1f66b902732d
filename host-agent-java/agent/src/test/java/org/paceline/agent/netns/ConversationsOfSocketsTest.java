package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.Protocol;

/** Who is named how, and what an end takes along. */
class ConversationsOfSocketsTest extends InNamespaces {
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
  void socketsWithOtherPortsAreToldAsLongAsTheyAreThere() throws Exception {
    try (AgentProcess agent = agent();
        TrafficProcess server =
            TrafficProcess.start(hosts.receiver, "serve", TwoHosts.RECEIVER_ADDRESS, "7000");
        TrafficProcess second =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8081")) {
      awaitAttached();
      try (Download download = download(2)) {
        assertThat(download.opened().getMoreMatchesList()).isEmpty();
        try (TrafficProcess client =
            TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8081", "2")) {
          ConversationOpened now = awaitMatches("files/download", 1);
          assertThat(now.getId()).isEqualTo(download.id());
          assertThat(now.getLocalPort()).isEqualTo(8080);
          assertThat(now.getMoreMatchesList())
              .containsExactly(
                  PortMatch.newBuilder().setProtocol(Protocol.TCP).setLocalPort(8081).build());
          assertThat(now.getInstalledRateBitsPerSecond()).as("what holds").isPositive();
        }
      }
      try (TrafficProcess one =
          TrafficProcess.start(hosts.sender, "fetch", TwoHosts.RECEIVER_ADDRESS, "7000", "1")) {
        ConversationOpened alone = controller.awaitOpen("backup/nightly");
        try (TrafficProcess other =
            TrafficProcess.start(hosts.sender, "fetch", TwoHosts.RECEIVER_ADDRESS, "7000", "2")) {
          ConversationOpened more = awaitMatches("backup/nightly", 2);
          assertThat(more.getId()).isEqualTo(alone.getId());
          assertThat(more.getLocalPort()).isEqualTo(alone.getLocalPort());
        }
        awaitMatches("backup/nightly", 0);
      }
    }
  }

  private ConversationOpened awaitMatches(String intent, int more) throws InterruptedException {
    return controller.await(
        more + " more matches of " + intent,
        () ->
            controller.open(intent).stream()
                .filter(c -> c.getMoreMatchesCount() == more)
                .findFirst());
  }

  @Test
  void socketsWhoseProcessIsFoundLaterAreNamedByItThen() throws Exception {
    // Without knowing whose it is, the last rule takes it.
    String rules =
        RULES + "  - intent: files/other\n    match: {protocol: tcp, remotePort: 7000}\n";
    try (AgentProcess agent = agentWith(rules, List.of(), "");
        TrafficProcess server =
            TrafficProcess.start(hosts.receiver, "serve", TwoHosts.RECEIVER_ADDRESS, "7000")) {
      awaitAttached();
      // An agent that has seen nobody yet is slow, and finds all of them at once.
      try (TrafficProcess first =
          TrafficProcess.start(hosts.sender, "fetch", TwoHosts.RECEIVER_ADDRESS, "7000", "1")) {
        String named = controller.awaitOpen("backup/nightly").getId();
        TrafficProcess others =
            TrafficProcess.start(
                hosts.sender, "fetch-slowly", TwoHosts.RECEIVER_ADDRESS, "7000", "30");
        controller.await(
            "all of its sockets",
            () -> controller.latestReport(named).filter(r -> r.getSockets() == 31));
        controller.await(
            "the end of what was named otherwise",
            () -> controller.open("files/other").isEmpty() ? Optional.of(true) : Optional.empty());
      }
    }
  }

  @Test
  void aConversationThatClosesTakesItsClassAlong() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      String over;
      try (Download download = download(6)) {
        over = download.id();
        controller.grant(Map.of(over, FIVE_MEGABIT));
      }
      controller.awaitClosed(over);
      await(this::classes, classes -> !classes.contains("5Mbit"));
      await(
          () -> hosts.onSender("nft", "list", "map", "inet", "paceline", "local4"),
          ports -> !ports.contains("8080"));

      // And the same two open again, as if nothing had been.
      try (Download again = download(1)) {
        assertThat(again.id()).isNotEqualTo(over);
      }
    }
  }

  @Test
  void whatIsSentAgainOnABadCableIsToldAndShown() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      // As a cable that loses one frame in ten.
      Sh.run(Sh.inside(hosts.receiver, "nft", "add table inet bad"));
      Sh.run(
          Sh.inside(
              hosts.receiver,
              "nft",
              "add chain inet bad in { type filter hook input priority 0; }"));
      Sh.run(
          Sh.inside(
              hosts.receiver,
              "nft",
              "add rule inet bad in tcp sport 8080 numgen random mod 10 < 1 drop"));
      try (Download download = download(2)) {
        ConversationReport report =
            controller.await(
                "what was sent again",
                () ->
                    controller
                        .latestReport(download.id())
                        .filter(r -> r.getRetransmittedSegments() > 0));

        assertThat(report.getSmoothedRttMicros()).isPositive();
        assertThat(command("status"))
            .containsPattern("sockets +sent again +rtt ms")
            .containsPattern(download.id() + " .* 2 +[1-9]\\d* +\\d+\\.\\d");
      }
    }
  }

  @Test
  void theAgentShowsEveryConversationWithItsRates() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(6)) {
        controller.grant(Map.of(download.id(), FIVE_MEGABIT));

        assertThat(command("status"))
            .contains("host h1, pacing on [" + TwoHosts.DEVICE + "]", ": attached, plan 1")
            .containsPattern(
                download.id() + " +files/download +10.213.77.1 -> 10.213.77.2 +5000.0 +5000.0 ")
            .contains("1 conversations");
      }
    }
  }
}
