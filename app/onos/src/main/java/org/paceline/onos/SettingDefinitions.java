package org.paceline.onos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.onosproject.cfg.ConfigProperty;
import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingTable;

/**
 * The file beside {@link PacelineComponent} by which ONOS knows its settings. The build runs this,
 * so that nobody has to write the table a second time. ONOS says "does not exist" to a setting that
 * the file does not name, and answers 207 all the same.
 */
final class SettingDefinitions {
  private static final String FILE = PacelineComponent.class.getSimpleName() + ".cfgdef";

  private SettingDefinitions() {}

  /**
   * @param folders where the class of the component lies
   */
  public static void main(String[] folders) throws IOException {
    Files.writeString(Path.of(folders[0], FILE), text());
  }

  /** A line for each setting: its name, its type, its default and its meaning. */
  static String text() {
    return SettingTable.all().stream()
        .map(SettingDefinitions::line)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(Setting setting) {
    return String.join(
        "|",
        setting.name(),
        type(setting.kind()).name(),
        setting.byDefault(),
        setting.meaning()
            + (setting.isReadAtStart() ? "; takes effect when the application starts again" : ""));
  }

  private static ConfigProperty.Type type(Setting.Kind kind) {
    switch (kind) {
      case NUMBER:
        return ConfigProperty.Type.INTEGER;
      case YES_OR_NO:
        return ConfigProperty.Type.BOOLEAN;
      case WORD:
      case TEXT:
        return ConfigProperty.Type.STRING;
    }
    throw new AssertionError("There is no other kind (" + kind + ").");
  }
}
