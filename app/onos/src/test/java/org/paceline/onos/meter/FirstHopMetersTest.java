package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.onos.meter.MeterConfigs.Config.drop;
import static org.paceline.onos.meter.MeterRig.FIRST;
import static org.paceline.onos.meter.MeterRig.FLOOD;
import static org.paceline.onos.meter.MeterRig.OTHER;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.Unserved;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.unit.DataRate;

final class FirstHopMetersTest {
  private final MeterRig rig = new MeterRig();

  @Test
  void theMeterIsThereBeforeTheRuleThatLeadsToItAndTheBurstLastsAnEighthOfASecond() {
    rig.service.slow = true;
    rig.limit(FLOOD, 4_000);
    assertThat(rig.leadingToMeters()).isEmpty();
    assertThat(rig.acknowledged).isEmpty();
    rig.service.confirm();
    assertThat(rig.leadingToMeters()).hasSize(1);
    Band band = rig.service.meters.values().iterator().next().bands().iterator().next();
    assertThat(band.rate()).isEqualTo(4_000);
    assertThat(band.burst()).isEqualTo(500);
    assertThat(rig.acknowledged)
        .containsExactly(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(4_000), ""));
  }

  @Test
  void aFullFramePassesHoweverLowTheRate() {
    rig.limit(FLOOD, 100);
    Band band = rig.service.meters.values().iterator().next().bands().iterator().next();
    assertThat(band.rate()).isEqualTo(100);
    assertThat(band.burst()).isGreaterThanOrEqualTo(2 * 1518 * 8 / 1000);
  }

  @Test
  void aChangedRateChangesTheMeterWhereItIs() {
    rig.limit(FLOOD, 4_000);
    List<FlowRule> rules = rig.leadingToMeters();
    rig.acknowledged.clear();
    rig.asked.isTold = true;
    rig.limit(FLOOD, 2_000);
    rig.limit(FLOOD, 3_000);
    assertThat(rig.asked.told).containsExactly("1 to 2000", "1 to 3000");
    assertThat(rig.acknowledged).isEmpty();
    rig.asked.answer(true);
    rig.worker.passTime();
    assertThat(rig.service.meters).hasSize(1);
    assertThat(rig.leadingToMeters()).isEqualTo(rules);
    assertThat(rig.acknowledged)
        .containsExactly(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(3_000), ""));
    rig.over(FLOOD);
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  /** Open vSwitch counts from nothing again. */
  @Test
  void whatAChangedMeterHadCountedIsNotForgotten() {
    rig.limit(FLOOD, 4_000);
    rig.asked.isTold = true;
    rig.asked.counted.put(1L, MeterCount.of(10_000, 10, 0, 0));
    rig.limit(FLOOD, 2_000);
    rig.asked.counted.put(1L, MeterCount.of(1_000, 1, 0, 0));
    rig.asked.answer(true);
    rig.asked.counted.put(1L, MeterCount.of(30_000, 30, 0, 0));
    rig.meters.count();
    assertThat(rig.counted).singleElement().extracting(Counters::sentBytes).isEqualTo(40_000L);
  }

  @Test
  void whatASwitchDoesNotChangeIsMadeAnew() {
    rig.limit(FLOOD, 4_000);
    rig.asked.isTold = true;
    rig.limit(FLOOD, 2_000);
    rig.asked.answer(false);
    rig.worker.passTime();
    assertThat(rig.metersLedTo()).containsExactly(MeterId.meterId(2));
    assertThat(rig.service.meters).containsOnlyKeys(MeterId.meterId(2));
    rig.limit(FLOOD, 1_000);
    rig.over(FLOOD);
    rig.asked.answer(false);
    rig.worker.passTime();
    assertThat(rig.service.made).isEqualTo(2);
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  @Test
  void aMeterOfTheSameNumberAtAnotherSwitchIsAnother() {
    Limit here = Limit.wanted(FLOOD, DeviceId.deviceId(FIRST), 1, Optional.empty());
    Limit there = Limit.wanted(FLOOD, DeviceId.deviceId("of:02"), 1, Optional.empty());
    MeterId number = MeterId.meterId(1);
    assertThat(here.by(number).isBySameMeterAs(here.by(number))).isTrue();
    assertThat(here.by(number).isBySameMeterAs(there.by(number))).isFalse();
  }

  @Test
  void aChangedRateIsANewMeterWhereMetersCannotBeChangedAndTheOldOneGoesLater() {
    rig.limit(FLOOD, 4_000);
    rig.limit(FLOOD, 2_000);
    assertThat(rig.service.meters).hasSize(2);
    rig.worker.passTime();
    assertThat(rig.service.meters).hasSize(1);
    assertThat(rig.leadingToMeters()).hasSize(1);
    assertThat(rig.leadingToMeters().get(0).treatment().meters().iterator().next().meterId())
        .isEqualTo(rig.service.meters.keySet().iterator().next());
  }

  @Test
  void noMeterStaysBehindWhereRatesChangeFasterThanMetersAreMade() {
    rig.limit(FLOOD, 4_000);
    rig.service.slow = true;
    rig.limit(FLOOD, 3_000);
    rig.limit(FLOOD, 2_000);
    rig.service.confirm();
    rig.worker.passTime();
    assertThat(rig.service.meters).hasSize(1);
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isEqualTo(1);
    rig.limit(FLOOD, 1_000);
    rig.meters.release(FLOOD);
    rig.service.confirm();
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  @Test
  void aSwitchThatRefusesIsNamedWithItsReason() {
    rig.service.refuse = true;
    rig.limit(FLOOD, 4_000);
    assertThat(rig.acknowledged.get(0).error())
        .isEqualTo("The switch (" + FIRST + ") refused a meter: OUT_OF_METERS.");
    assertThat(rig.refused)
        .containsExactly(
            Map.entry(
                FLOOD.id(), Unserved.of(Unserved.Code.METER_REFUSED, FIRST, "OUT_OF_METERS")));
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  @Test
  void aMeterWhoseConfirmationIsLostIsAskedForAndTakenAsItIs() {
    rig.service.slow = true;
    rig.limit(FLOOD, 4_000);
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, drop(4_000, 500))));
    rig.worker.passTime();
    assertThat(rig.service.made).isEqualTo(1);
    assertThat(rig.leadingToMeters()).hasSize(1);
    assertThat(rig.acknowledged)
        .containsExactly(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(4_000), ""));
  }

  @Test
  void aMeterThatIsNotThereIsMadeAgainAndItsLateConfirmationIsForNobody() {
    rig.service.slow = true;
    rig.limit(FLOOD, 4_000);
    rig.worker.passTime();
    assertThat(rig.service.made).isEqualTo(2);
    assertThat(rig.service.meters).as("the first is taken back").hasSize(1);
    rig.service.confirm();
    assertThat(rig.metersLedTo()).containsExactlyElementsOf(rig.service.meters.keySet());
    assertThat(rig.acknowledged).hasSize(1);
  }

  @Test
  void whoseMeterDoesNotComeIsRefusedAndNobodyElseOfTheBatchWaitsForIt() {
    rig.service.slow = true;
    rig.limit(FLOOD, 4_000);
    rig.worker.passTime();
    rig.worker.passTime();
    assertThat(rig.reason(FLOOD)).contains("refused a meter: TIMEOUT");
    assertThat(rig.acknowledged).hasSize(1);
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  @Test
  void whoeverIsOvertakenByANewerRateIsNotRefused() {
    rig.service.slow = true;
    rig.limit(FLOOD, 4_000);
    rig.limit(FLOOD, 2_000);
    rig.service.confirm();
    assertThat(rig.refused).isEmpty();
    assertThat(rig.acknowledged)
        .containsExactly(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(2_000), ""));
  }

  @Test
  void whoeverAsksForTheSameRateAgainHearsOfItWhenItIsConfirmed() {
    rig.service.slow = true;
    rig.limit(FLOOD, 4_000);
    rig.limit(FLOOD, 4_000);
    assertThat(rig.acknowledged).isEmpty();
    rig.service.confirm();
    assertThat(rig.service.made).isEqualTo(1);
    assertThat(rig.acknowledged).hasSize(2);
    rig.limit(FLOOD, 4_000);
    assertThat(rig.acknowledged).as("at once").hasSize(3);
  }

  @Test
  void aNetThatASwitchRefusesIsReadAsMissingWithTheReasonAndMadeWhenThereIsRoom() {
    rig.service.refuse = true;
    rig.meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(5_000));
    assertThat(rig.refused).as("its agent paces it all the same").isEmpty();
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.WRONG);
    assertThat(rig.element().found()).contains("refused a meter: OUT_OF_METERS");
    rig.service.refuse = false;
    rig.meters.repair(FLOOD.id(), rig.element());
    assertThat(rig.leadingToMeters()).hasSize(1);
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void theQuotaHoldsAndIsGivenBack() {
    rig.allowance.allowed = 1;
    rig.limit(FLOOD, 4_000);
    rig.limit(OTHER, 4_000);
    assertThat(rig.acknowledged.get(1).error()).contains("may meter 1 conversations and does");
    rig.meters.release(FLOOD);
    rig.limit(OTHER, 4_000);
    assertThat(rig.acknowledged.get(2).error()).isEmpty();
  }

  @Test
  void aSwitchWithoutMetersIsSaidToHaveNone() {
    rig.allowance.held = 0;
    rig.limit(FLOOD, 4_000);
    assertThat(rig.acknowledged.get(0).error()).contains("has no meters. Maybe run an agent");
    assertThat(rig.service.meters).isEmpty();
  }

  @Test
  void aMeterWhoseRateOthersChangedIsFoundAndReplaced() {
    rig.limit(FLOOD, 4_000);
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, drop(4_000, 500))));
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    rig.asked.answer =
        Optional.of(CompletableFuture.completedFuture(Map.of(1L, drop(4_000, 9_000))));
    InstalledElement wrong = rig.element();
    assertThat(wrong.standing()).isEqualTo(InstalledElement.Standing.WRONG);
    assertThat(wrong.wanted()).isEqualTo("number 1, 4000 kbit/s, burst 500 kbit");
    assertThat(wrong.found()).isEqualTo("number 1, 4000 kbit/s, burst 9000 kbit");
    rig.meters.repair(FLOOD.id(), wrong);
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(2L, drop(4_000, 500))));
    InstalledElement right = rig.element();
    assertThat(right.standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    assertThat(right.name()).isEqualTo(wrong.name());
    rig.worker.passTime();
    assertThat(rig.service.meters).hasSize(1);
  }

  @Test
  void ofASwitchThatDoesNotAnswerNothingIsSaid() {
    rig.limit(FLOOD, 4_000);
    rig.asked.answer = Optional.of(CompletableFuture.failedFuture(new TimeoutException("silent")));
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.UNKNOWN);
  }

  @Test
  void whereNoSwitchCanBeAskedWhatOnosRemembersMustDo() {
    rig.limit(FLOOD, 4_000);
    rig.service.spoil(9_000);
    assertThat(rig.element().found()).isEqualTo("number 1, 9000 kbit/s, burst 500 kbit");
  }

  @Test
  void aNetAboveAnAgentStaysWhileTheRateIsNearIt() {
    rig.meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(5_000));
    rig.meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(4_000));
    assertThat(rig.service.made).isEqualTo(1);
    rig.meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(6_000));
    rig.meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(1_000));
    assertThat(rig.service.made).isEqualTo(3);
  }

  @Test
  void aNetThatIsNoLongerWantedGoesAndItsConversationIsLedAsBefore() {
    rig.meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(5_000));
    assertThat(rig.leadingToMeters()).hasSize(1);
    rig.meters.unguard(FLOOD);
    assertThat(rig.leadingToMeters()).isEmpty();
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.rules.firstSwitch(FLOOD)).isPresent();
  }
}
