package org.paceline.cli.learning;

import java.util.List;
import java.util.Locale;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.policy.DraftCompleter;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.LearningService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.utility.UtilityFunction;

/** What reports teach of utility functions, or a draft of that. */
@Service
@Command(
    scope = "paceline",
    name = "learned",
    description = "What applications report of utility functions, beside what they promise",
    detailedDescription = "classpath:help/learned.txt")
public final class LearnedCommand extends ChangingCommand<LearningService> {
  private static final String AWAY = "away";

  @Argument(name = "function", description = "The name of a utility function")
  @Completion(LearnedNameCompleter.class)
  String function = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(
      name = "--draft",
      description = "Prepares a policy with the function as it was learned, under this name")
  @Completion(DraftCompleter.class)
  String draft = "";

  public LearnedCommand() {
    super(UseCases::learning);
  }

  @Override
  protected Role needs() {
    return draft.isEmpty() ? Role.VIEWER : Role.BRANCH;
  }

  @Override
  protected Table table(LearningService use) {
    if (draft.isEmpty()) {
      return table(function.isEmpty() ? use.tables() : List.of(use.table(function)));
    }
    if (function.isEmpty()) {
      throw new IllegalArgumentException(
          "(--draft) needs the name of one utility function. Maybe " + advice(use) + ".");
    }
    IntentTree next = use.refined(function, draft);
    use.drafts().mustBeAllowed(user(), draft, next);
    use.drafts().put(draft, author(), "paceline:learned " + function + " --draft " + draft, next);
    Table table = table(List.of(use.table(function)));
    table.conclude(
        "Draft "
            + draft
            + " has "
            + use.table(function).refined().name()
            + " in the place of "
            + function
            + ". Maybe look at paceline:whatif --draft "
            + draft
            + ".",
        Tone.NOTABLE);
    return table;
  }

  private static String advice(LearningService use) {
    List<LearnedTable> tables = use.tables();
    return tables.isEmpty() ? "wait until applications have reported" : tables.get(0).name();
  }

  static Table table(List<LearnedTable> tables) {
    Table table =
        new Table("function", "rate", "within", "promised", "reported", "reports", "is", "learned")
            .toned("is", word -> word.equals(AWAY) ? Tone.BAD : Tone.PLAIN);
    for (LearnedTable learned : tables) {
      UtilityFunction promised = learned.promised();
      UtilityFunction refined = learned.refined();
      for (LearnedCell cell : learned.cells()) {
        table.row(
            learned.name(),
            Words.rate(promised.throughput(cell.throughputBin())),
            Words.delay(promised.delay(cell.delayBin())),
            Words.utility(learned.promise(cell)),
            reported(cell),
            Long.toString(cell.reports()),
            !cell.isEnough() ? "too few" : learned.isAway(cell) ? AWAY : "near",
            Words.utility(refined.utility(cell.throughputBin(), cell.delayBin())));
      }
    }
    long away = tables.stream().filter(one -> !one.away().isEmpty()).count();
    table.conclude(
        tables.isEmpty()
            ? "Nothing was reported yet under an intent that has a KPI model."
            : away
                + " of "
                + tables.size()
                + " functions promise something else than is reported.");
    return table;
  }

  private static String reported(LearnedCell cell) {
    return cell.isEnough()
        ? String.format(Locale.ROOT, "%.2f +-%.2f", cell.mean(), cell.halfWidth())
        : String.format(Locale.ROOT, "%.2f", cell.mean());
  }
}
