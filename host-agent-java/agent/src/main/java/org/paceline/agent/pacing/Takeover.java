package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.InheritedState;

/**
 * What an agent that was killed has left in the kernel, until it is known whose it is now. Owned by
 * one thread.
 */
final class Takeover {
  private final Set<Integer> claimed = new HashSet<>();
  private Optional<InheritedState> left;

  /**
   * @param left empty: there is nothing to go on with
   */
  Takeover(Optional<InheritedState> left) {
    this.left = left;
  }

  Optional<InheritedState> left() {
    return left;
  }

  /**
   * The class that packets of this kind are in already, once: it is the conversation's from now.
   */
  Optional<InheritedState.Place> claim(String device, ClassKey key) {
    return left.flatMap(all -> all.place(device, key)).filter(place -> claimed.add(place.minor()));
  }

  /** Who has not been seen again by now is gone: its class goes too. */
  void settle(Enforcer enforcer, Conversations conversations) throws IOException {
    if (left.isEmpty()) {
      return;
    }
    InheritedState all = left.get();
    left = Optional.empty();
    Set<Integer> gone = new HashSet<>(all.minors());
    gone.removeAll(claimed);
    all.classes().keySet().forEach(device -> gone.forEach(m -> enforcer.unwant(device, m)));
    Set<ClassKey> used = new HashSet<>();
    conversations.all().forEach(c -> used.addAll(c.classKeys()));
    Map<ClassKey, Integer> stale = all.stale(used);
    // To take what somebody has taken since fails, to put what is there does not.
    enforcer.classify(stale, List.of(), List.of());
    enforcer.classify(Map.of(), stale.keySet(), List.of());
    conversations.free(gone);
    for (String device : enforcer.devices()) {
      enforcer.reconcile(device);
    }
  }
}
