package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;

/**
 * Conversations that are named by their first packet, and anew when their destination's name is.
 */
class NamedAnewTest extends InNamespaces {
  private static final String NAMED =
      """
      rules:
        - intent: voip/call
          match: {dscp: EF}
        - intent: video/lecture
          match: {protocol: tcp, remoteName: "*.Example.com"}
        - intent: web-browsing/site
          match: {remoteName: www.example.org}
        - intent: backup/nightly
          match: {remoteName: "split.*"}
        - intent: files/download
          match: {protocol: tcp}
      """;

  private void awaitNone(String intent) throws Exception {
    controller.await(
        "no conversation of " + intent,
        () -> controller.open(intent).isEmpty() ? Optional.of(true) : Optional.empty());
  }

  /** With the rights of the service. */
  @Test
  void aConversationIsNamedAnewWhenItIsMarkedOrTlsOrDnsSaysWhereItGoes() throws Exception {
    try (TrafficProcess dns =
            TrafficProcess.start(hosts.receiver, "answer-dns", TwoHosts.RECEIVER_ADDRESS);
        TrafficProcess secure = TrafficProcess.start(hosts.receiver, "sink", "443");
        TrafficProcess plain = TrafficProcess.start(hosts.receiver, "sink", "7000");
        AgentProcess agent = agentWith(NAMED, LeastPrivilege.WORDS, "");
        TrafficProcess client =
            TrafficProcess.start(hosts.sender, "by-name", TwoHosts.RECEIVER_ADDRESS)) {
      awaitAttached();
      assertThat(command("status")).contains("names of destinations are heard");

      client.ask("connect " + TwoHosts.RECEIVER_ADDRESS6 + " 443");
      controller.awaitOpen("files/download");
      client.ask("hello www.example.org");
      ConversationOpened site = controller.awaitOpen("web-browsing/site");
      assertThat(site.getRemotePort()).isEqualTo(443);
      assertThat(site.getRemoteName()).isEqualTo("www.example.org");
      awaitNone("files/download");

      // Marked when it is connected already, as many are.
      client.ask("connect " + TwoHosts.RECEIVER_ADDRESS6 + " 7000");
      controller.awaitOpen("files/download");
      client.ask("mark 184");
      controller.awaitOpen("voip/call");
      awaitNone("files/download");
      assertThat(command("explain --config " + directory.resolve("agent.yaml")))
          .contains("dscp EF: voip/call");

      client.ask("connect " + TwoHosts.RECEIVER_ADDRESS + " 443");
      controller.awaitOpen("files/download");
      client.ask("split split.example.org");
      controller.awaitOpen("backup/nightly");
      awaitNone("files/download");

      client.ask("connect " + TwoHosts.RECEIVER_ADDRESS + " 7000");
      ConversationOpened before = controller.awaitOpen("files/download");
      assertThat(client.ask("lookup lecture.example.com")).contains(TwoHosts.RECEIVER_ADDRESS);
      ConversationOpened after = controller.awaitOpen("video/lecture");
      assertThat(after.getLocalPort()).isEqualTo(before.getLocalPort());
      assertThat(before.getRemoteName()).isEmpty();
      assertThat(after.getRemoteName()).isEqualTo("lecture.example.com");
      assertThat(controller.grant(Map.of(after.getId(), FIVE_MEGABIT)).getRates(0).getError())
          .isEmpty();
      awaitNone("files/download");
      // What TLS has said is not taken back by what DNS says of the same address.
      assertThat(controller.open("backup/nightly")).hasSize(1);

      assertThat(command("status")).contains("10.213.77.2 lecture.example.com");
      assertThat(command("explain --config " + directory.resolve("agent.yaml")))
          .contains("remoteName lecture.example.com (DNS), dscp CS0: video/lecture")
          .contains("remoteName split.example.org (TLS), dscp CS0: backup/nightly")
          .contains("remoteName is split.example.org (TLS), not *.example.com");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void whereNamesCannotBeHeardThatIsSaidAndOtherRulesHold() throws Exception {
    try (TrafficProcess secure = TrafficProcess.start(hosts.receiver, "sink", "443");
        AgentProcess agent = agentWith(NAMED, LeastPrivilege.DEAF, "");
        TrafficProcess client =
            TrafficProcess.start(hosts.sender, "by-name", TwoHosts.RECEIVER_ADDRESS)) {
      awaitAttached();
      String trouble = "names of destinations are not heard, and 3 rules";
      assertThat(agent.output()).containsOnlyOnce(trouble).contains("CAP_NET_RAW");
      assertThat(command("status")).contains(trouble);
      client.ask("connect " + TwoHosts.RECEIVER_ADDRESS + " 443");
      client.ask("hello www.example.org");
      controller.awaitOpen("files/download");
      assertThat(controller.open("web-browsing/site")).isEmpty();
    }
  }
}
