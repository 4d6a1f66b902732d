package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.policy.PolicyDraft;

/** The policies that are prepared. */
@Service
@Command(
    scope = "paceline",
    name = "drafts",
    description = "The policies that are prepared",
    detailedDescription = "classpath:help/policy.txt")
public final class DraftsCommand extends PacelineCommand<PolicyService> {
  public DraftsCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    return table(use.drafts().all(), use.versions().inForce().number());
  }

  /**
   * @throws IllegalArgumentException if there is none of this name
   */
  static PolicyDraft find(PolicyService use, String name) {
    return use.drafts()
        .find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no draft (" + name + "). Maybe it is in force already."));
  }

  static Table table(List<PolicyDraft> drafts, long inForce) {
    Table table = new Table("draft", "at", "by", "ticket", "of version", "intents");
    for (PolicyDraft draft : drafts) {
      table.row(
          draft.name(),
          draft.at().toString(),
          draft.author().actor(),
          draft.author().ticket().orElse("-"),
          Long.toString(draft.base()),
          Integer.toString(draft.tree().policies().size()));
    }
    table.conclude(
        drafts.isEmpty()
            ? "Nothing is prepared."
            : drafts.size()
                + " drafts; those of version "
                + inForce
                + ", or of one with the same intents, can be committed.");
    return table;
  }
}
