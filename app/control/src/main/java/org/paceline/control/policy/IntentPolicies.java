package org.paceline.control.policy;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.paceline.control.work.Each;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;

/** The intent tree in force: look it up, put another in its place. */
public final class IntentPolicies {
  private static final int NEAR = 3;
  private static final int LONGEST = 100;

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile IntentTree tree;

  public IntentPolicies(IntentTree tree) {
    this.tree = tree;
  }

  public IntentTree tree() {
    return tree;
  }

  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  public synchronized void replace(IntentTree next) {
    if (!next.equals(tree)) {
      tree = next;
      Each.of(listeners, Runnable::run);
    }
  }

  public EffectivePolicy resolve(String intent) {
    return tree.resolve(intent);
  }

  /** Whether the intent is a node of the tree; the empty text, the unidentified, always is. */
  public boolean knows(String intent) {
    return IntentPath.tryParse(intent).map(tree::contains).orElse(false);
  }

  /**
   * @throws IllegalArgumentException if the intent is no node of the tree
   */
  public void mustKnow(String intent) {
    if (!knows(intent)) {
      throw new IllegalArgumentException(
          "There is no intent ("
              + intent
              + "). Maybe you meant "
              + String.join(" or ", nearest(intent))
              + ".");
    }
  }

  /** The known intents that are written most like this one, nearest first. */
  public List<String> nearest(String asked) {
    // A text that is longer than any intent is like none; comparing it whole would take long.
    String intent = asked.substring(0, Math.min(asked.length(), LONGEST));
    TreeSet<String> known = new TreeSet<>();
    tree.policies().keySet().stream()
        .filter(path -> !path.isRoot())
        .forEach(path -> known.add(path.toString()));
    return known.stream()
        .sorted((a, b) -> Integer.compare(EditDistance.of(a, intent), EditDistance.of(b, intent)))
        .limit(NEAR)
        .collect(Collectors.toUnmodifiableList());
  }
}
