package org.paceline.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.config.RulesReader;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.sockets.ProcessInfo;

class ExplainTextTest {
  @TempDir private Path directory = Path.of("");

  private RuleSet rules(String text) throws Exception {
    return RulesReader.read(Files.writeString(directory.resolve("r"), text));
  }

  private static SocketFacts socket(String cgroup) throws Exception {
    Flow flow =
        new Flow(
            Transport.TCP,
            InetAddress.getByName("192.0.2.1"),
            4000,
            InetAddress.getByName("10.1.2.3"),
            443);
    return new SocketFacts(
        flow,
        new ProcessInfo(7, "curl", "/usr/bin/curl", "alice", cgroup),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void whatASocketHasIsShownWithTheRuleThatNamesItAndThoseThatNearlyDid() throws Exception {
    String text =
        ExplainText.of(
            socket("/system.slice/backup.service"),
            rules(
                """
                addresses: {datacentre: [10.1.0.0/16, "2001:db8::/32"]}
                rules:
                  - intent: a/container
                    match: {container: 3f2a}
                  - intent: b/far
                    match: {protocol: udp, user: bob, remotePort: 443}
                  - intent: c/near
                    match: {unit: backup, remoteAddress: "@datacentre", user: bob}
                  - intent: d/it
                    match: {unit: "back?p.*", remoteAddress: ["@datacentre", 192.0.2.9]}
                  - intent: e/after
                    match: {unit: backup, user: bob}
                """));

    assertThat(text)
        .contains("tcp 192.0.2.1:4000 -> 10.1.2.3:443, curl (7), user alice")
        .contains("unit system.slice, backup.service: d/it, " + directory.resolve("r") + ":9:")
        .contains("not a/container, ", "container is not known, not 3f2a*")
        .contains("not c/near, ", "user is alice, not bob")
        .doesNotContain("b/far", "e/after");
  }

  @Test
  void whatNoRuleMatchesIsManagedUnlessItIsIgnored() throws Exception {
    assertThat(ExplainText.of(socket(""), rules("rules: []")))
        .contains("curl (7), user alice: managed without an intent, no rule matches");
    assertThat(ExplainText.of(socket(""), rules("unmatched: ignore\nrules: []")))
        .contains("curl (7), user alice: left alone, no rule matches");
  }

  @Test
  void whatCannotBeOfASocketForAnybodyIsLeftOut() throws Exception {
    Flow bound =
        new Flow(
            Transport.UDP,
            InetAddress.getByName("192.0.2.1"),
            4000,
            InetAddress.getByName("0.0.0.0"),
            0);
    SocketFacts facts =
        new SocketFacts(
            bound,
            new ProcessInfo(7, "call", "/usr/bin/call", "alice", ""),
            Optional.empty(),
            Optional.empty());
    String text =
        ExplainText.of(
            new OpenSockets.One(facts, OpenSockets.Peer.ANYBODY, Optional.empty()),
            rules(
                """
                unmatched: manage
                rules:
                  - intent: a/ipv6
                    match: {remoteAddress: "2001:db8::/32"}
                  - intent: b/elsewhere
                    match: {localAddress: 192.0.2.2, remotePort: 53}
                  - intent: c/bobs
                    match: {protocol: udp, user: bob, remoteAddress: 10.0.0.0/8}
                  - intent: d/all
                    match: {remoteAddress: 0.0.0.0/0, remoteName: "*.example.com"}
                """));

    assertThat(text)
        .startsWith("udp 192.0.2.1:4000 -> anybody (not connected), call (7), user alice: by whom")
        .contains("where remoteAddress is 0.0.0.0/0 and remoteName is *.example.com: d/all, ")
        .contains("else: managed without an intent, no rule matches")
        .contains("not c/bobs, ", "user is alice, not bob")
        .doesNotContain("a/ipv6", "b/elsewhere", "where protocol");
  }
}
