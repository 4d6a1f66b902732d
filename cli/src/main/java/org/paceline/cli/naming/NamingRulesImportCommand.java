package org.paceline.cli.naming;

import java.util.OptionalLong;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.SentFile;
import org.paceline.cli.table.Table;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;

/** Puts the naming rules of a YAML file in the place of all before. */
@Service
@Command(
    scope = "paceline",
    name = "naming-rules-import",
    description = "Puts the naming rules of a YAML file in force; reads what is sent",
    detailedDescription = "classpath:help/naming-rules.txt")
public final class NamingRulesImportCommand extends ChangingCommand<NamingService> {
  public NamingRulesImportCommand() {
    super(UseCases::naming);
  }

  @Override
  protected Role needs() {
    return Role.OPERATOR;
  }

  @Override
  protected Table table(NamingService use) {
    String text = SentFile.read("paceline:naming-rules-import < naming-rules.yaml");
    use.store().set(author(), text, use.file().read(text), OptionalLong.empty());
    return new NamingRulesCommand().table(use);
  }
}
