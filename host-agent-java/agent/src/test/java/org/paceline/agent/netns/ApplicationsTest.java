package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.client.PacelineClient;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;

/** What applications say themselves, by the real clients, to a real agent about real sockets. */
class ApplicationsTest extends InNamespaces {
  private static final String NOBODY = "65534";

  private Path socket() {
    return directory.resolve("applications.sock");
  }

  private AgentProcess listeningAgent() throws Exception {
    // For others than root to reach the socket.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    AgentProcess agent =
        agentWith(
            "applications: {socket: applications.sock, allow: [{user: nobody, intents: [video]}]}\n");
    awaitAttached();
    return agent;
  }

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
      assertReceived(FIVE_MEGABIT, 5, 2_000);

      // No rule names these sockets: what only the claim named is left alone again.
      server.ask("close");
      controller.awaitClosed(opened.getId());
      awaitNoClass("rate 5Mbit");
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
  void othersThanRootClaimWhatTheyMayForTheirOwnSocketsOnly() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/perl")),
        "Skipped: nobody may run what is not installed for all, such as /usr/bin/perl.");
    try (AgentProcess agent = listeningAgent();
        Download download = download(1)) {
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
              "{\"do\":\"report\",\"kpis\":{\"rtt_ms\":1}}",
              "{\"do\":\"claim\",\"intent\":\"video/lecture\"}",
              "{\"do\":\"grants\"}");

      assertThat(answers.get(0)).contains("error", "(nobody) may not claim the intent (backup/");
      assertThat(answers.get(1)).contains("error", "only root speaks for others");
      assertThat(answers.get(2)).contains("error", "has no connected socket (tcp 10.213.77.1:8080");
      assertThat(answers.get(3)).contains("error", "Maybe claim first");
      assertThat(answers.get(4)).isEqualTo("{\"ok\":true}");
      assertThat(answers.get(5)).isEqualTo("{\"ok\":true,\"conversations\":[]}");
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
            agent.report(rtt_ms=7.5)
            print("grants:", agent.grants())
            print("ready", flush=True)
            sys.stdin.read()
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
                      TwoHosts.RECEIVER_ADDRESS))
              .redirectErrorStream(true)
              .start();
      try {
        String said = TrafficProcess.until(python, "ready");
        assertThat(said).contains("refused: ", "grants: [{", "'intent': 'video/lecture'");
        ConversationOpened opened = controller.awaitOpen("video/lecture");
        assertThat(opened.getRemotePort()).isEqualTo(9000);
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

  private String clientPort() throws Exception {
    String line =
        hosts.onSender("ss", "-Htn", "state", "established", "sport", "=", ":8080").trim();
    return line.substring(line.lastIndexOf(':') + 1).trim();
  }

  /** One line each, all over one connection of this user. */
  private List<String> rawAs(String uid, String... lines) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Sh.inside(
                    hosts.sender,
                    "setpriv",
                    "--reuid",
                    uid,
                    "--regid",
                    uid,
                    "--clear-groups",
                    "perl",
                    "-MIO::Socket::UNIX",
                    "-e",
                    "my $agent = IO::Socket::UNIX->new(shift) or die $!; $agent->autoflush;"
                        + " for (@ARGV) { print $agent \"$_\\n\"; print scalar <$agent>; }")));
    words.add(socket().toString());
    words.addAll(List.of(lines));
    return Sh.run(words.toArray(String[]::new)).lines().toList();
  }

  private void awaitNoClass(String text) throws Exception {
    for (int i = 0; i < 150 && classes().contains(text); i++) {
      Thread.sleep(100);
    }
    assertThat(classes()).doesNotContain(text);
  }
}
