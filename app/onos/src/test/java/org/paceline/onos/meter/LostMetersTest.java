package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.onos.meter.MeterRig.FIRST;
import static org.paceline.onos.meter.MeterRig.FLOOD;
import static org.paceline.onos.meter.MeterRig.OTHER;
import static org.paceline.onos.meter.MeterRig.PACED;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.SolverBug;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.InstalledRate;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.Mesh;

/**
 * Rules that are refused because the switch has lost, or does not take, the meter that they lead
 * to.
 */
final class LostMetersTest {
  private final MeterRig rig = new MeterRig();

  @Test
  void whoseMetersTheSwitchLostAreLedTheirNewWayThroughNewOnes() {
    rig.limit(FLOOD, 4_000);
    rig.limit(OTHER, 3_000);
    rig.loseMeters();
    rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    rig.rules.install(OTHER, Mesh.over(1, 3, 5));
    assertThat(rig.refused).isEmpty();
    assertThat(rig.metersLedTo()).containsExactlyInAnyOrderElementsOf(rig.service.meters.keySet());
    assertThat(rig.service.meters).hasSize(2);
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    rig.worker.passTime();
    assertThat(rig.metersLedTo()).containsExactlyInAnyOrderElementsOf(rig.service.meters.keySet());
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isEqualTo(2);
    rig.loseMeters();
    rig.rules.install(FLOOD, Mesh.over(1, 2, 5));
    assertThat(rig.refused).as("another time it is made again, too").isEmpty();
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  /** Such as by a store that is away. */
  @ParameterizedTest
  @EnumSource
  void oneThatCannotBeOrderedIsAsOneThatIsRefusedAndIsMadeTheNextTime(SolverBug bug) {
    rig.service.broken = Optional.of(bug);
    rig.limit(FLOOD, 4_000);
    assertThat(rig.reason(FLOOD)).contains(bug.said);
    assertThat(rig.acknowledged).last().extracting(InstalledRate::rate).isEqualTo(DataRate.ZERO);
    rig.service.broken = Optional.empty();
    rig.limit(FLOOD, 4_000);
    assertThat(rig.metersLedTo()).hasSize(1);
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  /** Whatever is thrown: the conversation is refused, and whoever is over has no meter. */
  @ParameterizedTest
  @EnumSource
  void whereNothingCanLeadToANewMeterNeitherItNorTheFormerOneIsLeft(SolverBug bug) {
    rig.limit(FLOOD, 4_000);
    rig.broken = Optional.of(bug);
    rig.limit(FLOOD, 2_000);
    rig.broken = Optional.empty();
    rig.worker.passTime();
    assertThat(rig.service.meters).containsOnlyKeys(MeterId.meterId(1));
    rig.over(FLOOD);
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  /** The switch holds the new rate already: only who is told so asks for the former one again. */
  @ParameterizedTest
  @EnumSource
  void whereNothingCanLeadToAChangedMeterItIsKnownAsWhatItIs(SolverBug bug) {
    rig.limit(FLOOD, 4_000);
    rig.asked.isTold = true;
    rig.limit(FLOOD, 2_000);
    rig.broken = Optional.of(bug);
    rig.asked.answer(true);
    rig.broken = Optional.empty();
    rig.asked.told.clear();
    rig.limit(FLOOD, 4_000);
    assertThat(rig.asked.told).hasSize(1);
    rig.asked.answer(true);
    rig.over(FLOOD);
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
  }

  @Test
  void aMeterThatIsBeingMadeAnywayIsWaitedFor() {
    rig.limit(FLOOD, 4_000);
    rig.loseMeters();
    rig.service.slow = true;
    rig.limit(FLOOD, 2_000);
    rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(rig.leadingToMeters()).isEmpty();
    rig.service.confirm();
    assertThat(rig.refused).isEmpty();
    assertThat(rig.metersLedTo()).containsExactlyElementsOf(rig.service.meters.keySet());
    assertThat(rig.service.made).isEqualTo(2);
    assertThat(rig.acknowledged)
        .last()
        .isEqualTo(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(2_000), ""));
  }

  @Test
  void whereTheRuleIsRefusedThroughANewMeterTooNothingIsLeft() {
    rig.limit(FLOOD, 4_000);
    rig.switches.refuseNew(rule -> !rule.treatment().meters().isEmpty());
    rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(rig.reason(FLOOD)).contains("(" + FIRST + ") refused a rule of the way");
    assertThat(rig.service.made).isEqualTo(2);
    rig.over(FLOOD);
    rig.switches.acceptEverywhere();
    rig.worker.passTime();
    assertThat(rig.leadingToMeters()).isEmpty();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DeviceId.deviceId(FIRST))).isZero();
    assertThat(rig.rules.firstSwitch(OTHER)).isPresent();
  }

  @Test
  void aFirstRuleThatIsRefusedIsNotSaidToBeInstalled() {
    rig.switches.refuseNew(rule -> !rule.treatment().meters().isEmpty());
    rig.limit(FLOOD, 4_000);
    assertThat(rig.refused).containsOnlyKeys(FLOOD.id());
    assertThat(rig.acknowledged).hasSize(1);
    assertThat(rig.acknowledged.get(0).rate()).isEqualTo(DataRate.ZERO);
    assertThat(rig.acknowledged.get(0).error()).contains("did not take the rule");
  }

  @Test
  void whoseMeterCannotBeMadeAgainIsRefusedWithThatReasonAndANetIsMissing() {
    rig.limit(OTHER, 4_000);
    rig.meters.guard(PACED, DataRate.ofKilobitsPerSecond(5_000));
    rig.loseMeters();
    rig.service.refuse = true;
    rig.rules.install(OTHER, Mesh.over(1, 3, 5));
    rig.rules.install(PACED, Mesh.over(1, 3, 5));
    assertThat(rig.refused).containsOnlyKeys(OTHER.id());
    assertThat(rig.reason(OTHER)).contains("refused a meter: OUT_OF_METERS");
    assertThat(rig.rules.firstSwitch(PACED)).isPresent();
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.MISSING);
    rig.service.refuse = false;
    rig.meters.repair(FLOOD.id(), rig.element());
    assertThat(rig.element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void whoseSwitchIsGoneWhenItsMeterIsToBeMadeAgainIsRefusedAndServedLater() {
    rig.limit(FLOOD, 4_000);
    rig.loseMeters();
    rig.service.isGone = true;
    rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(rig.refused).containsOnlyKeys(FLOOD.id());
    rig.over(FLOOD);
    rig.service.isGone = false;
    rig.refused.clear();
    rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    rig.limit(FLOOD, 4_000);
    assertThat(rig.refused).isEmpty();
    assertThat(rig.metersLedTo()).containsExactlyElementsOf(rig.service.meters.keySet());
  }

  @Test
  void whoseNewMeterDoesNotComeIsRefusedAfterAWhile() {
    rig.limit(FLOOD, 4_000);
    rig.loseMeters();
    rig.service.slow = true;
    rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(rig.refused).isEmpty();
    rig.worker.passTime();
    assertThat(rig.reason(FLOOD)).contains("refused a rule of the way");
    rig.over(FLOOD);
    rig.service.confirm();
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
  }
}
