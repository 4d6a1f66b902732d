package org.paceline.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.Rule;
import org.paceline.intents.tree.IntentPath;

class AgentConfigTest {
  private static final String CONFIG =
      "controller: 192.0.2.1\nhostId: h1\nrules: rules.yaml\ninterfaces: [eth0]\n";

  private static AgentConfig read(Path directory, String config, String rules) throws Exception {
    Files.writeString(directory.resolve("rules.yaml"), rules);
    return AgentConfig.read(Files.writeString(directory.resolve("agent.yaml"), config));
  }

  @Test
  void whatIsNotSaidHasASafeDefault(@TempDir Path directory) throws Exception {
    AgentConfig config = read(directory, CONFIG, "rules: [{intent: a/b}]");

    assertThat(config.controller().orElseThrow().port()).isEqualTo(9559);
    assertThat(config.rates().defaultRate().toKbpsFloor()).isEqualTo(1_000);
    assertThat(config.interfaces().packetsAtOnce()).isEmpty();
    assertThat(config.rules().intents()).containsExactly(IntentPath.parse("a/b"));
  }

  @Test
  void whatNoRuleNamesIsManagedByDefaultAndByThePackagesRules(@TempDir Path directory)
      throws Exception {
    String packaged = Files.readString(Path.of("src/deb/files/rules.yaml"));
    for (String rules : List.of("rules: []\n", packaged, "unmatched: manage\nrules: []\n")) {
      assertThat(read(directory, CONFIG, rules).rules().unmatched(Direction.OUT))
          .as(rules)
          .get()
          .satisfies(intent -> assertThat(intent.isRoot()).isTrue());
    }
    assertThat(
            read(directory, CONFIG, "unmatched: ignore\nrules: []\n")
                .rules()
                .unmatched(Direction.OUT))
        .isEmpty();
  }

  @Test
  void everyFaultIsShownWithItsPlace(@TempDir Path directory) {
    String rules =
        """
        rules:
          - intent: "bad name/x"
            match: {localPort: 99999}
          - match: {protocol: icmp, prot: 1}
        """;

    assertThatThrownBy(() -> read(directory, CONFIG + "defaultRate: fast\ncolour: red\n", rules))
        .isInstanceOfSatisfying(
            FaultyFile.class,
            e ->
                assertThat(e.faults())
                    .anyMatch(f -> f.contains("agent.yaml:5:14") && f.contains("(fast)"))
                    .anyMatch(f -> f.contains("agent.yaml:6:1") && f.contains("(colour)"))
                    .anyMatch(f -> f.contains("rules.yaml:2:13") && f.contains("bad name"))
                    .anyMatch(f -> f.contains("rules.yaml:3:24") && f.contains("(99999)"))
                    .anyMatch(f -> f.contains("rules.yaml:4:23") && f.contains("(icmp)"))
                    .anyMatch(f -> f.contains("rules.yaml:4") && f.contains("(prot)"))
                    .anyMatch(f -> f.contains("gives an intent")));
  }

  @Test
  void whatWouldGrowOrIsGivenTwiceIsRefusedWithItsPlace(@TempDir Path directory) {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x]\n");
    for (int level = 1; level <= 16; level++) {
      String below = "*a" + (level - 1);
      bomb.append(String.format("a%d: &a%d [%s, %s, %s]%n", level, level, below, below, below));
    }
    Map<String, String> wrong =
        Map.of(
            bomb.toString(),
            "rules.yaml:10:",
            "a: &a [*a]",
            "rules.yaml:1:8: /a/0 holds the alias (a)",
            "rules: []\nrules: []",
            "rules.yaml:2:1: /rules is given twice",
            "rules: [{match: {localPort: " + "9".repeat(500_000) + "}}]",
            "500000 characters",
            "rules: " + "[".repeat(10_000),
            "nested more than 64 levels deep");
    wrong.forEach(
        (rules, why) ->
            assertThatThrownBy(() -> read(directory, CONFIG, rules))
                .isInstanceOfSatisfying(
                    FaultyFile.class,
                    e ->
                        assertThat(e.faults())
                            .anyMatch(f -> f.contains(why))
                            .allMatch(f -> f.length() < 1_000)));
  }

  @Test
  void interfacesAreNamedOnceOrAny(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, CONFIG.replace("[eth0]", "auto"), rules).interfaces().names())
        .isEmpty();
    Map<String, String> wrong =
        Map.of(
            "[eth0, eth1, eth0]", "(eth0) is named twice",
            "[auto, eth0]", "(auto) beside them",
            "[a/b]", "(a/b) is no name of an interface");
    wrong.forEach(
        (names, why) ->
            assertThatThrownBy(() -> read(directory, CONFIG.replace("[eth0]", names), rules))
                .hasMessageContaining("agent.yaml")
                .hasMessageContaining(why));
  }

  @Test
  void aControllerHasAPort(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, CONFIG, rules).controller().orElseThrow().port()).isEqualTo(9559);
    for (String port : List.of("0", "65536", "-1", "x")) {
      String config = CONFIG.replace("192.0.2.1", "192.0.2.1:" + port);
      assertThatThrownBy(() -> read(directory, config, rules))
          .hasMessageContaining("agent.yaml:1:13")
          .hasMessageContaining("(192.0.2.1:" + port + ") is no host and port");
    }
  }

  @Test
  void howManyPacketsLeaveAtOnceHasABound(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, CONFIG + "packetsAtOnce: 16\n", rules).interfaces().packetsAtOnce())
        .hasValue(16);
    assertThat(
            read(directory, CONFIG + "packetsAtOnce: auto\n", rules).interfaces().packetsAtOnce())
        .isEmpty();
    for (String wrong : List.of("0", "17", "-1", "4.5", "many", "99999999999")) {
      assertThatThrownBy(() -> read(directory, CONFIG + "packetsAtOnce: " + wrong + "\n", rules))
          .hasMessageContaining("agent.yaml:5:16")
          .hasMessageContaining("(" + wrong + ") must be auto, or 1 to 16");
    }
  }

  @Test
  void addressesAreNamedOnceAndAskedForByName(@TempDir Path directory) throws Exception {
    String rules =
        """
        addresses: {dc: [10.1.0.0/16, "2001:db8::/32"], office: 192.0.2.0/24}
        rules:
          - intent: a/b
            match: {remoteAddress: "@dc"}
          - intent: a/c
            match: {localAddress: ["@office", 10.9.0.0/16]}
        """;
    List<Rule> read = read(directory, CONFIG, rules).rules().rules();

    assertThat(read.get(0).conditions().remoteAddress().orElseThrow())
        .hasToString("10.1.0.0/16, 2001:db8:0:0:0:0:0:0/32");
    assertThat(read.get(1).conditions().localAddress().orElseThrow())
        .hasToString("192.0.2.0/24, 10.9.0.0/16");
    assertThatThrownBy(() -> read(directory, CONFIG, rules.replace("@dc", "@elsewhere")))
        .hasMessageContaining("rules.yaml:4:28")
        .hasMessageContaining("(@elsewhere)")
        .hasMessageContaining("@dc, @office");
    assertThatThrownBy(() -> read(directory, CONFIG, rules.replace("10.1.0.0/16", "ten")))
        .hasMessageContaining("rules.yaml:1:18")
        .hasMessageContaining("(ten)");
    assertThatThrownBy(() -> read(directory, CONFIG, rules.replace("\"@dc\"", "[]")))
        .hasMessageContaining("rules.yaml:4:13")
        .hasMessageContaining("(remoteAddress) is empty");
    assertThatThrownBy(
            () -> read(directory, CONFIG, rules.replace("office: 192.0.2.0/24", "o: []")))
        .hasMessageContaining("The addresses (o) are none");
  }

  @Test
  void aNameOfADestinationThatNoHostHasIsAFault(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b, match: {remoteName: 'NAME'}}]";
    for (String name : List.of("WWW.Example.com.", "*.example.com", "*", "a?.b")) {
      assertThat(read(directory, CONFIG, rules.replace("NAME", name)).rules().rules()).hasSize(1);
    }
    for (String name : List.of("https://a.b/", "a b", "10.0.0.1", "fd00::1", "", ".")) {
      assertThatThrownBy(() -> read(directory, CONFIG, rules.replace("NAME", name)))
          .hasMessageContaining("rules.yaml:1:43")
          .hasMessageContaining("(" + name + ") is no name of a host");
    }
  }

  @Test
  void aCodePointIsNamedOrNumberedOrAFault(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b, match: {dscp: NUMBER}}]";
    for (String same : List.of("EF", "ef", "46")) {
      assertThat(read(directory, CONFIG, rules.replace("NUMBER", same)).rules().rules().get(0))
          .isEqualTo(read(directory, CONFIG, rules.replace("NUMBER", "EF")).rules().rules().get(0));
    }
    for (String wrong : List.of("64", "-1", "AF45", "0xb8", "''")) {
      assertThatThrownBy(() -> read(directory, CONFIG, rules.replace("NUMBER", wrong)))
          .hasMessageContaining("rules.yaml:1:37")
          .hasMessageContaining("is no code point");
    }
  }

  @Test
  void theEnforcerIsAnyThatThereIsOrTheBest(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, CONFIG + "enforcer: auto\n", rules).interfaces().enforcer())
        .isEmpty();
    for (EnforcerKind kind : EnforcerKind.values()) {
      assertThat(
              read(directory, CONFIG + "enforcer: " + kind.word() + "\n", rules)
                  .interfaces()
                  .enforcer())
          .hasValue(kind);
    }
    assertThatThrownBy(() -> read(directory, CONFIG + "enforcer: sockets\n", rules))
        .hasMessageContaining("agent.yaml:5:11")
        .hasMessageContaining("(sockets) is unknown")
        .hasMessageContaining("socket or none");
  }

  @Test
  void whatOthersCanWriteIsNotObeyed(@TempDir Path directory) throws Exception {
    read(directory, CONFIG, "rules: [{intent: a/b}]");
    Path rules = directory.resolve("rules.yaml");
    Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThatThrownBy(() -> AgentConfig.read(directory.resolve("agent.yaml")))
        .hasMessageContaining(rules.toString())
        .hasMessageContaining("chmod go-w");
  }

  @Test
  void aKeyThatOthersCanReadIsNotUsed(@TempDir Path directory) throws Exception {
    for (String name : List.of("ca.pem", "h1.pem", "h1.key")) {
      Files.writeString(directory.resolve(name), "");
    }
    String tls = "tls: {authority: ca.pem, certificate: h1.pem, key: h1.key}\n";
    assertThatThrownBy(() -> read(directory, CONFIG + tls, "rules: [{intent: a/b}]"))
        .hasMessageContaining("agent.yaml:5:")
        .hasMessageContaining("h1.key")
        .hasMessageContaining("chmod go=");
    assertThatThrownBy(
            () -> read(directory, CONFIG + "tls: {key: no.key}\n", "rules: [{intent: a/b}]"))
        .hasMessageContaining("(authority) is missing")
        .hasMessageContaining("no.key");
  }

  /** Whoever can write the authority's certificate says which controller the agent obeys. */
  @Test
  void whatTheAgentTrustsIsNoFileOfOthers(@TempDir Path directory) throws Exception {
    Path authority = Files.writeString(directory.resolve("ca.pem"), "");
    Files.writeString(directory.resolve("h1.pem"), "");
    Path key = Files.writeString(directory.resolve("h1.key"), "");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String tls = CONFIG + "tls: {authority: ca.pem, certificate: h1.pem, key: h1.key}\n";
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, tls, rules).controller().orElseThrow().tls()).isPresent();
    Files.setPosixFilePermissions(authority, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThatThrownBy(() -> read(directory, tls, rules))
        .hasMessageContaining("agent.yaml:5:")
        .hasMessageContaining("(" + authority + ")")
        .hasMessageContaining("chmod go-w");
    Files.setPosixFilePermissions(authority, PosixFilePermissions.fromString("rw-r--r--"));
    assumeTrue(Files.getAttribute(key, "unix:uid").equals(0), "Skipped: only root gives away.");
    Files.setAttribute(key, "unix:uid", 65_534);
    assertThatThrownBy(() -> read(directory, tls, rules))
        .hasMessageContaining("(" + key + ")")
        .hasMessageContaining("chown it to root");
  }

  @Test
  void metricsAreShownNowhereOrToThisHostOnly(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, CONFIG, rules).local().metrics()).isEmpty();
    assertThat(read(directory, CONFIG + "metrics: '[::1]:9560'\n", rules).local().metrics())
        .hasValueSatisfying(a -> assertThat(a.getAddress().isLoopbackAddress()).isTrue());
    for (String elsewhere :
        List.of("0.0.0.0:9560", "192.0.2.1:9560", "9560", "127.0.0.1:0", "127.0.0.1:99999")) {
      assertThatThrownBy(() -> read(directory, CONFIG + "metrics: " + elsewhere + "\n", rules))
          .hasMessageContaining("agent.yaml:5:10")
          .hasMessageContaining("(" + elsewhere + ")")
          .hasMessageContaining("Maybe you meant 127.0.0.1:9560");
    }
  }

  @Test
  void whatApplicationsMaySayIsReadOrRefusedWithItsPlace(@TempDir Path directory) throws Exception {
    String rules = "rules: [{intent: a/b}]";
    assertThat(read(directory, CONFIG, rules).local().applications()).isEmpty();
    AgentConfig config =
        read(
            directory,
            CONFIG + "applications: {socket: s, allow: [{user: 'a*', intents: [video, b/c]}]}\n",
            rules);
    assertThat(config.local().applications().orElseThrow().socket())
        .isEqualTo(directory.resolve("s"));
    assertThat(config.local().applications().orElseThrow().intents())
        .containsExactly(IntentPath.parse("b/c"), IntentPath.parse("video"));

    assertThatThrownBy(
            () ->
                read(
                    directory,
                    CONFIG + "applications: {allow: [{intents: ['bad name'], group: x}]}\n",
                    rules))
        .hasMessageContaining("agent.yaml:5:")
        .hasMessageContaining("(socket) is missing")
        .hasMessageContaining("(user) is missing")
        .hasMessageContaining("bad name")
        .hasMessageContaining("(group)");
  }

  @Test
  void aFileThatIsNotThereIsAFault(@TempDir Path directory) {
    assertThatThrownBy(() -> AgentConfig.read(directory.resolve("none.yaml")))
        .isInstanceOf(FaultyFile.class)
        .hasMessageContaining("no such file");
  }

  @Test
  void whatIsNoFileOrNoTextIsOneFaultThatSaysSo(@TempDir Path directory) throws Exception {
    assertThatThrownBy(() -> AgentConfig.read(directory))
        .hasMessage(directory + ": This is a directory. Maybe name the file in it.");
    Path latin = Files.write(directory.resolve("latin1"), new byte[] {'a', ':', ' ', (byte) 0xe4});
    assertThatThrownBy(() -> AgentConfig.read(latin))
        .hasMessage(latin + ": This is no text in UTF-8. Maybe save it in that encoding.");
  }

  @Test
  void aFileOfSomebodyElsesIsAFault(@TempDir Path directory) throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), "rules: []\n");
    Path config = Files.writeString(directory.resolve("agent.yaml"), CONFIG);
    assumeTrue(Files.getAttribute(rules, "unix:uid").equals(0), "Skipped: only root gives away.");
    Files.setAttribute(rules, "unix:uid", 65_534);

    assertThatThrownBy(() -> AgentConfig.read(config))
        .hasMessageStartingWith(rules + ": The file is the user's with the number (65534)")
        .hasMessageEndingWith("Maybe chown it to root.");
  }
}
