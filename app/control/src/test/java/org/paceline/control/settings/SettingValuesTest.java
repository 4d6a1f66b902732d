package org.paceline.control.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SettingValuesTest {
  static List<Setting> all() {
    return SettingTable.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyDefaultAndExampleIsAllowed(Setting setting) {
    assertThat(setting.read(setting.byDefault())).isEqualTo(setting.byDefault());
    assertThat(setting.read(setting.example())).isNotEmpty();
    for (String word : setting.words()) {
      assertThat(setting.read(word)).isEqualTo(word);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void theEndsOfEveryRangeAreAllowedAndWhatLiesBeyondIsNot(Setting setting) {
    if (setting.kind() != Setting.Kind.NUMBER) {
      return;
    }
    for (int end : List.of(setting.least(), setting.greatest())) {
      assertThat(setting.read(Integer.toString(end))).isEqualTo(Integer.toString(end));
    }
    assertIsRefused(setting, Integer.toString(setting.greatest() + 1));
    int below = setting.least() - 1;
    assertIsRefused(setting, Integer.toString(setting.isZeroAllowed() && below == 0 ? -1 : below));
    assertIsRefused(setting, "99999999999999999999");
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatItMayNotBeIsReplacedByItsDefaultAlone(Setting setting) {
    Map<String, String> stored = new TreeMap<>(Map.of("lendThousandths", "60"));
    stored.put(setting.name(), "non sense");

    SettingValues values = values(stored);

    assertThat(values.text(setting)).isEqualTo(setting.byDefault());
    assertThat(values.unusable()).containsOnlyKeys(setting.name());
    assertThat(values.unusable().get(setting.name())).contains(setting.name(), "Maybe");
    if (!setting.equals(SettingTable.LEND)) {
      assertThat(values.number(SettingTable.LEND)).isEqualTo(60);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // usable, reserve; what is in force; what cannot be used.
    "900, 20, 900, 20, ",
    "15, 15, 15, 10, reserveThousandths",
    "5, 10, 960, 10, usableThousandths",
    "5, 5000, 960, 10, reserveThousandths usableThousandths",
    "960, 999, 960, 10, reserveThousandths",
    "5, 999, 960, 10, reserveThousandths usableThousandths"
  })
  void asFewAsPossibleAreReplacedOfThoseThatDoNotGoTogether(
      String usable, String reserve, int usableInForce, int reserveInForce, String replaced) {
    SettingValues values =
        values(Map.of("usableThousandths", usable, "reserveThousandths", reserve));
    assertThat(values.number(SettingTable.USABLE)).isEqualTo(usableInForce);
    assertThat(values.number(SettingTable.RESERVE)).isEqualTo(reserveInForce);
    assertThat(values.unusable().keySet())
        .containsExactlyElementsOf(replaced == null ? List.of() : List.of(replaced.split(" ")));
  }

  @ParameterizedTest
  @CsvSource({
    // managed, elephants; what is in force; what cannot be used.
    "34, 10, 34, 10, ",
    "34, 34, 34, 10, elephantDscp",
    "10, 10, 0, 10, managedDscp",
    // Nobody has said by what elephants are told.
    "10, '', 10, 12, ",
    "34, '', 34, 10, "
  })
  void managedTrafficAndElephantsHaveMarksOfTheirOwn(
      String managed, String elephants, int managedInForce, int elephantsInForce, String replaced) {
    SettingValues values = values(Map.of("managedDscp", managed, "elephantDscp", elephants));
    assertThat(values.number(SettingTable.MANAGED_DSCP)).isEqualTo(managedInForce);
    assertThat(values.number(SettingTable.ELEPHANT_DSCP)).isEqualTo(elephantsInForce);
    assertThat(values.unusable().keySet())
        .containsExactlyElementsOf(replaced == null ? List.of() : List.of(replaced));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingValues.byDefault().with(Map.of("managedDscp", "10")))
        .withMessageContaining("The elephantDscp (10) must be another one than the managedDscp.");
  }

  @ParameterizedTest
  @CsvSource({
    // usable, its least and most; what is in force; what cannot be used.
    "960, 900, 990, 960, 900, 990, ",
    "960, 0, 0, 960, 0, 0, ",
    "960, 970, 990, 960, 0, 990, usableLeastThousandths",
    "960, 10, 0, 960, 0, 0, usableLeastThousandths",
    "960, 900, 950, 960, 900, 0, usableMostThousandths",
    "960, 970, 950, 960, 0, 0, usableLeastThousandths usableMostThousandths"
  })
  void whatMayBeUsedLiesBetweenItsBounds(
      String usable,
      String least,
      String most,
      int usableInForce,
      int leastInForce,
      int mostInForce,
      String replaced) {
    SettingValues values =
        values(
            Map.of(
                "usableThousandths", usable,
                "usableLeastThousandths", least,
                "usableMostThousandths", most));
    assertThat(values.number(SettingTable.USABLE)).isEqualTo(usableInForce);
    assertThat(values.number(SettingTable.USABLE_LEAST)).isEqualTo(leastInForce);
    assertThat(values.number(SettingTable.USABLE_MOST)).isEqualTo(mostInForce);
    assertThat(values.unusable().keySet())
        .containsExactlyElementsOf(replaced == null ? List.of() : List.of(replaced.split(" ")));
    assertThat(PlannerSettings.of(values).usableThousandths()).isEqualTo(usableInForce);
  }

  @Test
  void boundsThatWereRightStayWithWhatTheyBound() {
    SettingValues values =
        values(Map.of("usableThousandths", "900", "usableLeastThousandths", "850"));
    SettingValues next =
        values.next(stored(Map.of("usableThousandths", "800", "usableLeastThousandths", "850")));
    assertThat(next.number(SettingTable.USABLE)).isEqualTo(900);
    assertThat(next.number(SettingTable.USABLE_LEAST)).isEqualTo(850);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> values.with(Map.of("usableThousandths", "800")))
        .withMessageContaining("The usableLeastThousandths (850)");
  }

  @Test
  void whatIsInForceStaysWhereTheNextCannotBeUsed() {
    SettingValues values = values(Map.of("mode", "shadow"));
    SettingValues next = values.next(stored(Map.of("mode", "nonsense", "lendThousandths", "7")));
    assertThat(next.text(SettingTable.MODE)).isEqualTo("shadow");
    assertThat(next.number(SettingTable.LEND)).isEqualTo(7);
    assertThat(next.unusable()).containsOnlyKeys("mode");
  }

  @Test
  void whatDoesNotGoTogetherIsRefusedBeforeItIsStored() {
    SettingValues now = SettingValues.byDefault();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> now.with(Map.of("usableThousandths", "10")))
        .withMessage(
            "The usableThousandths (10) must be above the reserveThousandths (10). Maybe 960 and"
                + " 10.");
    assertThat(
            now.with(Map.of("usableThousandths", "10", "reserveThousandths", "9"))
                .number(SettingTable.USABLE))
        .isEqualTo(10);
  }

  @Test
  void whatIsRefusedIsNamedWithItsRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingTable.LEND.read("six"))
        .withMessage(
            "The lendThousandths (six) must be 0 for none, or a whole number from 1 to 200. Maybe"
                + " 60.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingTable.GATEWAY.read("router"))
        .withMessage(
            "The gateway (router) must be a host's address, or empty for none. Maybe 192.0.2.1.");
    assertThat(SettingTable.GATEWAY.read("2001:0DB8:0:0::1")).isEqualTo("2001:db8::1");
  }

  private static void assertIsRefused(Setting setting, String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.read(text))
        .withMessageContaining("(" + text + ")")
        .withMessageContaining(setting.name());
  }

  private static SettingValues values(Map<String, String> stored) {
    return SettingValues.of(stored(stored));
  }

  private static java.util.function.Function<String, Optional<String>> stored(
      Map<String, String> stored) {
    return name -> Optional.ofNullable(stored.get(name));
  }
}
