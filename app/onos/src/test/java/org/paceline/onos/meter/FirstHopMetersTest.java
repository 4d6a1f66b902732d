package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.onos.meter.MeterConfigs.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.InstalledRate;
import org.paceline.control.proof.InstalledElement;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.Mesh;
import org.paceline.onos.flow.RecordedSwitches;
import org.paceline.onos.flow.StepWorker;
import org.paceline.onos.flow.Treatment;

final class FirstHopMetersTest {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");
  private static final Conversation FLOOD = Mesh.conversation("flood", 6000);
  private static final Conversation OTHER = Mesh.conversation("other", 6001);
  private static final String FIRST = "of:0000000000000001";

  private final StepWorker worker = new StepWorker();
  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final MetersOfOneSwitch service = new MetersOfOneSwitch();
  private final List<InstalledRate> acknowledged = new ArrayList<>();
  private final Map<ConversationId, String> refused = new HashMap<>();
  private final Allowance allowance = new Allowance();
  private final Answers asked = new Answers();
  private final ConversationRules rules =
      new ConversationRules(
          switches,
          Mesh.nextHops(),
          APP,
          Treatment.ALIKE,
          () -> false,
          device -> 100,
          worker,
          refused::putIfAbsent);
  private final FirstHopMeters meters =
      new FirstHopMeters(
          service,
          asked,
          rules,
          allowance,
          APP,
          worker,
          (host, version, rates) -> acknowledged.addAll(rates),
          refused::putIfAbsent);

  @BeforeEach
  void lead() {
    rules.install(FLOOD, Mesh.over(1, 2, 5));
    rules.install(OTHER, Mesh.over(1, 2, 5));
  }

  @Test
  void theMeterIsThereBeforeTheRuleThatLeadsToItAndTheBurstLastsAnEighthOfASecond() {
    service.slow = true;
    limit(FLOOD, 4_000);
    assertThat(leadingToMeters()).isEmpty();
    assertThat(acknowledged).isEmpty();
    service.confirm();
    assertThat(leadingToMeters()).hasSize(1);
    Band band = service.meters.values().iterator().next().bands().iterator().next();
    assertThat(band.rate()).isEqualTo(4_000);
    assertThat(band.burst()).isEqualTo(500);
    assertThat(acknowledged)
        .containsExactly(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(4_000), ""));
  }

  @Test
  void aChangedRateIsANewMeterAndTheOldOneGoesLater() {
    limit(FLOOD, 4_000);
    limit(FLOOD, 2_000);
    assertThat(service.meters).hasSize(2);
    worker.passTime();
    assertThat(service.meters).hasSize(1);
    assertThat(leadingToMeters()).hasSize(1);
    assertThat(leadingToMeters().get(0).treatment().meters().iterator().next().meterId())
        .isEqualTo(service.meters.keySet().iterator().next());
  }

  @Test
  void noMeterStaysBehindWhereRatesChangeFasterThanMetersAreMade() {
    limit(FLOOD, 4_000);
    service.slow = true;
    limit(FLOOD, 3_000);
    limit(FLOOD, 2_000);
    service.confirm();
    worker.passTime();
    assertThat(service.meters).hasSize(1);
    assertThat(meters.used(DeviceId.deviceId(FIRST))).isEqualTo(1);
    limit(FLOOD, 1_000);
    meters.release(FLOOD);
    service.confirm();
    worker.passTime();
    assertThat(service.meters).isEmpty();
    assertThat(meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  @Test
  void aSwitchThatRefusesIsNamedWithItsReason() {
    service.refuse = true;
    limit(FLOOD, 4_000);
    assertThat(acknowledged.get(0).error())
        .isEqualTo("The switch (" + FIRST + ") refused a meter: OUT_OF_METERS.");
    assertThat(refused).containsExactly(Map.entry(FLOOD.id(), acknowledged.get(0).error()));
    assertThat(meters.used(DeviceId.deviceId(FIRST))).isZero();
  }

  @Test
  void whoeverIsOvertakenByANewerRateIsNotRefused() {
    service.slow = true;
    limit(FLOOD, 4_000);
    limit(FLOOD, 2_000);
    service.confirm();
    assertThat(refused).isEmpty();
    assertThat(acknowledged)
        .containsExactly(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(2_000), ""));
  }

  @Test
  void aNetThatASwitchRefusesIsReadAsMissingWithTheReasonAndMadeWhenThereIsRoom() {
    service.refuse = true;
    meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(5_000));
    assertThat(refused).as("its agent paces it all the same").isEmpty();
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.WRONG);
    assertThat(element().found()).contains("refused a meter: OUT_OF_METERS");
    service.refuse = false;
    meters.repair(FLOOD.id(), element());
    assertThat(leadingToMeters()).hasSize(1);
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void theQuotaHoldsAndIsGivenBack() {
    allowance.allowed = 1;
    limit(FLOOD, 4_000);
    limit(OTHER, 4_000);
    assertThat(acknowledged.get(1).error()).contains("may meter 1 conversations and does");
    meters.release(FLOOD);
    limit(OTHER, 4_000);
    assertThat(acknowledged.get(2).error()).isEmpty();
  }

  @Test
  void aSwitchWithoutMetersIsSaidToHaveNone() {
    allowance.held = 0;
    limit(FLOOD, 4_000);
    assertThat(acknowledged.get(0).error()).contains("has no meters. Maybe run an agent");
    assertThat(service.meters).isEmpty();
  }

  @Test
  void aMeterWhoseRateOthersChangedIsFoundAndReplaced() {
    limit(FLOOD, 4_000);
    asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, text(4_000, 500))));
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(1L, text(4_000, 9_000))));
    InstalledElement wrong = element();
    assertThat(wrong.standing()).isEqualTo(InstalledElement.Standing.WRONG);
    assertThat(wrong.wanted()).isEqualTo("number 1, 4000 kbit/s, burst 500 kbit");
    assertThat(wrong.found()).isEqualTo("number 1, 4000 kbit/s, burst 9000 kbit");
    meters.repair(FLOOD.id(), wrong);
    asked.answer = Optional.of(CompletableFuture.completedFuture(Map.of(2L, text(4_000, 500))));
    InstalledElement right = element();
    assertThat(right.standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    assertThat(right.name()).isEqualTo(wrong.name());
    worker.passTime();
    assertThat(service.meters).hasSize(1);
  }

  @Test
  void ofASwitchThatDoesNotAnswerNothingIsSaid() {
    limit(FLOOD, 4_000);
    asked.answer = Optional.of(CompletableFuture.failedFuture(new TimeoutException("silent")));
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.UNKNOWN);
  }

  @Test
  void whereNoSwitchCanBeAskedWhatOnosRemembersMustDo() {
    limit(FLOOD, 4_000);
    service.spoil(9_000);
    assertThat(element().found()).isEqualTo("number 1, 9000 kbit/s, burst 500 kbit");
  }

  @Test
  void aNetAboveAnAgentStaysWhileTheRateIsNearIt() {
    meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(5_000));
    meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(4_000));
    assertThat(service.made).isEqualTo(1);
    meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(6_000));
    meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(1_000));
    assertThat(service.made).isEqualTo(3);
  }

  @Test
  void aNetThatIsNoLongerWantedGoesAndItsConversationIsLedAsBefore() {
    meters.guard(FLOOD, DataRate.ofKilobitsPerSecond(5_000));
    assertThat(leadingToMeters()).hasSize(1);
    meters.unguard(FLOOD);
    assertThat(leadingToMeters()).isEmpty();
    worker.passTime();
    assertThat(service.meters).isEmpty();
    assertThat(rules.firstSwitch(FLOOD)).isPresent();
  }

  @Test
  void whoseMetersTheSwitchLostAreLedTheirNewWayThroughNewOnes() {
    limit(FLOOD, 4_000);
    limit(OTHER, 3_000);
    loseMeters();
    rules.install(FLOOD, Mesh.over(1, 3, 5));
    rules.install(OTHER, Mesh.over(1, 3, 5));
    assertThat(refused).isEmpty();
    assertThat(metersLedTo()).containsExactlyInAnyOrderElementsOf(service.meters.keySet());
    assertThat(service.meters).hasSize(2);
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
    worker.passTime();
    assertThat(metersLedTo()).containsExactlyInAnyOrderElementsOf(service.meters.keySet());
    assertThat(meters.used(DeviceId.deviceId(FIRST))).isEqualTo(2);
    loseMeters();
    rules.install(FLOOD, Mesh.over(1, 2, 5));
    assertThat(refused).as("another time it is made again, too").isEmpty();
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void aMeterThatIsBeingMadeAnywayIsWaitedFor() {
    limit(FLOOD, 4_000);
    loseMeters();
    service.slow = true;
    limit(FLOOD, 2_000);
    rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(leadingToMeters()).isEmpty();
    service.confirm();
    assertThat(refused).isEmpty();
    assertThat(metersLedTo()).containsExactlyElementsOf(service.meters.keySet());
    assertThat(service.made).isEqualTo(2);
    assertThat(acknowledged)
        .last()
        .isEqualTo(InstalledRate.of(FLOOD.id(), DataRate.ofKilobitsPerSecond(2_000), ""));
  }

  @Test
  void whereTheRuleIsRefusedThroughANewMeterTooNothingIsLeft() {
    limit(FLOOD, 4_000);
    switches.refuseNew(rule -> !rule.treatment().meters().isEmpty());
    rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(refused.get(FLOOD.id())).contains("(" + FIRST + ") refused a rule of the way");
    assertThat(service.made).isEqualTo(2);
    over(FLOOD);
    switches.acceptEverywhere();
    worker.passTime();
    assertThat(leadingToMeters()).isEmpty();
    assertThat(service.meters).isEmpty();
    assertThat(meters.used(DeviceId.deviceId(FIRST))).isZero();
    assertThat(rules.firstSwitch(OTHER)).isPresent();
  }

  @Test
  void aFirstRuleThatIsRefusedIsNotSaidToBeInstalled() {
    switches.refuseNew(rule -> !rule.treatment().meters().isEmpty());
    limit(FLOOD, 4_000);
    assertThat(refused).containsOnlyKeys(FLOOD.id());
    assertThat(acknowledged).hasSize(1);
    assertThat(acknowledged.get(0).rate()).isEqualTo(DataRate.ZERO);
    assertThat(acknowledged.get(0).error()).contains("did not take the rule");
  }

  @Test
  void whoseMeterCannotBeMadeAgainIsRefusedWithThatReasonAndANetIsMissing() {
    Conversation paced =
        Conversation.builder()
            .id(FLOOD.id())
            .localAddress(FLOOD.localAddress())
            .remoteAddress(FLOOD.remoteAddress())
            .transport(FLOOD.transport())
            .localPort(FLOOD.localPort())
            .enforcement(Enforcement.AGENT)
            .build();
    limit(OTHER, 4_000);
    meters.guard(paced, DataRate.ofKilobitsPerSecond(5_000));
    loseMeters();
    service.refuse = true;
    rules.install(OTHER, Mesh.over(1, 3, 5));
    rules.install(paced, Mesh.over(1, 3, 5));
    assertThat(refused).containsOnlyKeys(OTHER.id());
    assertThat(refused.get(OTHER.id())).contains("refused a meter: OUT_OF_METERS");
    assertThat(rules.firstSwitch(paced)).isPresent();
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.MISSING);
    service.refuse = false;
    meters.repair(FLOOD.id(), element());
    assertThat(element().standing()).isEqualTo(InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void whoseNewMeterDoesNotComeIsRefusedAfterAWhile() {
    limit(FLOOD, 4_000);
    loseMeters();
    service.slow = true;
    rules.install(FLOOD, Mesh.over(1, 3, 5));
    assertThat(refused).isEmpty();
    worker.passTime();
    assertThat(refused.get(FLOOD.id())).contains("refused a rule of the way");
    over(FLOOD);
    service.confirm();
    worker.passTime();
    assertThat(service.meters).isEmpty();
  }

  /** As a switch does whose meters are deleted: what leads to them goes, and is not taken again. */
  private void loseMeters() {
    service.meters.clear();
    leadingToMeters().forEach(switches::forget);
    switches.refuseNew(
        rule ->
            rule.treatment().meters().stream()
                .anyMatch(meter -> !service.meters.containsKey(meter.meterId())));
  }

  /** Who is refused is left out of the next plan. */
  private void over(Conversation conversation) {
    rules.remove(conversation);
    meters.release(conversation);
  }

  private List<MeterId> metersLedTo() {
    return leadingToMeters().stream()
        .flatMap(rule -> rule.treatment().meters().stream())
        .map(Instructions.MeterInstruction::meterId)
        .collect(Collectors.toList());
  }

  private InstalledElement element() {
    return meters.read().join().getOrDefault(FLOOD.id(), List.of()).get(0);
  }

  private void limit(Conversation conversation, long kbps) {
    meters.limit("h", 1, Map.of(conversation, DataRate.ofKilobitsPerSecond(kbps)));
  }

  private List<FlowRule> leadingToMeters() {
    return switches.rules(FIRST).stream()
        .filter(rule -> !rule.treatment().meters().isEmpty())
        .collect(Collectors.toList());
  }

  private static final class Answers implements MeterConfigs {
    Optional<CompletableFuture<Map<Long, String>>> answer = Optional.empty();

    @Override
    public Optional<CompletableFuture<Map<Long, String>>> ask(DeviceId device) {
      return answer;
    }
  }

  private static final class Allowance implements MeterLimits {
    long held = 100;
    long allowed = 50;

    @Override
    public Optional<Long> held(DeviceId device) {
      return Optional.of(held);
    }

    @Override
    public long allowed(DeviceId device) {
      return allowed;
    }
  }
}
