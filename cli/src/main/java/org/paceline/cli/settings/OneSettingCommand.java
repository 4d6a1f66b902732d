package org.paceline.cli.settings;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.settings.Settings;

/** What changes one setting, and shows it afterwards. */
abstract class OneSettingCommand extends ChangingCommand<Settings> {
  @Argument(name = "setting", required = true, description = "As paceline:settings lists it")
  @Completion(SettingCompleter.class)
  String setting = "";

  OneSettingCommand() {
    super(UseCases::settings);
  }

  @Override
  protected final Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected final Table table(Settings settings) {
    if (settings.find(setting).isEmpty()) {
      throw new IllegalArgumentException(
          "There is no setting ("
              + setting
              + "). Maybe \"paceline:settings\" lists the one that you mean.");
    }
    change(settings);
    return SettingsCommand.table(settings.find(setting).map(List::of).orElseGet(List::of));
  }

  abstract void change(Settings settings);
}
