package org.paceline.cli.naming;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.UseCases;

/** The naming rules in force as one YAML file. */
@Service
@Command(
    scope = "paceline",
    name = "naming-rules-export",
    description = "The naming rules in force as one YAML file",
    detailedDescription = "classpath:help/naming-rules.txt")
public final class NamingRulesExportCommand extends PacelineCommand<NamingService> {
  public NamingRulesExportCommand() {
    super(UseCases::naming);
  }

  @Override
  protected void show(NamingService use) throws Exception {
    if (json) {
      super.show(use);
    } else {
      System.out.print(file(use));
    }
  }

  /** For programs that want nothing but JSON: the file as one text. */
  @Override
  protected Table table(NamingService use) {
    Table table = new Table("file");
    table.row(file(use));
    return table;
  }

  private static String file(NamingService use) {
    return use.file().write(use.store().inForce().rules());
  }
}
