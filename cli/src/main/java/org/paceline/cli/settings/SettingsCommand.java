package org.paceline.cli.settings;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.UseCases;
import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingState;
import org.paceline.control.settings.Settings;

/** What can be set, and what it is. */
@Service
@Command(
    scope = "paceline",
    name = "settings",
    description = "What can be set, what it is and what it may be",
    detailedDescription = "classpath:help/settings.txt")
public final class SettingsCommand extends PacelineCommand<Settings> {
  public SettingsCommand() {
    super(UseCases::settings);
  }

  @Override
  protected Table table(Settings use) {
    return table(use.all());
  }

  static Table table(List<SettingState> all) {
    Table table =
        new Table("setting", "value", "default", "must be", "stored", "what for")
            .toned("stored", Tone::ofTrouble);
    int otherwise = 0;
    for (SettingState state : all) {
      Setting setting = state.setting();
      table.row(
          setting.name(),
          shown(state.value()),
          shown(setting.byDefault()),
          setting.takes(),
          state.stored().map(text -> text + why(state)).orElse("-"),
          setting.meaning());
      otherwise += state.stored().isPresent() ? 1 : 0;
    }
    table.conclude(
        otherwise == 0
            ? "What is stored is in force."
            : otherwise + " are stored otherwise than they are in force.",
        otherwise == 0 ? Tone.GOOD : Tone.NOTABLE);
    return table;
  }

  private static String why(SettingState state) {
    return state.trouble().isPresent() ? " (cannot be used)" : " (from the next start)";
  }

  private static String shown(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
