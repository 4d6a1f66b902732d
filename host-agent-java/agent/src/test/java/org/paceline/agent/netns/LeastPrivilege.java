package org.paceline.agent.netns;

import java.util.List;
import java.util.stream.Stream;

/** The rights that the service unit leaves to the agent, in words to be put before its own. */
final class LeastPrivilege {
  static final List<String> WORDS =
      List.of(
          "setpriv",
          "--bounding-set",
          "-all,+net_admin,+net_raw,+sys_ptrace,+dac_read_search,+bpf");

  /** With the unit's view of files too, of which little can be written. */
  static final List<String> UNIT =
      Stream.concat(
              Stream.of(
                  "unshare",
                  "--mount",
                  "sh",
                  "-c",
                  "mount --bind /run /run"
                      + " && mount -o remount,bind,ro / && mount -o remount,bind,ro /sys"
                      + " && mount --bind /proc/sys /proc/sys"
                      + " && mount -o remount,bind,ro /proc/sys"
                      + " && JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/run exec \"$@\"",
                  "sh"),
              WORDS.stream())
          .toList();

  /** Without the one that only rules by name need. */
  static final List<String> DEAF =
      WORDS.stream().map(word -> word.replace(",+net_raw", "")).toList();

  static final List<String> NOTHING = List.of("setpriv", "--bounding-set", "-all");

  private LeastPrivilege() {}
}
