package org.paceline.control.api;

import java.util.List;
import java.util.Map;
import org.paceline.control.audit.Absent;
import org.paceline.control.experience.LearnedTable;
import org.paceline.control.experience.TableLearning;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;

/** What reports teach of utility functions, and how it becomes a proposal. */
public final class LearningService {
  private final TableLearning learning;
  private final PolicyDrafts drafts;

  public LearningService(TableLearning learning, PolicyDrafts drafts) {
    this.learning = learning;
    this.drafts = drafts;
  }

  /** By name; on any thread. */
  public List<LearnedTable> tables() {
    return learning.tables();
  }

  /**
   * @throws Absent if nobody has reported anything of the function
   */
  public LearnedTable table(String name) {
    return tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new Absent(
                    "Nothing was reported of the utility function ("
                        + name
                        + "). Maybe no intent that names it has a kpiModel, or no application"
                        + " reports."));
  }

  /** The intent trees that are being prepared. */
  public PolicyDrafts drafts() {
    return drafts;
  }

  /**
   * What a draft of this name begins with, or goes on with, and every intent that names the
   * function as it was learned from has the refined one instead.
   *
   * @throws Absent if nobody has reported anything of the function, or no intent names it
   */
  public IntentTree refined(String name, String draft) {
    return refined(table(name), drafts.goOnWith(draft));
  }

  /**
   * The tree in force, and every intent that names the function as it was learned from has the
   * refined one instead. So whoever asks again has the same, whatever was prepared meanwhile.
   *
   * @throws Absent if nobody has reported anything of the function, or no intent names it
   */
  public IntentTree refinedInForce(String name) {
    return refined(table(name), drafts.inForce());
  }

  private static IntentTree refined(LearnedTable table, IntentTree tree) {
    UtilityFunction refined = table.refined();
    IntentTree next = tree;
    for (Map.Entry<IntentPath, Policy> node : tree.policies().entrySet()) {
      Policy replaced = node.getValue().replacing(table.promised(), refined);
      if (!replaced.equals(node.getValue())) {
        next = next.with(node.getKey(), replaced);
      }
    }
    if (next.equals(tree)) {
      throw new Absent(
          "No intent names the utility function ("
              + table.name()
              + ") as it was when reports came. Maybe it was replaced meanwhile.");
    }
    return next;
  }
}
