package org.paceline.northbound.rest.policy;

import org.paceline.control.naming.NamingRules;
import org.paceline.control.naming.NamingRulesFile;

/** The file that REST exports and imports. */
public final class YamlNamingRulesFile implements NamingRulesFile {
  @Override
  public String write(NamingRules rules) {
    return NamingRulesText.yaml(rules);
  }

  @Override
  public NamingRules read(String text) {
    return NamingRulesText.readYaml(text).rules;
  }
}
