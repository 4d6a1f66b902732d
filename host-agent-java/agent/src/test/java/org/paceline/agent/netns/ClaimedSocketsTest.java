package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;

/** Single sockets that applications name: whose they are decides who may. */
class ClaimedSocketsTest extends WithApplications {
  @Test
  void aDatagramSocketForManyPeersIsClaimedAloneAndWhatItAlreadySendsToo() throws Exception {
    try (AgentProcess agent = listeningAgent()) {
      for (String to : List.of(TwoHosts.RECEIVER_ADDRESS, TwoHosts.RECEIVER_ADDRESS6)) {
        try (TrafficProcess sender =
            TrafficProcess.start(
                hosts.sender, "claiming-words", "5004", to, socket().toString(), "video/lecture")) {
          assertThat(sender.ask("talk")).isEqualTo("talks");
          ConversationOpened byRule = controller.awaitOpen("voip/call");

          assertThat(sender.ask("claim")).isEqualTo("claimed");
          ConversationOpened claimed = controller.awaitOpen("video/lecture");
          assertThat(claimed.getRemoteAddress()).isEqualTo(byRule.getRemoteAddress());
          controller.awaitClosed(byRule.getId());
          grant(claimed.getId(), FIVE_MEGABIT);
          new Recovery(hosts).awaitPaced("5Mbit");

          // The claim is over, and the rule names it again.
          assertThat(sender.ask("close")).isEqualTo("closed");
          controller.awaitClosed(claimed.getId());
          assertThat(controller.awaitOpen("voip/call").getRemoteAddress())
              .isEqualTo(byRule.getRemoteAddress());
        }
        controller.await(
            "its end",
            () -> controller.open("voip/call").isEmpty() ? Optional.of(true) : Optional.empty());
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void othersThanRootClaimWhatTheyMayForTheirOwnSocketsOnly() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/perl")),
        "Skipped: nobody may run what is not installed for all, such as /usr/bin/perl.");
    try (AgentProcess agent = listeningAgent();
        Download download = download(1);
        TrafficProcess words =
            TrafficProcess.start(hosts.sender, "words", "6000", TwoHosts.RECEIVER_ADDRESS)) {
      List<String> answers =
          rawAs(
              NOBODY,
              "{\"do\":\"claim\",\"intent\":\"backup/nightly\"}",
              "{\"do\":\"claim\",\"intent\":\"video/lecture\",\"process\":"
                  + download.serverPid()
                  + "}",
              "{\"do\":\"claim\",\"intent\":\"video/lecture\",\"socket\":{\"protocol\":\"tcp\","
                  + "\"local\":\"10.213.77.1:8080\",\"remote\":\"10.213.77.2:"
                  + clientPort()
                  + "\"}}",
              "{\"do\":\"claim\",\"intent\":\"video/lecture\",\"socket\":{\"protocol\":\"udp\","
                  + "\"local\":\"[::]:6000\"}}",
              "{\"do\":\"report\",\"kpis\":{\"rtt_ms\":1}}",
              "{\"do\":\"claim\",\"intent\":\"video/lecture\"}",
              "{\"do\":\"grants\"}");

      assertThat(answers.get(0)).contains("error", "(nobody) may not claim the intent (backup/");
      assertThat(answers.get(1)).contains("error", "only root speaks for others");
      assertThat(answers.get(2)).contains("error", "has no socket (tcp 10.213.77.1:8080");
      assertThat(answers.get(3)).contains("error", "has no socket (udp ", ":6000");
      assertThat(words.pid()).isPositive();
      assertThat(answers.get(4)).contains("error", "Maybe claim first");
      assertThat(answers.get(5)).isEqualTo("{\"ok\":true}");
      assertThat(answers.get(6)).isEqualTo("{\"ok\":true,\"conversations\":[]}");
      assertThat(controller.open("video/lecture")).isEmpty();
      assertThat(controller.open("files/download")).hasSize(1);
      assertThat(agent.stop()).isZero();
    }
  }

  @Test
  void thePythonClientSaysTheSame() throws Exception {
    assumeTrue(
        Sh.run("sh", "-c", "command -v python3 || true").length() > 0,
        "Skipped: the program (python3) is not installed.");
    Path client = Path.of("../client/src/main/python").toAbsolutePath().normalize();
    String script =
        """
        import socket, sys, time
        sys.dont_write_bytecode = True
        sys.path.insert(0, sys.argv[1])
        from paceline_client import PacelineClient, Refused
        tcp = socket.create_connection((sys.argv[3], 9000))
        with PacelineClient(sys.argv[2]) as agent:
            try:
                agent.claim("")
            except Refused as e:
                print("refused:", e)
            agent.claim("video/lecture", tcp)
            udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            udp.bind((sys.argv[4], 6001))
            agent.claim("video/call", udp)
            udp.sendto(b"hello", (sys.argv[5], 9))
            agent.report(rtt_ms=7.5)
            print("grants:", agent.grants())
            print("ready", flush=True)
            while True:  # Who is silent for ten seconds has no conversation any more.
                udp.sendto(b"hello", (sys.argv[5], 9))
                time.sleep(0.5)
        """;
    try (AgentProcess agent = listeningAgent();
        TrafficProcess server =
            TrafficProcess.start(hosts.receiver, "serve", TwoHosts.RECEIVER_ADDRESS, "9000")) {
      Process python =
          new ProcessBuilder(
                  Sh.inside(
                      hosts.sender,
                      "python3",
                      "-c",
                      script,
                      client.toString(),
                      socket().toString(),
                      TwoHosts.RECEIVER_ADDRESS,
                      TwoHosts.SENDER_ADDRESS6,
                      TwoHosts.RECEIVER_ADDRESS6))
              .redirectErrorStream(true)
              .start();
      try {
        String said = TrafficProcess.until(python, "ready");
        assertThat(said).contains("refused: ", "grants: [{", "'intent': 'video/lecture'");
        ConversationOpened opened = controller.awaitOpen("video/lecture");
        assertThat(opened.getRemotePort()).isEqualTo(9000);
        assertThat(controller.awaitOpen("video/call").getRemoteAddress()).contains("fd00:213:77:");
        controller.await(
            "the KPI",
            () ->
                controller
                    .latestReport(opened.getId())
                    .filter(r -> r.getKpisMap().equals(Map.of("rtt_ms", 7.5))));
      } finally {
        python.destroy();
        python.waitFor();
      }
      controller.await(
          "the end of the claim",
          () -> controller.open("video/lecture").isEmpty() ? Optional.of(true) : Optional.empty());
      assertThat(agent.stop()).isZero();
    }
  }

  private String clientPort() throws Exception {
    String line =
        hosts.onSender("ss", "-Htn", "state", "established", "sport", "=", ":8080").trim();
    return line.substring(line.lastIndexOf(':') + 1).trim();
  }
}
