package org.paceline.agent.netns;

import java.util.List;

/** The rights that the service unit leaves to the agent, in words to be put before its own. */
final class LeastPrivilege {
  static final List<String> WORDS =
      List.of(
          "setpriv",
          "--bounding-set",
          "-all,+net_admin,+net_raw,+sys_ptrace,+dac_read_search,+bpf");

  /** Without the one that only rules by name need. */
  static final List<String> DEAF =
      WORDS.stream().map(word -> word.replace(",+net_raw", "")).toList();

  static final List<String> NOTHING = List.of("setpriv", "--bounding-set", "-all");

  private LeastPrivilege() {}
}
