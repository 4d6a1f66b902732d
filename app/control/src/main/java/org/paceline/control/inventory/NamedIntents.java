package org.paceline.control.inventory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Proof;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;

/** The intents that agents' rules and open conversations name, and who names each. */
public final class NamedIntents {
  private final Map<String, Naming> byName = new TreeMap<>();

  /** So that of many conversations each text is read once. */
  private final Map<String, Naming> byText = new HashMap<>();

  private static final class Naming {
    final Optional<IntentPath> path;
    final SortedSet<String> hosts = new TreeSet<>();
    int conversations;

    Naming(Optional<IntentPath> path) {
      this.path = path;
    }
  }

  private NamedIntents() {}

  /** O(n) in conversations and in the intents of all agents' rules. */
  public static NamedIntents of(Collection<AgentInfo> agents, Collection<Proof> proofs) {
    NamedIntents named = new NamedIntents();
    for (AgentInfo agent : agents) {
      agent.intents().forEach(intent -> named.naming(intent).hosts.add(agent.host()));
    }
    for (Proof proof : proofs) {
      Conversation conversation = proof.conversation();
      Naming naming = named.naming(conversation.intent());
      naming.conversations++;
      if (conversation.id().isOfAgent()) {
        naming.hosts.add(conversation.id().host());
      }
    }
    return named;
  }

  private Naming naming(String intent) {
    return byText.computeIfAbsent(
        intent,
        text -> {
          Optional<IntentPath> path = IntentPath.tryParse(text);
          String name = path.map(IntentPath::toString).orElseGet(() -> Quoted.printable(text));
          return byName.computeIfAbsent(name, first -> new Naming(path));
        });
  }

  /** Those that this tree does not have, ordered by intent. */
  public List<IntentUse> missingIn(IntentTree tree) {
    List<IntentUse> missing = new ArrayList<>();
    byName.forEach(
        (name, naming) -> {
          if (naming.path.filter(tree::contains).isEmpty()) {
            missing.add(
                IntentUse.of(
                    naming.path,
                    name,
                    tree.resolve(naming.path.orElse(IntentPath.ROOT)).node(),
                    naming.hosts,
                    naming.conversations));
          }
        });
    return missing;
  }

  /** As {@link #missingIn(IntentTree)} of the next tree, but of those only that this one has. */
  public List<IntentUse> lost(IntentTree now, IntentTree next) {
    return missingIn(next).stream()
        .filter(use -> use.path().filter(now::contains).isPresent())
        .collect(Collectors.toUnmodifiableList());
  }

  /** As {@link #missingIn(IntentTree)}, but of a branch only. */
  public List<IntentUse> missingIn(IntentTree tree, IntentPath branch) {
    return missingIn(tree).stream()
        .filter(use -> use.path().filter(path -> path.isWithin(branch)).isPresent())
        .collect(Collectors.toUnmodifiableList());
  }
}
