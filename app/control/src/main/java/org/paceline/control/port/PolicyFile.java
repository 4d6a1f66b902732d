package org.paceline.control.port;

import org.paceline.intents.tree.IntentTree;

/** An intent tree as one file that belongs under version control. */
public interface PolicyFile {
  String write(IntentTree tree);

  /**
   * @throws IllegalArgumentException with every fault
   */
  IntentTree read(String text);
}
