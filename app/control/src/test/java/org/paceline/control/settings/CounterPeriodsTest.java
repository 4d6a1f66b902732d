package org.paceline.control.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CounterPeriodsTest {
  private static CounterPeriods periods(Map<String, String> stored) {
    return new Options(SettingValues.of(name -> Optional.ofNullable(stored.get(name))))
        .counterPeriods();
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void unlessSetAllGoByPortsAndMetersByHalfOfTheAdaptivePeriodToo() {
    CounterPeriods unset = periods(Map.of());
    assertThat(unset.ports()).isEqualTo(seconds(5));
    assertThat(unset.queues()).isEqualTo(seconds(5));
    assertThat(unset.meters()).isEqualTo(seconds(1));
    CounterPeriods seldom = periods(Map.of("counterSeconds", "9", "adaptivePeriodSeconds", "600"));
    assertThat(seldom.queues()).isEqualTo(seconds(9));
    assertThat(seldom.meters()).isEqualTo(seconds(9));
  }

  @Test
  void eachKindMayHaveAPeriodOfItsOwn() {
    CounterPeriods own =
        periods(
            Map.of("counterSeconds", "3", "queueCounterSeconds", "30", "meterCounterSeconds", "7"));
    assertThat(own.ports()).isEqualTo(seconds(3));
    assertThat(own.queues()).isEqualTo(seconds(30));
    assertThat(own.meters()).isEqualTo(seconds(7));
    assertThat(own.ofDrops()).isEqualTo(seconds(30));
    assertThat(periods(Map.of("counterSeconds", "9", "queueCounterSeconds", "2")).ofDrops())
        .isEqualTo(seconds(9));
  }

  @Test
  void whoeverMayBecomeAnElephantIsCountedTwiceInTheTimeThatItTakes() {
    Map<String, String> watched =
        Map.of("meterCounterSeconds", "30", "elephantBranches", "bulk", "elephantSeconds", "10");
    assertThat(periods(watched).meters()).isEqualTo(seconds(5));
    assertThat(periods(Map.of("meterCounterSeconds", "30", "elephantSeconds", "10")).meters())
        .isEqualTo(seconds(30));
  }

  @ParameterizedTest
  @ValueSource(strings = {"queueCounterSeconds", "meterCounterSeconds"})
  void whatIsRefusedIsNamedWithItsRange(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingTable.find(name).orElseThrow().read("31"))
        .withMessage(
            "The "
                + name
                + " (31) must be 0 to go by counterSeconds, or a whole number from 1 to 30. Maybe"
                + " 5.");
  }
}
