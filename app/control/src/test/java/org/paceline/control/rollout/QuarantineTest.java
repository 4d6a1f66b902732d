package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.assurance.QuarantinedAgents;
import org.paceline.control.inventory.Quarantine;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.control.settings.PlanMode;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * The agent of h1 does not make the room that others wait for: they wait for so long and no longer.
 * Its one conversation has half of a link when h2 and h3 come, and is told to yield.
 */
final class QuarantineTest {
  private static final LinkId BOTTLENECK = LinkId.of("s1", "s2");
  private static final DataRate USABLE = DataRate.ofKilobitsPerSecond(9_600).plus(bits(1));
  private static final DataRate TOO_MUCH = DataRate.ofKilobitsPerSecond(9_200);
  private static final Function<DataRate, Optional<DataRate>> HONEST = Optional::of;
  private static final Function<DataRate, Optional<DataRate>> MORE = told -> Optional.of(TOO_MUCH);
  private static final Function<DataRate, Optional<DataRate>> MUTE = told -> Optional.empty();

  private final Office office = new Office();

  /** What the agent of h1 answers; the others do what they are told. */
  private Function<DataRate, Optional<DataRate>> answer = HONEST;

  /** How late it does, in seconds. */
  private int lateness;

  /** What it says that it holds, once a second; nothing where it says nothing. */
  private Optional<DataRate> reports = Optional.empty();

  private boolean hasMeters = true;
  private final Deque<Late> late = new ArrayDeque<>();

  private static final class Late {
    final Instant due;
    final Runnable answer;

    Late(Instant due, Runnable answer) {
      this.due = due;
      this.answer = answer;
    }
  }

  private static DataRate bits(long bits) {
    return DataRate.ofBitsPerSecond(bits);
  }

  @BeforeEach
  void oneIsThere() {
    for (int host = 1; host <= 3; host++) {
      office.attach(host);
    }
    office.open(Office.conversation(1, "big", "files/copy"));
    seconds(2);
    assertThat(office.grant("h1", "big")).isGreaterThan(4_000_000_000L);
  }

  private void othersCome() {
    office.open(Office.conversation(2, "x", "files/copy"));
    office.open(Office.conversation(3, "y", "files/copy"));
  }

  @Test
  void whoAnswersWithMoreThanItWasToldIsWaitedForOnlySoLong() {
    answer = MORE;
    othersCome();
    seconds(14);
    assertThat(haveTheirGrants()).as("they wait for the room that is to be made").isFalse();
    assertThat(quarantines()).isEmpty();
    seconds(3);
    assertThat(haveTheirGrants()).isTrue();
    Quarantine quarantine = quarantines().get(0);
    assertThat(quarantine.host()).isEqualTo("h1");
    assertThat(quarantine.fault()).isEqualTo(Quarantine.Fault.HOLDS_MORE);
    assertThat(quarantine.what()).isEqualTo("conversation h1/big");
    assertThat(quarantine.held()).isEqualTo(TOO_MUCH);
    assertThat(quarantine.told().millibitsPerSecond()).isEqualTo(office.grant("h1", "big"));
    isMetered();
    assertThat(alarms())
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.kind()).isEqualTo(Alarm.Kind.QUARANTINE);
              assertThat(alarm.agent()).contains("h1");
              assertThat(alarm.sentence())
                  .contains("(h1)", "h1/big", "9200 kbit/s", "for 60 s", "Maybe")
                  .doesNotContain("unserved");
            });
  }

  @Test
  void soIsWhoDoesNotAnswer() {
    answer = MUTE;
    othersCome();
    seconds(14);
    assertThat(haveTheirGrants()).isFalse();
    seconds(4);
    assertThat(haveTheirGrants()).isTrue();
    assertThat(quarantines().get(0).fault()).isEqualTo(Quarantine.Fault.NO_ANSWER);
    isMetered();
  }

  @Test
  void soIsWhoReportsMoreThanItAnswered() {
    othersCome();
    seconds(1);
    reports = Optional.of(TOO_MUCH);
    answer = MORE;
    seconds(18);
    assertThat(haveTheirGrants()).isTrue();
    isMetered();
  }

  /** Such as by somebody who changes its kernel's queues, or by an agent that was restarted. */
  @Test
  void butNotWhoOnlyHeldMoreAndYieldsWhenItIsToldAgain() {
    othersCome();
    seconds(1);
    reports = Optional.of(TOO_MUCH);
    seconds(20);
    assertThat(quarantines()).isEmpty();
    assertThat(haveTheirGrants()).isTrue();
  }

  @Test
  void soIsWhoComesBackInsteadOfAnswering() {
    answer = MUTE;
    othersCome();
    for (int times = 0; times < 4; times++) {
      seconds(6);
      office.planner.detached("h1");
      seconds(2);
      comesBack();
    }
    seconds(2);
    assertThat(haveTheirGrants()).isTrue();
    isMetered();
  }

  @Test
  void andWhoEndsAConversationThatOwesAndBeginsAnother() {
    answer = MUTE;
    othersCome();
    for (int times = 0; times < 12; times++) {
      office.open(Office.conversation(1, "n" + times, "", TOO_MUCH));
      seconds(2);
      office.close(ConversationId.of("h1", times == 0 ? "big" : "n" + (times - 1)));
      seconds(1);
    }
    assertThat(quarantines()).hasSize(1);
    assertThat(haveTheirGrants()).isTrue();
  }

  /** It answers all that it is told, a second later, and none lives so long. */
  @Test
  void whoOpensAndClosesFasterThanItAnswersIsWaitedForOnlySoLong() {
    lateness = 1;
    othersCome();
    boolean had = false;
    for (int part = 0; part < 130; part++) {
      comesAndGoes(part, TOO_MUCH);
      had |= part > 20 && haveTheirGrants();
    }
    assertThat(had).as("they wait for the room that is to be made").isFalse();
    for (int part = 130; part < 300; part++) {
      comesAndGoes(part, TOO_MUCH);
      had |= haveTheirGrants();
    }
    assertThat(had).isTrue();
    assertThat(quarantines()).as("it answers").isEmpty();
  }

  /** Nor is any of its conversations told later, or less, than at first. */
  @Test
  void manyShortConversationsCostAnHonestHostNothing() {
    othersCome();
    for (int part = 0; part < 600; part++) {
      comesAndGoes(part, DataRate.ofKilobitsPerSecond(3_000));
      String newest = "n" + part;
      assertThat(enforced(ConversationId.of("h1", newest)))
          .as(newest)
          .isEqualTo(office.grant("h1", newest));
      assertThat(office.planner.possibleLoad(BOTTLENECK)).isLessThanOrEqualTo(USABLE);
    }
    assertThat(quarantines()).isEmpty();
  }

  /** One begins and the fifth before it ends; a tenth of a second. */
  private void comesAndGoes(int number, DataRate inForce) {
    office.open(Office.conversation(1, "n" + number, "files/copy", inForce));
    office.worker.pass(Duration.ofMillis(50));
    office.close(ConversationId.of("h1", "n" + (number - 5)));
    deliver();
    office.worker.pass(Duration.ofMillis(50));
    deliver();
    if (number % 10 == 0) {
      office.planner.lookAtAgents();
    }
  }

  @Test
  void whoIsSlowAndAnswersIsNotHostile() {
    lateness = 4;
    othersCome();
    for (int second = 0; second < 60; second++) {
      if (second % 3 == 0) {
        office.open(Office.conversation(2 + second % 2, "more" + second, ""));
      }
      seconds(1);
      assertThat(quarantines()).isEmpty();
    }
    seconds(10);
    assertThat(haveTheirGrants()).isTrue();
    assertThat(enforcement("big")).isEqualTo(Enforcement.AGENT);
  }

  @Test
  void whoIsAwayIsNotExpectedToAnswer() {
    answer = MUTE;
    othersCome();
    seconds(2);
    office.planner.detached("h1");
    seconds(60);
    assertThat(quarantines()).isEmpty();
    answer = HONEST;
    comesBack();
    seconds(3);
    assertThat(haveTheirGrants()).isTrue();
    assertThat(quarantines()).isEmpty();
  }

  @Test
  void whatTheControllerStoodStillForIsNotTheAgents() {
    answer = MUTE;
    othersCome();
    seconds(1);
    office.worker.stand(Duration.ofMinutes(5));
    office.planner.lookAtAgents();
    assertThat(quarantines()).isEmpty();
  }

  @Test
  void inQuarantineNothingIsBelievedAndNothingIsLent() {
    answer = MORE;
    office.open(Office.pooled(1, "pooled", ""));
    othersCome();
    seconds(18);
    isMetered();
    assertThat(office.proof("h1", "pooled").conversation().pool()).isEmpty();
    office.open(Office.pooled(1, "late", ""));
    reports = Optional.of(TOO_MUCH);
    seconds(3);
    assertThat(enforcement("late")).isEqualTo(Enforcement.QUARANTINE);
    assertThat(office.planner.possibleLoad(BOTTLENECK)).isLessThanOrEqualTo(USABLE);
    assertThat(office.proof("h1", "late").installed().orElseThrow().millibitsPerSecond())
        .isEqualTo(office.grant("h1", "late"));
    assertThat(office.planner.pools().limits().keySet()).noneMatch(id -> id.host().equals("h1"));
  }

  @Test
  void whoKeepsToItsRatesForAWhileIsBelievedAgain() {
    answer = MORE;
    othersCome();
    seconds(18);
    isMetered();
    answer = HONEST;
    office.open(Office.conversation(2, "z", ""));
    seconds(30);
    isMetered();
    seconds(60);
    assertThat(quarantines()).isEmpty();
    assertThat(enforcement("big")).isEqualTo(Enforcement.AGENT);
    assertThat(office.unmetered).containsExactly(ConversationId.of("h1", "big"));
    assertThat(haveTheirGrants()).isTrue();
    assertThat(office.enforced.get(ConversationId.of("h1", "big")))
        .isEqualTo(office.grant("h1", "big"));

    answer = MORE;
    office.open(Office.conversation(3, "again", ""));
    seconds(19);
    assertThat(quarantines()).as("its second").hasSize(1);
    assertThat(quarantines().get(0).probation()).isEqualTo(Duration.ofSeconds(120));
  }

  @Test
  void whereTheSwitchHasNoMeterOthersAreServedAllTheSame() {
    hasMeters = false;
    answer = MORE;
    othersCome();
    seconds(20);
    assertThat(quarantines()).hasSize(1);
    assertThat(office.proof("h1", "big").state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(alarms().get(0).sentence()).contains("(1) of them cannot be, and are unserved");
    assertThat(haveTheirGrants()).isTrue();
  }

  @Test
  void inShadowNobodyIsInQuarantine() {
    answer = MORE;
    othersCome();
    seconds(18);
    isMetered();
    office.mode(PlanMode.SHADOW);
    office.settle();
    seconds(1);
    assertThat(quarantines()).isEmpty();
    assertThat(enforcement("big")).isEqualTo(Enforcement.AGENT);
  }

  private void isMetered() {
    assertThat(enforcement("big")).isEqualTo(Enforcement.QUARANTINE);
    assertThat(office.led).contains(ConversationId.of("h1", "big"));
    assertThat(office.planner.possibleLoad(BOTTLENECK)).isLessThanOrEqualTo(USABLE);
  }

  private Enforcement enforcement(String local) {
    return office.proof("h1", local).conversation().enforcement();
  }

  private List<Quarantine> quarantines() {
    return office.planner.lookAtAgents();
  }

  private List<Alarm> alarms() {
    return new QuarantinedAgents(office.planner::lookAtAgents).look(office.proofs.all());
  }

  /** Those of h2 and h3. */
  private boolean haveTheirGrants() {
    return office.proofs.all().stream()
        .filter(proof -> !proof.conversation().id().host().equals("h1"))
        .allMatch(
            proof ->
                enforced(proof.conversation().id())
                    == proof.computed().orElseThrow().rate().millibitsPerSecond());
  }

  private long enforced(ConversationId id) {
    return Objects.requireNonNull(office.enforced.get(id));
  }

  private void comesBack() {
    ConversationId id = ConversationId.of("h1", "big");
    office.planner.attached(
        AgentInfo.of("h1", List.of(), "htb", "test", "test", Instant.EPOCH),
        List.of(Office.conversation(1, "big", "files/copy", bits(enforced(id) / 1_000))),
        1_000);
  }

  private void seconds(int many) {
    for (int second = 0; second < many; second++) {
      for (int part = 0; part < 10; part++) {
        office.worker.pass(Duration.ofMillis(100));
        deliver();
      }
      reports.ifPresent(this::report);
      office.planner.lookAtAgents();
    }
  }

  private void report(DataRate rate) {
    List<Counters> counters = new ArrayList<>();
    office.enforced.keySet().stream()
        .filter(id -> id.host().equals("h1"))
        .forEach(id -> counters.add(Counters.of(id, 0, 0, 1, rate, Map.of(), Optional.empty())));
    office.planner.reported(office.worker.instant(), counters);
  }

  private void deliver() {
    while (!office.onTheirWay.isEmpty()) {
      Office.Batch batch = office.onTheirWay.remove();
      boolean isHostile = batch.host.equals("h1");
      Function<DataRate, Optional<DataRate>> says = isHostile ? answer : HONEST;
      List<InstalledRate> metered = new ArrayList<>();
      Map<Conversation, DataRate> told = new HashMap<>();
      batch.rates.forEach(
          (conversation, rate) -> {
            office.enforced.computeIfPresent(
                conversation.id(), (id, before) -> rate.millibitsPerSecond());
            if (conversation.isMetered()) {
              metered.add(
                  InstalledRate.of(
                      conversation.id(),
                      hasMeters ? rate : DataRate.ZERO,
                      hasMeters ? "" : "no meters"));
            }
            told.put(conversation, rate);
          });
      if (!metered.isEmpty()) {
        office.planner.metered(batch.host, batch.version, metered);
        if (!hasMeters) {
          metered.forEach(
              one ->
                  office.planner.unenforceable(
                      one.id(), Unserved.of(Unserved.Code.METER_RULE_REFUSED)));
        }
      }
      List<InstalledRate> installed = new ArrayList<>();
      told.forEach(
          (conversation, rate) ->
              says.apply(rate)
                  .ifPresent(r -> installed.add(InstalledRate.of(conversation.id(), r, ""))));
      Map<PoolId, DataRate> pools = new HashMap<>();
      batch.pools.forEach((pool, rate) -> says.apply(rate).ifPresent(r -> pools.put(pool, r)));
      Runnable answered =
          () -> office.planner.installed(batch.host, batch.version, installed, pools);
      late.add(new Late(office.worker.instant().plusSeconds(isHostile ? lateness : 0), answered));
      answerDue();
      office.worker.pass(Duration.ofMillis(1));
    }
    answerDue();
  }

  private void answerDue() {
    List<Late> due = new ArrayList<>();
    late.removeIf(one -> !one.due.isAfter(office.worker.instant()) && due.add(one));
    due.forEach(one -> one.answer.run());
  }
}
