package org.paceline.cli.policy;

import java.util.List;
import org.paceline.cli.table.Table;
import org.paceline.control.inventory.IntentUse;

/** Who names intents that go, below the table of what takes them away. */
final class StillNamed {
  /** A branch may have thousands. */
  private static final int MOST = 20;

  private StillNamed() {}

  /**
   * @param since from when on their conversations are served as something else
   */
  static void warn(Table table, List<IntentUse> uses, String since) {
    uses.stream().limit(MOST).forEach(use -> table.add("\n" + warning(use, since)));
    int more = uses.size() - MOST;
    if (more > 0) {
      table.add("\nAnd " + more + " more intents that go are named.");
    }
  }

  private static String warning(IntentUse use, String since) {
    return String.format(
        "The intent (%s) is still named by %s; its %d open conversations are served as (%s) %s.",
        use.intent(), use.who(), use.conversations(), use.servedAs(), since);
  }
}
