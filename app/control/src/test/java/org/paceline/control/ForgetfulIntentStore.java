package org.paceline.control;

import java.util.Optional;
import org.paceline.control.port.IntentStore;
import org.paceline.intents.tree.IntentTree;

/** Keeps nothing: what is changed is in force until the controller ends. */
public final class ForgetfulIntentStore implements IntentStore {
  @Override
  public Optional<IntentTree> load() {
    return Optional.empty();
  }

  @Override
  public void save(IntentTree tree) {}
}
