package org.paceline.cli.naming;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.SentFile;
import org.paceline.cli.table.Table;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.naming.MacPrefix;

/** Puts a list of MAC addresses, such as of all phones, in the place of the one of its name. */
@Service
@Command(
    scope = "paceline",
    name = "macs-import",
    description =
        "Puts a list of MAC addresses, such as of all phones, in force; reads what is sent",
    detailedDescription = "classpath:help/naming-rules.txt")
public final class MacsImportCommand extends ChangingCommand<NamingService> {
  private static final int SHOWN = 20;

  @Argument(name = "name", required = true, description = "By which rules say it: @NAME")
  String name = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public MacsImportCommand() {
    super(UseCases::naming);
  }

  @Override
  protected Role needs() {
    return Role.OPERATOR;
  }

  @Override
  protected Table table(NamingService use) {
    use.importMacs(author(), name, SentFile.read("paceline:macs-import " + name + " < phones.csv"));
    return table(name, use.store().inForce().rules().macs().getOrDefault(name, List.of()));
  }

  static Table table(String name, List<MacPrefix> macs) {
    Table table = new Table("mac", "name");
    macs.stream().limit(SHOWN).forEach(mac -> table.row(mac.prefix(), mac.name()));
    table.conclude(
        "The list @"
            + name
            + " has "
            + macs.size()
            + " MAC addresses"
            + (macs.size() > SHOWN ? ", of which the first " + SHOWN + " are shown." : "."));
    return table;
  }
}
