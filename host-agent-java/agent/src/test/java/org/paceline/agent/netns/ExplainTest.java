package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dry run, about real sockets: what it says without an agent, and beside one. */
class ExplainTest extends WithApplications {
  @Test
  void whichRuleNamesASocketIsSaidWithoutAnAgent() throws Exception {
    Path rules = directory.resolve("rules.yaml");
    Files.writeString(rules, RULES);
    Path config = directory.resolve("agent.yaml");
    Files.writeString(config, "controller: 192.0.2.1\nhostId: h1\nrules: rules.yaml\n");
    try (TrafficProcess server =
            TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080");
        TrafficProcess client =
            TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "1")) {
      // The server may not have taken the connection yet, which is nobody's until then.
      await(
          () -> explain(config, TwoHosts.SENDER_ADDRESS + ":8080"),
          said ->
              Stream.of("tcp 10.213.77.1:8080 -> 10.213.77.2:", "java (", "user root")
                      .allMatch(said::contains)
                  && said.contains("files/download, " + rules + ":2"));
      assertThat(explain(config, "1")).contains("No socket of (1) can send");
      assertThat(explain(config, "nginx")).contains("(nginx) is no process and no socket");
    }
  }

  @Test
  void aSocketIsExplainedByItsAddressInAnyFormAndByEachProcessThatSharesIt() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    Path config = directory.resolve("agent.yaml");
    Files.writeString(config, "controller: 192.0.2.1\nhostId: h1\nrules: rules.yaml\n");
    String connect =
        "exec 3<>/dev/tcp/" + TwoHosts.RECEIVER_ADDRESS6 + "/8080; sleep 600 & echo $!";
    try (TrafficProcess server = TrafficProcess.start(hosts.receiver, "serve", "::", "8080")) {
      Process client =
          new ProcessBuilder(Sh.inside(hosts.sender, "bash", "-c", connect + "; wait")).start();
      String child = client.inputReader().readLine();
      try {
        String said = explain(config, "'[" + TwoHosts.RECEIVER_ADDRESS6 + "]:8080'");
        assertThat(said).contains(" -> fd00:213:77:0:0:0:0:2:8080, ", "no rule matches");
        assertThat(explain(config, "FD00:213:77::2:8080")).isEqualTo(said);
        assertThat(explain(config, Long.toString(client.pid()))).isEqualTo(said);
        assertThat(explain(config, child)).isEqualTo(said);
        assertThat(explain(config, "10.0.0.1:65536")).contains("is no process and no socket");
      } finally {
        Sh.run("kill", child);
        client.destroy();
      }
    }
    Files.delete(rules);
  }

  @Test
  void ofASocketThatIsNotConnectedItIsSaidWhatDependsOnWhomItSendsTo() throws Exception {
    String text =
        """
        rules:
          - ignore: true
            match: {remotePort: 53, remoteAddress: 10.0.0.0/8}
          - intent: backup/nightly
            match: {protocol: tcp, remotePort: 7000}
          - intent: voip/call
            match: {protocol: udp, localPort: 5004, process: java}
          - intent: files/after
            match: {remotePort: 9}
        """;
    Path rules = Files.writeString(directory.resolve("rules.yaml"), text);
    Path config = directory.resolve("agent.yaml");
    String settings = "controller: 192.0.2.1\nhostId: h1\nrules: rules.yaml\n";
    Files.writeString(config, settings);
    try (TrafficProcess words =
        TrafficProcess.start(hosts.sender, "words", "5004", TwoHosts.RECEIVER_ADDRESS)) {
      String said = explain(config, Long.toString(words.pid()));

      assertThat(said)
          .contains(":5004 -> anybody (not connected), java (" + words.pid() + "), user root")
          .contains(
              ": by whom it sends to\n    where remotePort is 53 and remoteAddress is 10.0.0.0/8")
          .contains(": left alone, " + rules + ":2", "    else: voip/call, " + rules + ":6")
          .contains("Only a running agent knows to whom sockets send that are not connected; none")
          .contains(statusSocket(lockFile()) + ": No such file or directory")
          .doesNotContain("files/after", "backup/nightly", "claim");
      assertThat(explain(config, TwoHosts.SENDER_ADDRESS + ":5004")).isEqualTo(said);

      Files.writeString(config, settings + "applications: {socket: a.sock}\n");
      assertThat(explain(config, "")).contains("knows what applications claim, which goes before");
    }
  }

  @Test
  void whatWasClaimedAndToWhomSocketsSendARunningAgentTells() throws Exception {
    Path config = directory.resolve("agent.yaml");
    String peer = TwoHosts.RECEIVER_ADDRESS + ":9";
    String sent = "udp " + TwoHosts.SENDER_ADDRESS + ":5004 -> " + peer + ", java (";
    try (AgentProcess agent = listeningAgent();
        TrafficProcess sender =
            TrafficProcess.start(
                hosts.sender,
                "claiming-words",
                "5004",
                TwoHosts.RECEIVER_ADDRESS,
                socket().toString(),
                "video/lecture");
        Download download = download(1)) {
      assertThat(sender.ask("talk")).isEqualTo("talks");
      controller.awaitOpen("voip/call");
      String byRule = explain(config, Long.toString(sender.pid()));
      assertThat(byRule)
          .contains(":5004 -> anybody (not connected), java (", sent)
          .contains(": voip/call, " + directory.resolve("rules.yaml") + ":4")
          .doesNotContain("Only a running agent knows", "claimed");

      assertThat(sender.ask("claim")).isEqualTo("claimed");
      String claimed = controller.awaitOpen("video/lecture").getId();
      String claim = ": video/lecture, claimed by process " + sender.pid() + "; without that: voip";
      assertThat(explain(config, "").lines())
          .anyMatch(line -> line.contains("-> anybody (not connected)") && line.contains(claim))
          .anyMatch(line -> line.startsWith(sent) && line.contains(claim))
          .anyMatch(line -> line.contains(":8080 -> ") && line.contains(": files/download, "));
      assertThat(explain(config, peer)).startsWith(sent);

      assertThat(sender.ask("close")).isEqualTo("closed");
      controller.awaitClosed(claimed);
      await(() -> explain(config, Long.toString(sender.pid())), byRule::equals);
      try (Raw raw = new Raw(socket())) {
        raw.ask(
            "{\"do\":\"claim\",\"intent\":\"video/lecture\",\"process\":"
                + download.serverPid()
                + "}");
        controller.awaitClosed(download.id());
        assertThat(explain(config, TwoHosts.SENDER_ADDRESS + ":8080"))
            .contains(": video/lecture, claimed by process " + ProcessHandle.current().pid())
            .contains("; without that: files/download, ");
      }
      assertThat(agent.stop()).isZero();
    }
  }

  private String explain(Path config, String which) throws Exception {
    return command("explain --config " + config + " " + which);
  }
}
