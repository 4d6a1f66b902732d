package org.paceline.yang.restconf.data;

import java.time.Instant;
import org.paceline.intents.tree.IntentTree;

/**
 * Where the intent tree in force is kept.
 *
 * @param <C> who asks: nothing here looks into it
 */
public interface IntentConfiguration<C> {
  IntentTree tree();

  /** Since when it is in force. */
  Instant changed();

  /**
   * Asked before what is to change is read.
   *
   * @throws RestconfError if the client may change nothing
   */
  void mustBeChangedBy(C client);

  /**
   * Puts the tree in force unless another one than expected is: then false, and nothing is done.
   *
   * @throws RestconfError if it refuses
   */
  boolean replace(IntentTree expected, IntentTree next, C client);
}
