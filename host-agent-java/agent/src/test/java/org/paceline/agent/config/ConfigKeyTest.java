package org.paceline.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of keys, against what the readers take. */
class ConfigKeyTest {
  private static final List<ConfigKey.Part> OF_SWITCHES =
      List.of(ConfigKey.Part.SWITCH_AGENT, ConfigKey.Part.BRIDGE);

  @TempDir private Path directory = Path.of("");

  @Test
  void everyKeyOfTheListIsReadAndNoOther() throws Exception {
    Files.writeString(directory.resolve("rules.yaml"), mapping(ConfigKey.Part.RULES, "", ""));
    Path agent =
        Files.writeString(directory.resolve("agent.yaml"), mapping(ConfigKey.Part.AGENT, "", ""));

    assertThatThrownBy(() -> AgentConfig.read(agent))
        .isInstanceOfSatisfying(
            FaultyFile.class,
            e ->
                assertThat(e.faults())
                    .filteredOn(fault -> fault.contains("Nobody knows the key"))
                    .hasSize(ConfigKey.Part.values().length - OF_SWITCHES.size())
                    .allMatch(fault -> fault.contains("(stranger)")));
  }

  @Test
  void everyKeyOfASwitchesAgentIsReadAndNoOther() throws Exception {
    Path agent =
        Files.writeString(
            directory.resolve("agent.yaml"), mapping(ConfigKey.Part.SWITCH_AGENT, "", ""));

    assertThatThrownBy(() -> SwitchConfig.read(agent))
        .isInstanceOfSatisfying(
            FaultyFile.class,
            e ->
                assertThat(e.faults())
                    .filteredOn(fault -> fault.contains("Nobody knows the key"))
                    .hasSameSizeAs(OF_SWITCHES)
                    .allMatch(fault -> fault.contains("(stranger)")));
  }

  /** Every key of a mapping, and one that there is not. */
  private static String mapping(ConfigKey.Part part, String indent, String first) {
    String all =
        ConfigKey.of(part).stream()
            .map(key -> indent + key.key() + ": " + value(key, indent) + "\n")
            .collect(Collectors.joining("", "", indent + "stranger: 1\n"));
    return first + all.substring(indent.length());
  }

  private static String value(ConfigKey key, String indent) {
    String below = indent + "  ";
    return switch (key) {
      case TLS -> "\n" + mapping(ConfigKey.Part.TLS, below, below);
      case APPLICATIONS -> "\n" + mapping(ConfigKey.Part.APPLICATIONS, below, below);
      case ALLOW -> "\n" + mapping(ConfigKey.Part.ALLOWANCE, below + "  ", below + "- ");
      case PEERS -> "\n" + mapping(ConfigKey.Part.PEERS, below, below);
      case LINKS -> "\n" + mapping(ConfigKey.Part.LINK, below + "  ", below + "- ");
      case SWITCHES -> "\n" + mapping(ConfigKey.Part.BRIDGE, below + "  ", below + "- ");
      case WEIGHTS -> "{video: 6}";
      case RULE_LIST -> "\n" + mapping(ConfigKey.Part.RULE, below + "  ", below + "- ");
      case MATCH -> "\n" + mapping(ConfigKey.Part.MATCH, below, below);
      case ADDRESSES -> "{office: 192.0.2.0/24}";
      case RULES -> "rules.yaml";
      default -> "x";
    };
  }
}
