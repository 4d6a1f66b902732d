package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.paceline.onos.meter.MeterConfigs.Config.drop;
import static org.paceline.onos.meter.MeterRig.FIRST;
import static org.paceline.onos.meter.MeterRig.FLOOD;
import static org.paceline.onos.meter.MeterRig.GOLD;
import static org.paceline.onos.meter.MeterRig.LOW;
import static org.paceline.onos.meter.MeterRig.OTHER;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.Mesh;

/** Two conversations of one host that pass one meter at their first switch. */
final class SharedMetersTest {
  private static final DeviceId DEVICE = DeviceId.deviceId(FIRST);
  private static final MeterId ONE = MeterId.meterId(1);
  private static final MeterId TWO = MeterId.meterId(2);

  private final MeterRig rig = new MeterRig();

  private static InstalledRate held(Conversation conversation, long kbps) {
    return InstalledRate.of(conversation.id(), DataRate.ofKilobitsPerSecond(kbps), "");
  }

  /** As it was made. */
  private long rate(MeterId id) {
    Meter meter = Optional.ofNullable(rig.service.meters.get(id)).orElseThrow();
    return meter.bands().iterator().next().rate();
  }

  private FlowRule ruleOf(Conversation conversation) {
    return rig.leadingToMeters().stream()
        .filter(rule -> port(rule) == conversation.localPort())
        .findFirst()
        .orElseThrow();
  }

  private static int port(FlowRule rule) {
    return ((UdpPortCriterion) rule.selector().getCriterion(Criterion.Type.UDP_SRC))
        .udpPort()
        .toInt();
  }

  private MeterId meterOf(Conversation conversation) {
    return ruleOf(conversation).treatment().meters().iterator().next().meterId();
  }

  /** Both share a meter, and the switch changes meters when it is told to answer. */
  private void shareAtChangingSwitch() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    rig.acknowledged.clear();
    rig.asked.isTold = true;
  }

  @Test
  void aGroupThatComesTogetherIsOneMeterAtTheSumOfItsRates() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    assertThat(rig.service.made).isEqualTo(1);
    assertThat(rate(ONE)).isEqualTo(6_000);
    assertThat(rig.metersLedTo()).containsExactly(ONE, ONE);
    assertThat(rig.meters.used(DEVICE)).as("of the quota").isEqualTo(1);
    assertThat(rig.acknowledged)
        .as("each holds its own part")
        .containsExactlyInAnyOrder(held(FLOOD, 4_000), held(OTHER, 2_000));
  }

  @Test
  void theMeterIsRaisedBeforeTheRuleOfWhoComesLeadsToIt() {
    rig.share(GOLD, FLOOD, 4_000);
    rig.asked.isTold = true;
    rig.share(GOLD, OTHER, 2_000);
    assertThat(rig.asked.told).containsExactly("1 to 6000");
    assertThat(rig.metersLedTo()).containsExactly(ONE);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 4_000));
    rig.asked.answer(true);
    assertThat(rig.metersLedTo()).containsExactly(ONE, ONE);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 4_000), held(OTHER, 2_000));
  }

  @Test
  void aLowerRateIsAcknowledgedWhenTheSwitchHasLoweredTheMeter() {
    shareAtChangingSwitch();
    rig.share(GOLD, FLOOD, 1_000);
    assertThat(rig.asked.told).containsExactly("1 to 3000");
    assertThat(rig.acknowledged).isEmpty();
    rig.asked.answer(true);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 1_000));
  }

  @Test
  void whatChangesInOneBatchIsOneChangeAndWhatChangesMeanwhileOneMore() {
    shareAtChangingSwitch();
    rig.share(GOLD, Map.of(FLOOD, 3_000L, OTHER, 1_000L));
    assertThat(rig.asked.told).containsExactly("1 to 4000");
    rig.share(GOLD, FLOOD, 1_000);
    rig.share(GOLD, FLOOD, 1_500);
    rig.share(GOLD, OTHER, 500);
    assertThat(rig.asked.told).as("one at a time").hasSize(1);
    rig.asked.answer(true);
    assertThat(rig.asked.told).containsExactly("1 to 4000", "1 to 2000");
    assertThat(rig.acknowledged).as("each was overtaken").isEmpty();
    rig.asked.answer(true);
    assertThat(rig.asked.told).hasSize(2);
    assertThat(rig.acknowledged).containsExactlyInAnyOrder(held(FLOOD, 1_500), held(OTHER, 500));
  }

  @Test
  void whoIsOverLeavesItsPartAndTheLastTakesTheMeterAlong() {
    shareAtChangingSwitch();
    rig.over(OTHER);
    assertThat(rig.asked.told).containsExactly("1 to 4000");
    rig.asked.answer(true);
    rig.worker.passTime();
    assertThat(rig.metersLedTo()).containsExactly(ONE);
    rig.over(FLOOD);
    assertThat(rig.meters.used(DEVICE)).isZero();
    assertThat(rig.service.meters).as("while rules lead to it").hasSize(1);
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.asked.told).as("nothing is left to lower").hasSize(1);
  }

  @Test
  void anotherSubClassIsAnotherMeterAndTheOneBeforeIsLoweredBeforeItIsAcknowledged() {
    shareAtChangingSwitch();
    rig.service.slow = true;
    rig.share(LOW, FLOOD, 1_000);
    assertThat(meterOf(FLOOD)).as("until there is the other").isEqualTo(ONE);
    rig.service.confirm();
    assertThat(meterOf(FLOOD)).isEqualTo(TWO);
    assertThat(meterOf(OTHER)).isEqualTo(ONE);
    assertThat(rate(TWO)).isEqualTo(1_000);
    assertThat(rig.asked.told).containsExactly("1 to 2000");
    assertThat(rig.acknowledged).isEmpty();
    rig.asked.answer(true);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 1_000));
    assertThat(rig.meters.used(DEVICE)).isEqualTo(2);
  }

  /** {@link MeterRig#FLOOD} passes another meter, and the one before is to be lowered. */
  private void leaveMeterToBeLowered() {
    shareAtChangingSwitch();
    rig.share(LOW, FLOOD, 1_000);
    assertThat(meterOf(FLOOD)).isEqualTo(TWO);
    assertThat(rig.asked.told).containsExactly("1 to 2000");
  }

  @Test
  void whatASwitchNeitherLowersNorReplacesIsNotFreeUntilItHasLoweredIt() {
    leaveMeterToBeLowered();
    rig.service.refuse = true;
    rig.asked.answer(false);
    assertThat(rig.acknowledged).as("the meter may let through 6000 yet").isEmpty();
    rig.worker.passTime();
    assertThat(rig.asked.told).as("it is told again").containsExactly("1 to 2000", "1 to 2000");
    rig.asked.answer(false);
    rig.worker.passTime();
    assertThat(rig.acknowledged).isEmpty();
    assertThat(rig.asked.told).hasSize(3);
    rig.asked.answer(true);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 1_000));
    rig.worker.passTime();
    assertThat(rig.asked.told).hasSize(3);
    assertThat(rig.refused).isEmpty();
  }

  @Test
  void whatASwitchDidNotLowerIsFreeWhenNobodyPassesItAnyMore() {
    leaveMeterToBeLowered();
    rig.service.refuse = true;
    rig.asked.answer(false);
    rig.over(OTHER);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 1_000));
  }

  @Test
  void whoComesWhileAnotherIsRefusedIsRefusedToo() {
    rig.share(GOLD, FLOOD, 4_000);
    rig.asked.isTold = true;
    rig.service.refuse = true;
    rig.share(GOLD, OTHER, 2_000);
    Conversation third = Mesh.conversation("third", 6002);
    rig.rules.install(third, Mesh.over(1, 2, 5));
    rig.share(GOLD, third, 1_000);
    rig.asked.answer(false);
    assertThat(rig.refused).containsOnlyKeys(OTHER.id());
    rig.asked.answer(false);
    assertThat(rig.refused).containsOnlyKeys(OTHER.id(), third.id());
    assertThat(rig.asked.told).hasSize(2);
  }

  @Test
  void whatItsLastConversationLeavesIsWithdrawnOnceHoweverLateRulesAreConfirmed() {
    shareAtChangingSwitch();
    rig.switches.fallSilent();
    rig.share(GOLD, FLOOD, 1_000);
    rig.asked.answer(false);
    assertThat(rig.metersLedTo()).contains(TWO);
    rig.over(FLOOD);
    rig.over(OTHER);
    for (int i = 0; i < 4; i++) {
      rig.worker.passTime();
    }
    assertThat(rig.service.withdrawn).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void onAnotherPathItPassesTheMeterThereAtOnce() {
    shareAtChangingSwitch();
    rig.service.slow = true;
    CompletableFuture<Void> led = rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(meterOf(FLOOD)).isEqualTo(ONE);
    assertThat(output(FLOOD)).as("the meter there comes first").isEqualTo(2);
    rig.service.confirm();
    assertThat(meterOf(FLOOD)).isEqualTo(TWO);
    assertThat(output(FLOOD)).isEqualTo(3);
    assertThat(rate(TWO)).isEqualTo(4_000);
    assertThat(rig.asked.told).containsExactly("1 to 2000");
    assertThat(led).as("its part of the other is not taken back yet").isNotDone();
    rig.asked.answer(true);
    assertThat(led).isCompleted();
    assertThat(rig.refused).isEmpty();
  }

  @Test
  void whoTurnsBackBeforeItIsOnItsWayStaysWhereItIs() {
    shareAtChangingSwitch();
    rig.service.slow = true;
    CompletableFuture<Void> led = rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    CompletableFuture<Void> back = rig.rules.install(FLOOD, Mesh.over(1, 2, 5));
    rig.service.confirm();
    rig.worker.passTime();
    assertThat(led).isCompleted();
    assertThat(back).isCompleted();
    assertThat(rig.metersLedTo()).containsExactly(ONE, ONE);
    assertThat(output(FLOOD)).isEqualTo(2);
    assertThat(rig.service.meters).containsOnlyKeys(ONE);
    assertThat(rig.asked.told).isEmpty();
    assertThat(rig.meters.used(DEVICE)).isEqualTo(1);
  }

  @Test
  void aRateThatChangesOnTheWayIsThatOfTheMeterThere() {
    shareAtChangingSwitch();
    rig.service.slow = true;
    CompletableFuture<Void> led = rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    rig.share(GOLD, FLOOD, 3_000);
    rig.service.confirm();
    assertThat(rig.asked.told).contains("2 to 3000");
    while (!rig.asked.notAnswered.isEmpty()) {
      rig.asked.answer(true);
    }
    assertThat(led).isCompleted();
    assertThat(output(FLOOD)).isEqualTo(3);
    assertThat(meterOf(FLOOD)).isEqualTo(TWO);
    assertThat(rig.asked.told).containsExactlyInAnyOrder("2 to 3000", "1 to 2000");
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 3_000));
  }

  @Test
  void whoIsOverOnItsWayToAnotherMeterLeavesBoth() {
    shareAtChangingSwitch();
    rig.service.slow = true;
    CompletableFuture<Void> led = rig.rules.install(FLOOD, Mesh.over(1, 3, 5));
    rig.over(FLOOD);
    assertThat(led).isCompleted();
    rig.service.confirm();
    rig.asked.answer(true);
    rig.worker.passTime();
    assertThat(rig.asked.told).containsExactly("1 to 2000");
    assertThat(rig.metersLedTo()).containsExactly(ONE);
    assertThat(rig.service.meters).containsOnlyKeys(ONE);
    assertThat(rig.meters.used(DEVICE)).isEqualTo(1);
  }

  private long output(Conversation conversation) {
    return ruleOf(conversation).treatment().allInstructions().stream()
        .filter(Instructions.OutputInstruction.class::isInstance)
        .map(does -> ((Instructions.OutputInstruction) does).port())
        .mapToLong(PortNumber::toLong)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatASwitchDoesNotChangeIsMadeAnewForAll() {
    shareAtChangingSwitch();
    rig.share(GOLD, FLOOD, 1_000);
    rig.asked.answer(false);
    assertThat(rate(TWO)).isEqualTo(3_000);
    assertThat(rig.metersLedTo()).containsExactly(TWO, TWO);
    assertThat(rig.acknowledged).containsExactly(held(FLOOD, 1_000));
    rig.worker.passTime();
    assertThat(rig.service.meters).containsOnlyKeys(TWO);
    assertThat(rig.meters.used(DEVICE)).isEqualTo(1);
  }

  @Test
  void aSwitchThatRefusesTheMeterHasRefusedAll() {
    rig.service.refuse = true;
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    assertThat(rig.reason(FLOOD)).contains("refused a meter: OUT_OF_METERS");
    assertThat(rig.reason(OTHER)).isEqualTo(rig.reason(FLOOD));
    assertThat(rig.acknowledged).extracting(InstalledRate::rate).containsOnly(DataRate.ZERO);
    assertThat(rig.meters.used(DEVICE)).isZero();
    rig.service.refuse = false;
    rig.share(GOLD, FLOOD, 4_000);
    assertThat(rig.metersLedTo()).hasSize(1);
  }

  @Test
  void whoseComingTheSwitchRefusesIsRefusedAlone() {
    rig.share(GOLD, FLOOD, 4_000);
    rig.asked.isTold = true;
    rig.service.refuse = true;
    rig.share(GOLD, OTHER, 2_000);
    rig.asked.answer(false);
    assertThat(rig.refused).containsOnlyKeys(OTHER.id());
    rig.over(OTHER);
    assertThat(rig.metersLedTo()).containsExactly(ONE);
    assertThat(element(FLOOD).wanted()).startsWith("number 1, 4000 kbit/s");
  }

  @Test
  void theQuotaCountsAGroupOnce() {
    rig.allowance.allowed = 1;
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    assertThat(rig.refused).isEmpty();
    rig.share(LOW, OTHER, 1_000);
    assertThat(rig.reason(OTHER)).contains("may meter 1 conversations and does");
    assertThat(meterOf(OTHER)).as("held as before until it is left out").isEqualTo(ONE);
    rig.over(FLOOD);
    rig.over(OTHER);
    assertThat(rig.meters.used(DEVICE)).isZero();
  }

  private InstalledElement element(Conversation conversation) {
    return rig.meters.read().join().getOrDefault(conversation.id(), List.of()).get(0);
  }

  @Test
  void whatIsReadBackIsComparedWithTheSumAndSaysWhatIsWhose() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, drop(6_000, 750))));
    assertThat(element(FLOOD).standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    assertThat(element(FLOOD).wanted())
        .isEqualTo(
            "number 1, 6000 kbit/s, burst 750 kbit; shared by 2 conversations of video/gold H,"
                + " 4000 kbit/s of it for this one");
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, drop(4_000, 500))));
    assertThat(element(OTHER).standing()).isEqualTo(InstalledElement.Standing.WRONG);
    assertThat(element(OTHER).found()).isEqualTo("number 1, 4000 kbit/s, burst 500 kbit");
  }

  @Test
  void aMeterThatOthersChangedIsMadeAnewOnceForAll() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, drop(9_000, 500))));
    InstalledElement wrong = element(FLOOD);
    rig.service.slow = true;
    rig.meters.repair(FLOOD.id(), wrong);
    rig.meters.repair(OTHER.id(), element(OTHER));
    rig.service.confirm();
    assertThat(rig.service.made).isEqualTo(2);
    assertThat(rate(TWO)).isEqualTo(6_000);
    assertThat(rig.metersLedTo()).containsExactly(TWO, TWO);
    rig.worker.passTime();
    assertThat(rig.service.meters).containsOnlyKeys(TWO);
  }

  @Test
  void aSwitchThatLostTheMeterGetsANewOneForAll() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    rig.loseMeters();
    rig.asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of()));
    InstalledElement missing = element(FLOOD);
    assertThat(missing.standing()).isEqualTo(InstalledElement.Standing.MISSING);
    rig.meters.repair(FLOOD.id(), missing);
    assertThat(rig.refused).isEmpty();
    assertThat(rig.service.meters).hasSize(1);
    assertThat(rig.metersLedTo()).hasSize(2).hasSameElementsAs(rig.service.meters.keySet());
    assertThat(rate(rig.metersLedTo().get(0))).isEqualTo(6_000);
  }

  @Test
  void whoHadAMeterOfItsOwnIsHeldByOneOfBothAtEachMoment() {
    rig.limit(FLOOD, 4_000);
    rig.service.slow = true;
    rig.share(GOLD, FLOOD, 4_000);
    assertThat(meterOf(FLOOD)).isEqualTo(ONE);
    rig.service.confirm();
    assertThat(meterOf(FLOOD)).isEqualTo(TWO);
    rig.worker.passTime();
    assertThat(rig.service.meters).containsOnlyKeys(TWO);
    assertThat(rig.meters.used(DEVICE)).isEqualTo(1);
    rig.limit(FLOOD, 4_000);
    assertThat(meterOf(FLOOD)).isEqualTo(TWO);
    rig.service.confirm();
    rig.worker.passTime();
    assertThat(meterOf(FLOOD)).isEqualTo(MeterId.meterId(3));
    assertThat(rig.service.meters).containsOnlyKeys(MeterId.meterId(3));
    assertThat(rig.meters.used(DEVICE)).isEqualTo(1);
    rig.over(FLOOD);
    rig.worker.passTime();
    assertThat(rig.service.meters).isEmpty();
    assertThat(rig.meters.used(DEVICE)).isZero();
  }

  @Test
  void eachHasSentWhatItsRuleCountedLessThePartThatTheMeterDropped() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    rig.switches.counts(ruleOf(FLOOD), 5, 60, 60_000);
    rig.switches.counts(ruleOf(OTHER), 5, 30, 30_000);
    rig.asked.counted.put(1L, MeterCount.of(90_000, 90, 30_000, 30));
    assertThat(rig.meters.count()).isCompleted();
    assertThat(rig.counted)
        .extracting(
            Counters::id,
            Counters::sentBytes,
            Counters::sentPackets,
            Counters::droppedPackets,
            Counters::installed)
        .containsExactlyInAnyOrder(
            tuple(FLOOD.id(), 40_000L, 40L, 20L, DataRate.ofKilobitsPerSecond(4_000)),
            tuple(OTHER.id(), 20_000L, 20L, 10L, DataRate.ofKilobitsPerSecond(2_000)));
  }

  @Test
  void nothingIsSaidAnewUntilOnosHasReadTheRulesAgainAndCountersNeverFall() {
    rig.share(GOLD, Map.of(FLOOD, 4_000L, OTHER, 2_000L));
    rig.switches.counts(ruleOf(FLOOD), 5, 60, 60_000);
    rig.switches.counts(ruleOf(OTHER), 5, 30, 30_000);
    rig.asked.counted.put(1L, MeterCount.of(90_000, 90, 0, 0));
    rig.meters.count();
    rig.counted.clear();
    rig.asked.counted.put(1L, MeterCount.of(190_000, 190, 50_000, 50));
    rig.meters.count();
    assertThat(rig.counted).as("the rules were not read since").isEmpty();
    // The rule was written anew, and the meter was changed.
    rig.switches.counts(ruleOf(FLOOD), 1, 100, 100_000);
    rig.switches.counts(ruleOf(OTHER), 10, 30, 30_000);
    rig.asked.counted.put(1L, MeterCount.of(100_000, 100, 50_000, 50));
    rig.meters.count();
    assertThat(rig.counted)
        .extracting(Counters::id, Counters::sentBytes)
        .containsExactlyInAnyOrder(tuple(FLOOD.id(), 110_000L), tuple(OTHER.id(), 30_000L));
  }

  @Test
  void whatTheRulesCountedBeforeTheMeterWasReadWaitsForIt() {
    rig.share(GOLD, FLOOD, 4_000);
    rig.switches.counts(ruleOf(FLOOD), 5, 60, 60_000);
    rig.asked.counted.put(1L, MeterCount.NOTHING);
    rig.meters.count();
    assertThat(rig.counted).isEmpty();
    rig.asked.counted.put(1L, MeterCount.of(80_000, 80, 20_000, 20));
    rig.meters.count();
    assertThat(rig.counted).singleElement().extracting(Counters::sentBytes).isEqualTo(45_000L);
  }
}
