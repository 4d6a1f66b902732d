package org.paceline.control.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.model.Alarm;

final class SettingsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
  private static final Author ANNA = Author.of("anna", Optional.of("CHG1"));

  private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
  private final RememberedSettings store = new RememberedSettings();
  private final RememberedRecords<String> seen = new RememberedRecords<>();
  private final ChangeLog changes =
      new ChangeLog(
          RememberedRecords.numbered(new RememberedRecords<>()),
          new RememberedRecords<>(),
          "n1",
          clock);

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

    settings.reset(ANNA, "", List.of("port"));
    assertThat(settings.alarms()).isEmpty();
  }

  @Test
  void whatCannotBeUsedLeavesWhatIsInForce() {
    store.put("mode", "shadow");
    Settings settings = settings();
    store.put("mode", "enfroce");
    settings.lookAgain();
    assertThat(settings.values().text(SettingTable.MODE)).isEqualTo("shadow");
    assertThat(settings.alarms().get(0).sentence()).contains("(enfroce)", "it is (shadow)");
    SettingState state = settings.find("mode").orElseThrow();
    assertThat(state.value()).isEqualTo("shadow");
    assertThat(state.stored()).hasValue("enfroce");
    assertThat(state.trouble()).isPresent();
  }

  @Test
  void aChangeIsInForceAtOnceAndInTheLogWithWhatWasBefore() {
    Settings settings = settings();
    List<String> modes = new ArrayList<>();
    settings.onChange(() -> modes.add(settings.values().text(SettingTable.MODE)));

    settings.set(ANNA, "the body", Map.of("mode", "shadow"));

    assertThat(modes).containsExactly("shadow");
    assertThat(store.find("mode")).hasValue("shadow");
    Change change = log().get(0);
    assertThat(change.author()).isEqualTo(ANNA);
    assertThat(change.operation()).isEqualTo("The setting (mode) is set to (shadow).");
    assertThat(change.body()).isEqualTo("the body");
    assertThat(change.before()).isEmpty();
    assertThat(change.after()).isEqualTo("shadow");

    settings.reset(ANNA, "", List.of("mode"));
    assertThat(log().get(0).operation())
        .isEqualTo("The setting (mode) is set back to its default.");
    assertThat(log().get(0).before()).isEqualTo("shadow");
    assertThat(settings.values().text(SettingTable.MODE)).isEqualTo("enforce");
  }

  @Test
  void whatIsSoAlreadyIsNotWrittenAgain() {
    Settings settings = settings();
    settings.set(ANNA, "", Map.of("mode", "shadow"));
    settings.set(ANNA, "", Map.of("mode", "shadow"));
    settings.reset(ANNA, "", List.of("port"));
    assertThat(log()).hasSize(1);
  }

  @Test
  void ofSeveralAllAreSetOrNone() {
    Settings settings = settings();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> settings.set(ANNA, "", Map.of("mode", "shadow", "usableThousandths", "5000")))
        .withMessageContaining("(5000)");
    assertThat(store.find("mode")).isEmpty();
    assertThat(log()).isEmpty();
  }

  @Test
  void whatWaitsForTheNextStartIsStoredAndSaysSo() {
    Settings settings = settings();
    settings.set(ANNA, "", Map.of("port", "9600"));
    SettingState state = settings.find("port").orElseThrow();
    assertThat(state.value()).isEqualTo("9559");
    assertThat(state.stored()).hasValue("9600");
    assertThat(settings().find("port").orElseThrow().value()).isEqualTo("9600");
  }

  @Test
  void whatCamePastUsIsInTheLogOnceWithWhoWasSeenToDoIt() {
    Settings settings = settings();
    store.put("mode", "shadow");
    store.put("lendThousandths", "60");

    settings.lookAgain();
    settings.lookAgain();

    assertThat(log())
        .extracting(change -> change.author().actor() + ": " + change.operation())
        .containsExactly(
            "another interface: The setting (lendThousandths) was set to (60) past Paceline.",
            "eve: The setting (mode) was set to (shadow) past Paceline.");
    assertThat(log().get(1).after()).isEqualTo("shadow");
  }

  @Test
  void whatWasSetWhileNobodyWasHereIsFoundAtTheNextStart() {
    settings().set(ANNA, "", Map.of("mode", "shadow"));
    store.remove("mode");

    Settings next = settings();
    next.lookAgain();

    assertThat(log()).hasSize(2);
    assertThat(log().get(0).operation())
        .isEqualTo("The setting (mode) was set back to its default past Paceline.");
    assertThat(log().get(0).before()).isEqualTo("shadow");
  }

  private List<Change> log() {
    return changes.newest(Integer.MAX_VALUE, Long.MAX_VALUE, change -> true).stream()
        .collect(Collectors.toList());
  }

  private Settings settings() {
    return new Settings(
        store,
        changes,
        seen,
        (name, after) -> name.equals("mode") ? Optional.of("eve") : Optional.empty(),
        clock);
  }
}
