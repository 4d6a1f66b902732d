package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.intents.tree.IntentTree;

/** The policy in force, an earlier version or a draft, as one YAML file. */
@Service
@Command(
    scope = "paceline",
    name = "policy-export",
    description = "The policy in force, an earlier version or a draft, as one YAML file",
    detailedDescription = "classpath:help/policy-file.txt")
public final class PolicyExportCommand extends PacelineCommand<PolicyService> {
  @Argument(name = "version", description = "Its number; without, the version in force")
  @Completion(VersionCompleter.class)
  long version;

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(name = "--draft", description = "Instead of a version: the draft of this name")
  @Completion(DraftCompleter.class)
  String draft = "";

  public PolicyExportCommand() {
    super(UseCases::policy);
  }

  @Override
  protected void show(PolicyService use) throws Exception {
    if (json) {
      super.show(use);
    } else {
      System.out.print(file(use));
    }
  }

  /** For programs that want nothing but JSON: the file as one text. */
  @Override
  protected Table table(PolicyService use) {
    Table table = new Table("file");
    table.row(file(use));
    return table;
  }

  private String file(PolicyService use) {
    return use.file().write(tree(use));
  }

  private IntentTree tree(PolicyService use) {
    if (!draft.isEmpty()) {
      return DraftsCommand.find(use, draft).tree();
    }
    return version == 0
        ? use.policies().tree()
        : use.versions().mustFind(version, "Maybe \"paceline:policy\" names it.").tree();
  }
}
