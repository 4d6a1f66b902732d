package org.paceline.control.settings;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Subject;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.Records;
import org.paceline.control.port.SettingStore;
import org.paceline.control.work.Each;

/**
 * The settings in force, and how they change. They are stored where ONOS keeps all settings, so
 * others can change them, too: what came past us is found by comparing what is stored with what was
 * there when we looked last, and is in the log of changes as well.
 */
public final class Settings {
  /** Whom the log names where nobody was seen. */
  public static final String UNSEEN = "another interface";

  private final SettingStore store;
  private final ChangeLog changes;
  private final Records<String> seen;
  private final Witness witness;
  private final Clock clock;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final SettingValues atStart;
  private volatile SettingValues values;
  private volatile List<Alarm> alarms = List.of();

  /**
   * What is stored is in force; where that cannot be used, the default.
   *
   * @param seen what was stored when we looked last, over restarts
   * @param witness of changes by another way
   */
  public Settings(
      SettingStore store, ChangeLog changes, Records<String> seen, Witness witness, Clock clock) {
    this.store = store;
    this.changes = changes;
    this.seen = seen;
    this.witness = witness;
    this.clock = clock;
    atStart = SettingValues.of(store::find);
    values = atStart;
    alarm();
  }

  /** What is stored, but for what cannot be used. */
  public SettingValues values() {
    return values;
  }

  /** Is told when other values are in force, by whoever changed them. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** In the order of the table. */
  public List<SettingState> all() {
    return SettingTable.all().stream().map(this::state).collect(Collectors.toUnmodifiableList());
  }

  /** Empty where there is no setting of this name. */
  public Optional<SettingState> find(String name) {
    return SettingTable.find(name).map(this::state);
  }

  private SettingState state(Setting setting) {
    return SettingState.of(
        setting,
        inForce(setting),
        store.find(setting.name()),
        Optional.ofNullable(values.unusable().get(setting.name())));
  }

  private String inForce(Setting setting) {
    return (setting.isReadAtStart() ? atStart : values).text(setting);
  }

  /**
   * Sets some, all or none; what is so already is not written again.
   *
   * @param body what was sent to ask for it
   * @param wanted values by the names of settings
   * @throws IllegalArgumentException if a value may not be, or does not go with the others
   */
  public synchronized void set(Author author, String body, Map<String, String> wanted) {
    SettingValues next = values.with(wanted);
    for (Setting setting : SettingTable.all()) {
      String text = next.text(setting);
      if (wanted.containsKey(setting.name())
          && !store.find(setting.name()).equals(Optional.of(text))) {
        change(
            author,
            setting.name(),
            "The setting (" + setting.name() + ") is set to (" + text + ").",
            body,
            Optional.of(text));
      }
    }
    look();
  }

  /**
   * Sets some back to their defaults.
   *
   * @throws IllegalArgumentException if a default does not go with the others
   */
  public synchronized void reset(Author author, String body, Collection<String> names) {
    Map<String, String> defaults = new TreeMap<>();
    SettingTable.all().stream()
        .filter(setting -> names.contains(setting.name()))
        .forEach(setting -> defaults.put(setting.name(), setting.byDefault()));
    values.with(defaults);
    for (String name : defaults.keySet()) {
      if (store.find(name).isPresent()) {
        change(
            author,
            name,
            "The setting (" + name + ") is set back to its default.",
            body,
            Optional.empty());
      }
    }
    look();
  }

  private void change(
      Author author, String name, String operation, String body, Optional<String> after) {
    changes.carryOut(
        author,
        Subject.of(Subject.Kind.SETTING, name),
        operation,
        body,
        store.find(name).orElse(""),
        after.orElse(""),
        at -> {
          after.ifPresentOrElse(text -> store.put(name, text), () -> store.remove(name));
          saw(name, after);
          return name;
        });
  }

  private void saw(String name, Optional<String> stored) {
    stored.ifPresentOrElse(text -> seen.replace(name, text), () -> seen.remove(name));
  }

  /** Whether what a crash cut off was stored. */
  public synchronized boolean isMade(PendingChange change) {
    String name = change.subject().key();
    boolean isMade = store.find(name).orElse("").equals(change.change().after());
    if (isMade) {
      saw(name, store.find(name));
    }
    return isMade;
  }

  /**
   * Takes what is stored now, whoever stored it; where that cannot be used, what was in force
   * stays. What came past us is written into the log of changes.
   */
  public synchronized void lookAgain() {
    for (Setting setting : SettingTable.all()) {
      String name = setting.name();
      Optional<String> before = seen.find(name);
      Optional<String> after = store.find(name);
      if (!before.equals(after)) {
        changes.carryOut(
            Author.of(witness.whoSet(name, after).orElse(UNSEEN), Optional.empty()),
            Subject.of(Subject.Kind.SETTING, name),
            "The setting ("
                + name
                + ") was "
                + after.map(text -> "set to (" + text + ")").orElse("set back to its default")
                + " past Paceline.",
            "",
            before.orElse(""),
            after.orElse(""),
            at -> {
              saw(name, after);
              return name;
            });
      }
    }
    look();
  }

  private void look() {
    values = values.next(store::find);
    alarm();
    Each.of(listeners, Runnable::run);
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
}
