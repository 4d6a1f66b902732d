package org.paceline.reference;

import static org.paceline.reference.MarkdownTable.code;

import org.paceline.agent.config.ConfigKey;
import org.paceline.agent.naming.Trait;

/** The keys of the agent's two files, from {@link ConfigKey} and {@link Trait}. */
final class AgentPage implements Page {
  @Override
  public String name() {
    return "agent.md";
  }

  @Override
  public String text() {
    MarkdownTable conditions = keys(ConfigKey.Part.MATCH);
    for (Trait trait : Trait.values()) {
      conditions.row(code(trait.key()), "a text, with `*` and `?`", "", trait.meaning());
    }
    return "# Configuration of the host agent\n\n"
        + "Two YAML files, with examples and what follows in the"
        + " [agent's README](../../host-agent-java/agent/README.md#agentyaml)."
        + " `paceline-agent check` shows every fault with its place.\n\n"
        + "## agent.yaml\n\n"
        + keys(ConfigKey.Part.AGENT)
        + "### tls\n\n"
        + keys(ConfigKey.Part.TLS)
        + "### applications\n\n"
        + keys(ConfigKey.Part.APPLICATIONS)
        + "Each item of `allow`:\n\n"
        + keys(ConfigKey.Part.ALLOWANCE)
        + "### peers\n\n"
        + "See [small networks](../operate/small-networks.md).\n\n"
        + keys(ConfigKey.Part.PEERS)
        + "Each item of `links`:\n\n"
        + keys(ConfigKey.Part.LINK)
        + "### switches\n\n"
        + "An agent.yaml with this key makes the agent a [switch's](../operate/port-queues.md): beside it are only"
        + " `controller`, `hostId`, `tls` and `reportInterval`.\n\n"
        + keys(ConfigKey.Part.SWITCH_AGENT)
        + "Each item of `switches`:\n\n"
        + keys(ConfigKey.Part.BRIDGE)
        + "## The rules file\n\n"
        + keys(ConfigKey.Part.RULES)
        + "### A rule\n\n"
        + keys(ConfigKey.Part.RULE)
        + "### Conditions (match)\n\n"
        + conditions;
  }

  private static MarkdownTable keys(ConfigKey.Part part) {
    MarkdownTable table = new MarkdownTable("key", "may be", "default", "what it is for");
    for (ConfigKey key : ConfigKey.of(part)) {
      table.row(code(key.key()), key.takes(), key.byDefault(), key.meaning());
    }
    return table;
  }
}
