package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;

/** What arrives at the other host is what was granted, and what is acknowledged is what holds. */
class PacedRatesTest extends InNamespaces {
  @Test
  void oneTcpConversationRunsAtItsGrant() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(1)) {
        ConversationOpened opened = download.opened();
        assertThat(opened.getRemoteAddress()).isEqualTo(TwoHosts.RECEIVER_ADDRESS);
        assertThat(opened.getLocalPort()).isEqualTo(8080);
        assertThat(opened.getUser()).isEqualTo("root");
        // Before a grant, the safe start; the first packets came before the class.
        await(() -> hosts.receivedBitsPerSecond(2_000), rate -> rate < 1_050_000);

        var installed = controller.grant(Map.of(download.id(), FIVE_MEGABIT));

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
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(6)) {
        assertThat(controller.grant(Map.of(download.id(), FIVE_MEGABIT)).getRates(0).getError())
            .isEmpty();
        Thread.sleep(500);

        assertReceived(FIVE_MEGABIT, 3, 4_000);
        assertThat(controller.open("files/download")).hasSize(1);
        ConversationReport report =
            controller.await(
                "a report of all",
                () -> controller.latestReport(download.id()).filter(r -> r.getSockets() == 6));
        assertThat(report.getDroppedPackets()).isZero();
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
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download =
          Download.start(hosts, controller, TwoHosts.SENDER_ADDRESS6, 8081, 2)) {
        assertThat(controller.grant(Map.of(download.id(), FIVE_MEGABIT)).getRates(0).getError())
            .isEmpty();
        Thread.sleep(500);

        assertReceived(FIVE_MEGABIT, 3, 3_000);
      }
    }
  }

  @Test
  void whatIsAcknowledgedIsWhatTheKernelShows() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(1)) {
        Map<String, Long> rates = new HashMap<>();
        rates.put(download.id(), 2_345_678L);
        rates.put("gone", 1_000_000L);

        var installed = controller.grant(rates);

        assertThat(hosts.onSender("tc", "class", "show", "dev", TwoHosts.DEVICE))
            .contains("rate 2345Kbit");
        assertThat(installed.getRatesList())
            .anySatisfy(
                one -> {
                  assertThat(one.getConversationId()).isEqualTo(download.id());
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
}
