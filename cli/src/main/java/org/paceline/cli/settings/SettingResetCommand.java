package org.paceline.cli.settings;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.control.settings.Settings;

/** Sets one setting back to its default. */
@Service
@Command(
    scope = "paceline",
    name = "setting-reset",
    description = "Sets a setting back to its default",
    detailedDescription = "classpath:help/settings.txt")
public final class SettingResetCommand extends OneSettingCommand {
  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Override
  void change(Settings settings) {
    settings.reset(author(), "paceline:setting-reset " + setting, List.of(setting));
  }
}
