package org.paceline.cli.settings;

import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.control.settings.Settings;

/** Sets one setting, if the value lies in its range. */
@Service
@Command(
    scope = "paceline",
    name = "setting-set",
    description = "Sets a setting, if the value lies in its range",
    detailedDescription = "classpath:help/settings.txt")
public final class SettingSetCommand extends OneSettingCommand {
  @Argument(index = 1, name = "value", required = true, description = "What it is to be")
  String value = "";

  @Argument(
      index = 2,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Override
  void change(Settings settings) {
    settings.set(author(), "paceline:setting-set " + setting + " " + value, Map.of(setting, value));
  }
}
