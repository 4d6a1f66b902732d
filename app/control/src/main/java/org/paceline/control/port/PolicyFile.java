package org.paceline.control.port;

import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;

/** An intent tree as one file that belongs under version control, and changes of its nodes. */
public interface PolicyFile {
  String write(IntentTree tree);

  /**
   * @throws IllegalArgumentException with every fault
   */
  IntentTree read(String text);

  /**
   * What a node sets after a JSON merge patch (RFC 7396) of what it sets now.
   *
   * @param tree whose utility functions the patch may name, beside those of the catalogue
   * @throws IllegalArgumentException with every fault
   */
  Policy patched(Policy now, String patch, IntentTree tree);
}
