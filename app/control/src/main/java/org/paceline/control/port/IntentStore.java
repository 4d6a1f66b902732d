package org.paceline.control.port;

import java.util.Optional;
import org.paceline.intents.tree.IntentTree;

/** Keeps the operator's intent tree over restarts and for every node of a cluster. */
public interface IntentStore {
  Optional<IntentTree> load();

  void save(IntentTree tree);
}
