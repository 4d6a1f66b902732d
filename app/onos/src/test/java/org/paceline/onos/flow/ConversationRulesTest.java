package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Transport;
import org.paceline.control.model.Unserved;

final class ConversationRulesTest {
  private static final Conversation CALL = Mesh.conversation("call", 5004);
  private static final Conversation COPY = Mesh.conversation("copy", 5080);

  private final StepWorker worker = new StepWorker();
  private final Map<ConversationId, Unserved> refused = new HashMap<>();
  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final ConversationRules rules = rules(100);

  private ConversationRules rules(int limit) {
    return switches.led(() -> limit, worker, refused::put);
  }

  @Test
  void conversationsOfAPairShareTheirRulesWhereTheyShareTheirPath() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(COPY, Mesh.over(1, 2, 5));
    assertThat(switches.count()).isEqualTo(3);
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
    assertThat(switches.way(COPY)).containsExactly(1, 2, 5);
  }

  @Test
  void whoLeavesTheSharedPathGetsRulesOfItsOwnAndTheOthersAreNotTouched() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(COPY, Mesh.over(1, 2, 5));
    List<FlowRule> before = switches.rules(Mesh.device(2));
    rules.install(COPY, Mesh.over(1, 3, 4, 5));
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
    assertThat(switches.way(COPY)).containsExactly(1, 3, 4, 5);
    assertThat(switches.rules(Mesh.device(2))).isEqualTo(before);
    rules.install(COPY, Mesh.over(1, 2, 5));
    worker.passTime();
    assertThat(switches.way(COPY)).containsExactly(1, 2, 5);
    assertThat(switches.count()).isEqualTo(3);
  }

  @Test
  void whoseMeterComesWhileItsWayIsWrittenIsToldWhereTheSwitchRefusesTheRuleToIt() {
    List<CompletableFuture<Boolean>> metered = new ArrayList<>();
    switches.refuseNew(rule -> !rule.treatment().meters().isEmpty());
    switches.afterEachWrite(
        () -> {
          if (metered.isEmpty()) {
            metered.add(rules.meter(CALL, Optional.of(Mesh.meter(7))));
          }
        });
    rules.install(CALL, Mesh.over(1, 2, 5));
    assertThat(metered.get(0).join()).isFalse();
    assertThat(refused).containsOnlyKeys(CALL.id());
    worker.passTime();
    assertThat(switches.count()).isZero();
  }

  @Test
  void whatASwitchIsToRemoveWhileItIsGoneItRemovesWhenItIsBack() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(COPY, Mesh.over(1, 3, 5));
    switches.isGone(Mesh.device(2));
    rules.remove(CALL);
    worker.passTime();
    worker.passTime();
    assertThat(switches.rules(Mesh.device(2))).as("it has not heard").isNotEmpty();
    assertThat(rules.used(DeviceId.deviceId(Mesh.device(2)))).isEqualTo(1);
    switches.isBack(Mesh.device(2));
    worker.passTime();
    assertThat(switches.rules(Mesh.device(2))).isEmpty();
    assertThat(rules.used(DeviceId.deviceId(Mesh.device(2)))).isZero();
    assertThat(switches.way(COPY)).containsExactly(1, 3, 5);
  }

  @Test
  void whatASwitchMayHaveYetIsWrittenAnewWhereItIsWantedAgain() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    switches.isGone(Mesh.device(2));
    rules.install(CALL, Mesh.over(1, 3, 5));
    worker.passTime();
    switches.rules(Mesh.device(2)).forEach(switches::forget);
    switches.isBack(Mesh.device(2));
    rules.install(CALL, Mesh.over(1, 2, 5));
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
    worker.passTime();
    worker.passTime();
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
  }

  @Test
  void anElephantHasRulesOfItsOwnAllTheWayUntilItIsNoneAnyMore() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    List<FlowRule> shared = switches.rules(Mesh.device(2));
    rules.install(COPY, Mesh.over(1, 2, 5));
    rules.installApart(COPY, Mesh.over(1, 2, 5));
    assertThat(switches.count()).isEqualTo(6);
    assertThat(switches.rules(Mesh.device(2))).containsAll(shared);
    assertThat(switches.way(COPY)).containsExactly(1, 2, 5);
    assertThat(rules.meter(COPY, Optional.of(Mesh.meter(7))).join()).isTrue();
    rules.installApart(COPY, Mesh.over(1, 3, 5));
    assertThat(switches.way(COPY)).containsExactly(1, 3, 5);
    assertThat(metered(1)).hasSize(1);
    rules.meter(COPY, Optional.empty());
    rules.install(COPY, Mesh.over(1, 2, 5));
    worker.passTime();
    assertThat(switches.way(COPY)).containsExactly(1, 2, 5);
    assertThat(switches.count()).isEqualTo(3);
  }

  @Test
  void conversationsOfIpv6AreLedByRulesOfIpv6() {
    Conversation call = between("call6", "fd00::1", "fd00::2", 5004);
    Conversation copy = between("copy6", "fd00::1", "fd00::2", 5080);
    rules.install(call, Mesh.over(1, 2, 5));
    rules.install(copy, Mesh.over(1, 3, 5));
    assertThat(rules.meter(copy, Optional.of(Mesh.meter(7))).join()).isTrue();
    assertThat(switches.way(call)).containsExactly(1, 2, 5);
    assertThat(switches.way(copy)).containsExactly(1, 3, 5);
    assertThat(metered(1)).hasSize(1);
    int written = switches.written();
    ConversationRules restarted = rules(100);
    restarted.install(call, Mesh.over(1, 2, 5));
    assertThat(switches.written()).as("what a controller before wrote leads on").isEqualTo(written);
  }

  @Test
  void noPacketGoesFromIpv4ToIpv6() {
    Conversation mixed = between("mixed", "10.0.0.1", "fd00::2", 5004);
    rules.install(mixed, Mesh.over(1, 2, 5));
    assertThat(switches.count()).isZero();
    assertThat(rules.firstSwitch(mixed)).isEmpty();
  }

  @Test
  void aConversationOfOnePortIsNotTakenByOneOfAllPorts() {
    Conversation any = between("any", "10.0.0.1", "10.0.0.2", 0);
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(any, Mesh.over(1, 2, 5));
    rules.meter(CALL, Optional.of(Mesh.meter(7)));
    rules.meter(any, Optional.of(Mesh.meter(8)));
    assertThat(
            metered(1).stream()
                .max(Comparator.comparingInt(FlowRule::priority))
                .map(FlowRule::selector)
                .map(ConversationMatch::anywhere))
        .contains(ConversationMatch.of(CALL, CALL.matches().get(0)));
  }

  private static Conversation between(String id, String from, String to, int port) {
    return Conversation.builder()
        .id(ConversationId.of("h", id))
        .localAddress(from)
        .remoteAddress(to)
        .transport(Transport.UDP)
        .localPort(port)
        .enforcement(Enforcement.FIRST_HOP)
        .build();
  }

  @Test
  void anEqualPathWritesNothing() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    int written = switches.written();
    rules.install(CALL, Mesh.over(1, 2, 5));
    worker.passTime();
    assertThat(switches.written()).isEqualTo(written);
  }

  @Test
  void rulesOfThoseThatHaveEndedGoAlsoWhereOthersComeAllTheTime() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    for (int n = 1; n <= 300; n++) {
      rules.install(Mesh.conversation("short" + n, 6000 + n), Mesh.over(1, 3, 5));
      rules.remove(Mesh.conversation("short" + (n - 1), 6000 + n - 1));
      pass(Duration.ofMillis(100));
      // Those of the present one, and of those that ended within half a second.
      assertThat(switches.count()).isLessThanOrEqualTo(3 + 3 * 8);
    }
    rules.remove(Mesh.conversation("short300", 6300));
    pass(Duration.ofSeconds(2));
    assertThat(switches.count()).isEqualTo(3);
  }

  private void pass(Duration time) {
    AtomicBoolean passed = new AtomicBoolean();
    worker.after(time, () -> passed.set(true));
    while (!passed.get()) {
      worker.passUntilNext();
    }
  }

  @Test
  void nothingIsLeftOfWhatEnds() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(CALL, Mesh.over(1, 3, 5));
    rules.install(COPY, Mesh.over(1, 4, 5));
    rules.remove(CALL);
    rules.remove(COPY);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
    assertThat(rules.used(switchId(1))).isZero();
  }

  @Test
  void packetsOfTheSecondTimeOnAWayAreNotCutOffByTheClockOfTheFirst() {
    for (int middle : new int[] {2, 3, 2, 3}) {
      rules.install(CALL, Mesh.over(1, middle, 5));
    }
    worker.passUntilNext();
    assertThat(switches.wayFrom(1, 2, CALL)).containsExactly(2, 5);
    worker.passTime();
    assertThat(switches.wayFrom(1, 2, CALL)).containsExactly(2);
    assertThat(switches.way(CALL)).containsExactly(1, 3, 5);
  }

  @Test
  void afterARestartWhatSwitchesHoldLeadsOnAndNothingIsWrittenForWhoeverStaysOnItsWay() {
    ConversationRules killed = switches.led(() -> 100, new StepWorker(), refused::put);
    killed.install(CALL, Mesh.over(1, 2, 5));
    killed.install(COPY, Mesh.over(1, 3, 5));
    int written = switches.written();
    ConversationRules restarted = rules(100);
    restarted.install(CALL, Mesh.over(1, 2, 5));
    assertThat(switches.way(COPY)).containsExactly(1, 3, 5);
    restarted.install(COPY, Mesh.over(1, 3, 5));
    worker.passTime();
    worker.passTime();
    assertThat(switches.written()).isEqualTo(written);
    assertThat(restarted.used(switchId(1))).isEqualTo(2);
  }

  @Test
  void afterARestartTheRulesOfWhoeverIsOverAreRemoved() {
    ConversationRules killed = switches.led(() -> 100, new StepWorker(), refused::put);
    killed.install(CALL, Mesh.over(1, 2, 5));
    killed.install(COPY, Mesh.over(1, 3, 5));
    Conversation away = Mesh.conversation("away", 5090, "10.0.0.9");
    killed.install(away, Mesh.over(1, 4, 5));
    ConversationRules restarted = rules(100);
    restarted.install(CALL, Mesh.over(1, 2, 5));
    for (int i = 0; i < 4; i++) {
      worker.passTime();
      assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
    }
    assertThat(switches.count()).isEqualTo(3);
    restarted.remove(CALL);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
    assertThat(restarted.used(switchId(1))).isZero();
  }

  @Test
  void afterARestartTheRulesOfWhoeverHasItsWayAgainGoWithItAsAtAnyOtherTime() {
    ConversationRules killed = switches.led(() -> 100, new StepWorker(), refused::put);
    killed.install(CALL, Mesh.over(1, 2, 5));
    killed.install(COPY, Mesh.over(1, 3, 5));
    ConversationRules restarted = rules(100);
    restarted.install(CALL, Mesh.over(1, 2, 5));
    restarted.install(COPY, Mesh.over(1, 3, 5));
    restarted.remove(COPY);
    pass(Duration.ofSeconds(1));
    assertThat(switches.count()).isEqualTo(3);
    restarted.install(CALL, Mesh.over(1, 4, 5));
    pass(Duration.ofSeconds(1));
    assertThat(switches.rules(Mesh.device(2))).isEmpty();
  }

  @Test
  void afterARestartRulesThatAreReadLaterAreRemovedAsSoonAsTheOthers() {
    ConversationRules killed = switches.led(() -> 100, new StepWorker(), refused::put);
    killed.install(COPY, Mesh.over(1, 3, 5));
    List<FlowRule> unread = switches.rules(Mesh.device(3));
    unread.forEach(switches::forget);
    ConversationRules restarted = rules(100);
    restarted.install(CALL, Mesh.over(1, 2, 5));
    pass(Duration.ofSeconds(2));
    unread.forEach(switches::applyFlowRules);
    pass(Duration.ofSeconds(8));
    assertThat(switches.count()).isEqualTo(3);
  }

  /** Looks for leftovers are a minute apart by then. */
  @ParameterizedTest
  @EnumSource(names = {"ADDED", "PENDING_ADD"})
  void aRuleThatComesBackAfterItWasRemovedIsRemovedAgainWithinSeconds(FlowEntry.FlowEntryState as) {
    rules.install(CALL, Mesh.over(1, 2, 5));
    pass(Duration.ofSeconds(310));
    List<FlowRule> old = switches.rules(Mesh.device(2));
    rules.install(CALL, Mesh.over(1, 3, 5));
    pass(Duration.ofSeconds(1));
    assertThat(switches.rules(Mesh.device(2))).isEmpty();
    old.forEach(switches::applyFlowRules);
    switches.allAre(as);
    pass(Duration.ofSeconds(4));
    assertThat(switches.rules(Mesh.device(2))).isEmpty();
    assertThat(switches.way(CALL)).containsExactly(1, 3, 5);
    assertThat(rules.used(switchId(2))).isZero();
  }

  @Test
  void rulesOfAPairWithoutConversationsAreRemovedAgainToo() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    pass(Duration.ofSeconds(310));
    List<FlowRule> old = switches.rules(Mesh.device(2));
    rules.remove(CALL);
    pass(Duration.ofSeconds(6));
    old.forEach(switches::applyFlowRules);
    pass(Duration.ofSeconds(4));
    assertThat(switches.count()).isZero();
  }

  @Test
  void whatCameBackJustBeforeALookForLeftoversDoesNotWaitAsTheyDo() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    pass(Duration.ofSeconds(5));
    List<FlowRule> old = switches.rules(Mesh.device(2));
    rules.install(CALL, Mesh.over(1, 3, 5));
    pass(Duration.ofSeconds(1));
    old.forEach(switches::applyFlowRules);
    pass(Duration.ofSeconds(3));
    assertThat(switches.rules(Mesh.device(2))).isEmpty();
  }

  @Test
  void aRuleThatIsWantedAgainStaysAfterItWasRemoved() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(CALL, Mesh.over(1, 3, 5));
    pass(Duration.ofSeconds(1));
    rules.install(CALL, Mesh.over(1, 2, 5));
    pass(Duration.ofSeconds(1));
    int written = switches.written();
    pass(Duration.ofSeconds(30));
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
    assertThat(switches.written()).isEqualTo(written);
  }

  @Test
  void oneLookIsForManyRemovalsAndNobodyLooksWhereNothingWasRemoved() {
    for (int n = 0; n < 100; n++) {
      rules.install(between("c" + n, "10.0.1." + n, "10.0.2." + n, 5004), Mesh.over(1, 2, 5));
    }
    pass(Duration.ofSeconds(310));
    assertThat(switches.reads()).isZero();
    for (int n = 0; n < 100; n++) {
      rules.remove(between("c" + n, "10.0.1." + n, "10.0.2." + n, 5004));
      pass(Duration.ofMillis(10));
    }
    pass(Duration.ofSeconds(3));
    assertThat(switches.reads()).as("once each switch").isEqualTo(3);
    pass(Duration.ofSeconds(15));
    int reads = switches.reads();
    pass(Duration.ofMinutes(5));
    assertThat(switches.reads()).isEqualTo(reads);
  }

  @Test
  void aWayThatASwitchRefusesIsNotTakenAndTheReasonNamesTheSwitch() {
    switches.refuseAt(Mesh.device(3));
    rules.install(CALL, Mesh.over(1, 3, 5));
    assertThat(Objects.requireNonNull(refused.get(CALL.id())).reason())
        .contains("(" + Mesh.device(3) + ") refused");
    assertThat(switches.rules(Mesh.device(1))).isEmpty();
    worker.passTime();
    assertThat(switches.count()).isZero();
  }

  @Test
  void anotherConversationKeepsItsWayWhenASwitchRefuses() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    switches.refuseAt(Mesh.device(3));
    rules.install(COPY, Mesh.over(1, 3, 5));
    assertThat(refused).containsOnlyKeys(COPY.id());
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
    switches.acceptEverywhere();
    rules.install(COPY, Mesh.over(1, 3, 5));
    assertThat(switches.way(COPY)).containsExactly(1, 3, 5);
  }

  @Test
  void aFullTableIsSaidBeforeAnythingIsWritten() {
    ConversationRules narrow = rules(1);
    narrow.install(CALL, Mesh.over(1, 2, 5));
    narrow.install(COPY, Mesh.over(1, 3, 5));
    assertThat(Objects.requireNonNull(refused.get(COPY.id())).reason())
        .contains("may hold 1 rules of conversations")
        .contains("Maybe raise maxRulesPerSwitch");
    assertThat(switches.count()).isEqualTo(3);
  }

  @Test
  void aMeterIsPassedAtTheFirstSwitchOnlyAndStaysWhenTheWayChanges() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    assertThat(rules.meter(CALL, Optional.of(Mesh.meter(7))).join()).isTrue();
    rules.install(CALL, Mesh.over(1, 3, 5));
    worker.passTime();
    assertThat(metered(1)).hasSize(1);
    assertThat(metered(3)).isEmpty();
    assertThat(switches.way(CALL)).containsExactly(1, 3, 5);
    assertThat(rules.firstSwitch(CALL)).contains(switchId(1));
  }

  @Test
  void whatSwitchesLostIsFoundMissingAndWrittenAgain() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    InstalledRules installed = switches.installed(rules);
    assertThat(installed.read().join().get(CALL.id()))
        .hasSize(3)
        .allMatch(element -> element.standing() == InstalledElement.Standing.AS_WANTED);
    switches.forget(switches.rules(Mesh.device(2)).get(0));
    InstalledElement missing =
        installed.read().join().getOrDefault(CALL.id(), List.of()).stream()
            .filter(InstalledElement::isDrifted)
            .findFirst()
            .orElseThrow();
    assertThat(missing.at()).isEqualTo(Mesh.device(2));
    installed.repair(CALL.id(), missing);
    assertThat(switches.way(CALL)).containsExactly(1, 2, 5);
  }

  private List<FlowRule> metered(int number) {
    List<FlowRule> metered = new ArrayList<>(switches.rules(Mesh.device(number)));
    metered.removeIf(
        rule -> rule.treatment().meters().isEmpty() || RecordedSwitches.isOfFragments(rule));
    return metered;
  }

  private static org.onosproject.net.DeviceId switchId(int number) {
    return org.onosproject.net.DeviceId.deviceId(Mesh.device(number));
  }
}
