package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.PolicyService;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.view.Word;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;

/** Who would win and who would lose by another policy; nothing changes. */
@Service
@Command(
    scope = "paceline",
    name = "whatif",
    description = "Who would win and who would lose by another policy; nothing changes",
    detailedDescription = "classpath:help/whatif.txt")
public final class WhatIfCommand extends IntentCommand {
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

  @Override
  protected boolean isReckoned() {
    return true;
  }

  @Override
  protected Table table(PolicyService use) {
    if (draft.isEmpty() && intent.isEmpty()) {
      throw new IllegalArgumentException(
          "Neither an intent nor a draft is given. Maybe \"paceline:whatif voip --least 80\".");
    }
    return table(
        use.whatIf(
            draft.isEmpty()
                ? changed(use, use.policies().tree(), IntentPath.parse(intent))
                : DraftsCommand.find(use, draft).tree()));
  }

  static Table table(PolicyDifference difference) {
    Table table =
        new Table("conversation", "utility", "then", "gain", "rate", "then ", "way", "because of")
            .toned("gain", Tone::ofGain);
    for (PolicyDifference.Effect effect : difference.effects()) {
      table.row(
          effect.conversation().toString(),
          Words.utility(effect.before().map(Grant::utility)),
          Words.utility(effect.after().map(Grant::utility)),
          String.format("%+.2f", effect.gain() / 1e9),
          Words.rate(effect.before().map(Grant::rate)),
          Words.rate(effect.after().map(Grant::rate)),
          effect.moves() ? "moves" : "stays",
          Word.of(effect.cause()));
    }
    table.conclude(
        String.format(
            "%d win, %d lose, %+.2f of utility together; %d rates and the rules of %d would"
                + " change.%s%s",
            difference.winners(),
            difference.losers(),
            difference.sum() / 1e9,
            difference.rates(),
            difference.moves(),
            difference.revalued() == 0
                ? ""
                : " Of those who win or lose "
                    + difference.revalued()
                    + " keep their rate, way and delay: another utility function says what those"
                    + " are worth.",
            String.join(
                "", difference.remarks().stream().map(r -> " " + r).toArray(String[]::new))));
    IntentRemoveCommand.warn(table, difference.stillNamed(), "then");
    return table;
  }
}
