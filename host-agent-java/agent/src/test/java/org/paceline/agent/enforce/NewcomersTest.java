package org.paceline.agent.enforce;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.config.RulesReader;
import org.paceline.agent.enforce.edt.DepartureRules;
import org.paceline.agent.enforce.htb.Classifier;
import org.paceline.agent.naming.RuleSet;

/** What the kernel is told of the rules; that it takes it, the tests in namespaces show. */
class NewcomersTest {
  @TempDir private Path directory = Path.of("");

  private RuleSet rules(String text) throws Exception {
    return RulesReader.read(Files.writeString(directory.resolve("r"), text));
  }

  @Test
  void aSetOfAddressesIsALineForEachVersionOfIp() throws Exception {
    RuleSet rules =
        rules(
            """
            addresses: {dc: [10.1.0.0/16, 10.1.2.0/24, 192.0.2.1, "2001:db8::/32"]}
            rules:
              - intent: a/b
                match: {remoteAddress: "@dc", localAddress: 10.0.0.0/8}
              - intent: a/c
                match: {protocol: tcp, remoteAddress: "@dc"}
            """);
    String table = Classifier.table(List.of("lo"), rules);

    assertThat(table)
        .containsOnlyOnce("ip saddr { 10.0.0.0/8 } ip daddr { 10.1.0.0/16, 192.0.2.1/32 } meta pr")
        .containsOnlyOnce("ip daddr { 10.1.0.0/16, 192.0.2.1/32 } meta l4proto tcp meta priority")
        .containsOnlyOnce("ip6 daddr { 2001:db8:0:0:0:0:0:0/32 } meta l4proto tcp meta priority");
    // And the one of all others, which end the rules.
    assertThat(DepartureRules.rows(rules)).hasSize(2 + 3 + 1);
  }

  @Test
  void whatNoRuleNamesWaitsWithTheNewcomersUnlessItIsIgnored() throws Exception {
    String free = "meta l4proto tcp th dport { 9559 } return\n";
    String all = "meta priority set " + ClassIds.text(ClassIds.NEWCOMERS) + " return\n}";

    assertThat(Classifier.table(List.of("lo"), rules("rules: []").withController(9559)))
        .containsSubsequence(free, all);
    assertThat(Classifier.table(List.of("lo"), rules("unmatched: ignore\nrules: []")))
        .doesNotContain(all);
  }

  /** A socket that a rule leaves alone gets no class that would free it from the newcomers'. */
  @Test
  void whoMayTurnOutToBeLeftAloneIsNotHeldWithTheNewcomers() throws Exception {
    RuleSet rules =
        rules(
            """
            rules:
              - ignore: true
                match: {user: root, remotePort: 22}
              - intent: a/b
                match: {user: alice, remotePort: 22}
              - intent: a/c
                match: {protocol: tcp}
            """);

    assertThat(Classifier.table(List.of("lo"), rules))
        .containsSubsequence("th dport { 22 } return", "meta l4proto tcp meta priority set");
    assertThat(DepartureRules.rows(rules)).hasSize(2 + 1);
  }
}
