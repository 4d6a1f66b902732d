package org.paceline.cli.settings;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.UseCases;
import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.Settings;

/** Completes the names of settings. */
@Service
public final class SettingCompleter extends NameCompleter<Settings> {
  public SettingCompleter() {
    super(UseCases::settings);
  }

  @Override
  protected Stream<String> names(Settings use) {
    return SettingTable.all().stream().map(Setting::name);
  }
}
