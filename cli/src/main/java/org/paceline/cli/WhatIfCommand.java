package org.paceline.cli;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;
import org.paceline.control.policy.PolicyDifference;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;

/** Who would win and who would lose by another policy; nothing changes. */
@Service
@Command(
    scope = "paceline",
    name = "whatif",
    description = "Who would win and who would lose by another policy; nothing changes",
    detailedDescription = "classpath:help/whatif.txt")
public final class WhatIfCommand extends PacelineCommand {
  @Argument(name = "intent", description = "CLASS/INTENT whose policy would change")
  @Completion(IntentCompleter.class)
  String intent = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(name = "--least", description = "Its least rate in kbit/s")
  long least;

  @Option(name = "--greatest", description = "Its greatest rate in kbit/s")
  long greatest;

  @Option(name = "--priority", description = "Its priority; a greater one is served first")
  int priority = Integer.MIN_VALUE;

  @Option(name = "--draft", description = "Instead of an intent: the draft of this name")
  @Completion(DraftCompleter.class)
  String draft = "";

  @Override
  Table table(UseCases use) {
    return table(
        use.whatIf(
            draft.isEmpty()
                ? changed(use.policies().tree(), known(use, intent), least, greatest, priority)
                : DraftsCommand.find(use, draft).tree()));
  }

  /** The tree with another policy of one node; 0 and the least number change nothing. */
  static IntentTree changed(
      IntentTree now, IntentPath node, long least, long greatest, int priority) {
    Policy.Builder policy =
        Optional.ofNullable(now.policies().get(node)).orElse(Policy.INHERIT_ALL).toBuilder();
    if (least > 0) {
      policy.minimumRate(DataRate.ofKilobitsPerSecond(least));
    }
    if (greatest > 0) {
      policy.maximumRate(DataRate.ofKilobitsPerSecond(greatest));
    }
    if (priority != Integer.MIN_VALUE) {
      policy.priority(priority);
    }
    return now.with(node, policy.build());
  }

  /**
   * @throws IllegalArgumentException if the tree has no such node
   */
  static IntentPath known(UseCases use, String intent) {
    IntentPath node = IntentPath.parse(intent);
    if (!use.policies().tree().contains(node)) {
      throw new IllegalArgumentException(
          "There is no intent ("
              + intent
              + "). Maybe you meant "
              + String.join(" or ", use.policies().nearest(intent))
              + ".");
    }
    return node;
  }

  static Table table(PolicyDifference difference) {
    Table table =
        new Table("conversation", "utility", "then", "gain", "rate", "then ", "way")
            .toned("gain", Tone::ofGain);
    for (PolicyDifference.Effect effect : difference.effects()) {
      table.row(
          effect.conversation().toString(),
          Words.utility(effect.before().map(Grant::utility)),
          Words.utility(effect.after().map(Grant::utility)),
          String.format("%+.2f", effect.gain() / 1e9),
          Words.rate(effect.before().map(Grant::rate)),
          Words.rate(effect.after().map(Grant::rate)),
          effect.moves() ? "moves" : "stays");
    }
    table.conclude(
        String.format(
            "%d win, %d lose, %+.2f of utility together; %d rates and the rules of %d would"
                + " change.%s",
            difference.winners(),
            difference.losers(),
            difference.sum() / 1e9,
            difference.rates(),
            difference.moves(),
            String.join(
                "", difference.remarks().stream().map(r -> " " + r).toArray(String[]::new))));
    return table;
  }
}
