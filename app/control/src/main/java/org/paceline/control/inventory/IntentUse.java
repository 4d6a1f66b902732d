package org.paceline.control.inventory;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.paceline.intents.tree.IntentPath;

/** Who names an intent that the tree does not have, and what it is served as. */
@AutoValue
public abstract class IntentUse {
  /** A person who has to find them begins with these. */
  private static final int MOST_NAMES = 3;

  /** Where it would stand in the tree; empty where what is named is no path. */
  public abstract Optional<IntentPath> path();

  /** As it is named, but printable. */
  public abstract String intent();

  /** The nearest ancestor that the tree has. */
  public abstract IntentPath servedAs();

  /** The hosts whose agents name it, by their rules or for a conversation. */
  public abstract SortedSet<String> hosts();

  /** The conversations that are open under it, those of hosts without an agent among them. */
  public abstract int conversations();

  static IntentUse of(
      Optional<IntentPath> path,
      String intent,
      IntentPath servedAs,
      SortedSet<String> hosts,
      int conversations) {
    return new AutoValue_IntentUse(
        path, intent, servedAs, Collections.unmodifiableSortedSet(hosts), conversations);
  }

  /** The first of the hosts. */
  public List<String> someHosts() {
    return hosts().stream().limit(MOST_NAMES).collect(Collectors.toUnmodifiableList());
  }

  /** For a person: the first hosts, and how many more; or that none of them has an agent. */
  public String who() {
    if (hosts().isEmpty()) {
      return "hosts without an agent";
    }
    int more = hosts().size() - someHosts().size();
    return (hosts().size() == 1 ? "host " : "hosts ")
        + String.join(", ", someHosts())
        + (more == 0 ? "" : " and " + more + " more");
  }
}
