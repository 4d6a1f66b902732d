package org.paceline.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    assertThat(config.controllerPort()).isEqualTo(9559);
    assertThat(config.defaultRate().toKbpsFloor()).isEqualTo(1_000);
    assertThat(config.rules().intents()).containsExactly(IntentPath.parse("a/b"));
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
  void aFileThatIsNotThereIsAFault(@TempDir Path directory) {
    assertThatThrownBy(() -> AgentConfig.read(directory.resolve("none.yaml")))
        .isInstanceOf(FaultyFile.class)
        .hasMessageContaining("no such file");
  }

  @Property(tries = 1_000)
  void anyRulesFileIsReadOrRefusedWithAMessage(@ForAll("texts") String text) throws Exception {
    Path file = Files.createTempFile("rules", ".yaml");
    try {
      Files.writeString(file, text);
      assertThat(RulesReader.read(file).rules()).isNotNull();
    } catch (FaultyFile e) {
      assertThat(e.faults()).isNotEmpty().allMatch(fault -> fault.contains(file.toString()));
    } finally {
      Files.delete(file);
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "rules",
            ":",
            " ",
            "\n",
            "- ",
            "intent",
            "a/b",
            "match",
            "{",
            "}",
            "[",
            "]",
            "localPort",
            "80",
            "&x",
            "*x",
            "\"",
            "'",
            "\t",
            "!!",
            "group",
            "socket",
            ",",
            "ignore",
            "true",
            "\0")
        .list()
        .ofMaxSize(25)
        .map(parts -> String.join("", parts));
  }
}
