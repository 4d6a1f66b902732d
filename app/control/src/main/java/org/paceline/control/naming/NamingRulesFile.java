package org.paceline.control.naming;

/** Naming rules as one file that belongs under version control. */
public interface NamingRulesFile {
  String write(NamingRules rules);

  /**
   * @throws IllegalArgumentException with every fault
   */
  NamingRules read(String text);
}
