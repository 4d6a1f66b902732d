package org.paceline.control.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.paceline.control.proof.Alarm;

final class SettingsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");

  private final RememberedSettings store = new RememberedSettings();

  @Test
  void aStoredValueThatCannotBeUsedIsAnAlarmUntilItIsPutRight() {
    store.put("mode", "nonsense");
    store.put("port", "many");
    store.put("lendThousandths", "60");

    Settings settings = settings();

    assertThat(settings.values().text(SettingTable.MODE)).isEqualTo("enforce");
    assertThat(settings.values().number(SettingTable.LEND)).isEqualTo(60);
    assertThat(settings.alarms())
        .containsExactly(
            Alarm.ofSetting(
                "mode",
                "The mode (nonsense) must be one of [enforce, shadow]. Maybe enforce. Until it is"
                    + " put right it is (enforce).",
                NOW),
            Alarm.ofSetting(
                "port",
                "The port (many) must be a whole number from 1 to 65535. Maybe 9559. Until it is"
                    + " put right it is (9559).",
                NOW));

    store.put("mode", "shadow");
    settings.lookAgain();
    assertThat(settings.values().text(SettingTable.MODE)).isEqualTo("shadow");
    assertThat(settings.alarms()).extracting(Alarm::about).containsExactly("setting port");

    store.remove("port");
    settings.lookAgain();
    assertThat(settings.alarms()).isEmpty();
  }

  @Test
  void whatCannotBeUsedLeavesWhatIsInForce() {
    store.put("mode", "shadow");
    Settings settings = settings();
    store.put("mode", "enfroce");
    settings.lookAgain();
    assertThat(settings.values().text(SettingTable.MODE)).isEqualTo("shadow");
    assertThat(settings.alarms())
        .singleElement()
        .extracting(Alarm::sentence)
        .asString()
        .contains("(enfroce)", "it is (shadow)");
  }

  private Settings settings() {
    return new Settings(store, Clock.fixed(NOW, ZoneOffset.UTC));
  }
}
