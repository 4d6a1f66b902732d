package org.paceline.control.assurance;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.paceline.control.inventory.IntentUse;
import org.paceline.control.inventory.NamedIntents;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Proof;
import org.paceline.intents.tree.IntentTree;

/**
 * Who names an intent that the tree does not have. Its conversations are served as its nearest
 * ancestor, so that a rule with a typing error, or an intent that was removed, ends no service; but
 * they may not get what was meant for them.
 */
public final class UnknownIntents {
  /** Of one host: applications may name whatever they like there, and must not flood the alarms. */
  private static final int MOST_OF_A_HOST = 20;

  private final Supplier<Collection<AgentInfo>> agents;
  private final Supplier<IntentTree> tree;
  private final Clock clock;
  private Map<String, Instant> since = Map.of();

  /**
   * @param agents those that are attached
   * @param tree the one in force
   */
  public UnknownIntents(
      Supplier<Collection<AgentInfo>> agents, Supplier<IntentTree> tree, Clock clock) {
    this.agents = agents;
    this.tree = tree;
    this.clock = clock;
  }

  /** One alarm for each such intent, whoever names it; to be asked by one thread. */
  public List<Alarm> look(Collection<Proof> proofs) {
    List<Alarm> alarms = new ArrayList<>();
    Map<String, Instant> still = new HashMap<>();
    Map<String, Integer> ofHost = new HashMap<>();
    for (IntentUse use : NamedIntents.of(agents.get(), proofs).missingIn(tree.get())) {
      boolean mayBeRaised = use.hosts().isEmpty();
      for (String host : use.hosts()) {
        mayBeRaised |= ofHost.merge(host, 1, Integer::sum) <= MOST_OF_A_HOST;
      }
      if (mayBeRaised) {
        Instant first = since.getOrDefault(use.intent(), clock.instant());
        still.put(use.intent(), first);
        alarms.add(Alarm.ofIntent(use.intent(), sentence(use), first));
      }
    }
    since = still;
    return alarms;
  }

  private static String sentence(IntentUse use) {
    return "The intent ("
        + use.intent()
        + ") is not in the tree and is named by "
        + use.who()
        + "; its conversations are served as ("
        + use.servedAs()
        + "). Maybe "
        + use.path().map(path -> "create it (paceline:intent-set " + path + "), or ").orElse("")
        + "change the rules there.";
  }
}
