package org.paceline.reference;

import static org.paceline.reference.MarkdownTable.code;

import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingTable;

/** Each setting of the application, from {@link SettingTable}. */
final class SettingsPage implements Page {
  @Override
  public String name() {
    return "settings.md";
  }

  @Override
  public String text() {
    MarkdownTable table = new MarkdownTable("setting", "default", "must be", "what it is for");
    for (Setting setting : SettingTable.all()) {
      table.row(
          code(setting.name()) + (setting.isReadAtStart() ? " *" : ""),
          setting.byDefault().isEmpty() ? "empty" : code(setting.byDefault()),
          setting.takes(),
          setting.meaning());
    }
    return "# Settings of the application\n\n"
        + "How they are changed, and what follows: [Settings](../operate/settings.md)."
        + " Those with a star are read when the application starts.\n\n"
        + table;
  }
}
