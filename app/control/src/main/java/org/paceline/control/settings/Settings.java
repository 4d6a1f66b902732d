package org.paceline.control.settings;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.port.SettingStore;
import org.paceline.control.proof.Alarm;

/** The settings in force. */
public final class Settings {
  private final SettingStore store;
  private final Clock clock;
  private final SettingValues atStart;
  private volatile SettingValues values;
  private volatile List<Alarm> alarms = List.of();

  /** What is stored; where that cannot be used, the default. */
  public Settings(SettingStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
    atStart = SettingValues.of(store::find);
    values = atStart;
    alarm();
  }

  /** What is stored, but for what cannot be used. */
  public SettingValues values() {
    return values;
  }

  /** Takes what is stored now; where that cannot be used, what was in force stays. */
  public synchronized void lookAgain() {
    values = values.next(store::find);
    alarm();
  }

  /** One for each stored value that cannot be used; it ends when the value is put right. */
  public List<Alarm> alarms() {
    return alarms;
  }

  private void alarm() {
    Map<String, Instant> since = new TreeMap<>();
    alarms.forEach(alarm -> alarm.setting().ifPresent(name -> since.put(name, alarm.since())));
    List<Alarm> now = new ArrayList<>();
    for (Setting setting : SettingTable.all()) {
      String why = values.unusable().get(setting.name());
      if (why != null) {
        String sentence = why + " Until it is put right it is (" + inForce(setting) + ").";
        Instant first = since.getOrDefault(setting.name(), clock.instant());
        now.add(Alarm.ofSetting(setting.name(), sentence, first));
      }
    }
    alarms = List.copyOf(now);
  }

  private String inForce(Setting setting) {
    return (setting.isReadAtStart() ? atStart : values).text(setting);
  }
}
