package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;

final class PlannerTest {
  private static final Offset<Double> NEAR = Offset.offset(1e-6);
  private final Office office = new Office();

  @Test
  void aNewcomerIsGrantedAndInstalled() {
    office.open(Office.conversation(1, "a", "files/copy"));
    office.settle();
    Proof proof = office.proof("h1", "a");
    assertThat(proof.state()).isEqualTo(ConversationState.GRANTED);
    assertThat(proof.installed())
        .contains(proof.computed().orElseThrow().rate())
        .contains(DataRate.ofKilobitsPerSecond(5_000));
    assertThat(proof.installedAt()).isPresent();
  }

  @Test
  void eventsThatComeTogetherArePlannedTogether() {
    for (int i = 0; i < 20; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.worker.pass(Duration.ofMillis(50));
    assertThat(office.batches).isEqualTo(1);
    assertThat(office.planner.plan().grants()).hasSize(20);
  }

  @Test
  void oneThatClosesGivesItsShareBack() {
    for (int i = 0; i < 10; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    long before = office.enforced.getOrDefault(ConversationId.of("h1", "a0"), 0L);
    for (int i = 5; i < 10; i++) {
      office.close(ConversationId.of("h1", "a" + i));
    }
    office.settle();
    assertThat(office.enforced.get(ConversationId.of("h1", "a0"))).isGreaterThan(before);
    assertThat(office.proofs.all()).hasSize(5);
  }

  @Test
  void nobodyIsRaisedBeforeThoseWhoYieldHaveAnswered() {
    for (int i = 0; i < 6; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    office.open(Office.conversation(2, "b", ""));
    office.worker.pass(Duration.ofMillis(20));
    // The newcomer gets what room there is now, the rest when h1 has answered.
    long first =
        office.onTheirWay.stream()
            .filter(batch -> batch.host.equals("h2"))
            .flatMap(batch -> batch.rates.values().stream())
            .mapToLong(DataRate::millibitsPerSecond)
            .sum();
    long granted = office.grant("h2", "b");
    assertThat(first).isLessThan(granted);
    office.settle();
    assertThat(office.enforced.get(ConversationId.of("h2", "b"))).isEqualTo(granted);
  }

  @Test
  void whatSeveralHostsLeaveIsToldTogetherWhereTheyAnswerTogether() {
    office.open(Office.conversation(1, "a0", ""));
    office.open(Office.conversation(1, "a1", ""));
    office.open(Office.conversation(1, "a2", ""));
    office.open(Office.conversation(3, "c0", ""));
    office.open(Office.conversation(3, "c1", ""));
    office.settle();
    office.open(Office.conversation(2, "b", ""));
    office.worker.pass(Duration.ofMillis(20));
    assertThat(office.onTheirWay).extracting(batch -> batch.host).containsExactly("h1", "h3");
    office.deliver();
    office.deliver();
    office.worker.pass(Duration.ZERO);
    assertThat(office.onTheirWay.element().rates.values())
        .as("the newcomer's first rate")
        .containsExactly(DataRate.ofMillibitsPerSecond(office.grant("h2", "b")));
  }

  @Test
  void aPoolYieldsAtOnceThoughItsHostOwesAnAnswer() {
    PoolId first = PoolId.of("h1", "eth0");
    PoolId second = PoolId.of("h2", "eth0");
    office.open(Office.pooled(1, "a", ""));
    office.settle();
    long whole = office.pools.getOrDefault(first, 0L);
    office.open(Office.pooled(1, "b", ""));
    office.worker.pass(Duration.ofMillis(20));
    assertThat(office.onTheirWay).extracting(batch -> batch.host).containsExactly("h1");

    office.open(Office.pooled(2, "c", ""));
    office.worker.pass(Duration.ofMillis(20));

    DataRate told = lastTold("h1").pools.getOrDefault(first, DataRate.ZERO);
    assertThat(told.millibitsPerSecond()).isBetween(1L, whole - 1);
    // Until h1 has answered that, there is no room for as much as h2's pool is to have.
    office.deliver(oldest("h1"));
    office.worker.pass(Duration.ZERO);
    assertThat(office.planner.possibleLoad(LinkId.of("s1", "s2")).millibitsPerSecond())
        .isGreaterThanOrEqualTo(whole);
    long planned = office.planner.pools().rate(second);
    assertThat(office.onTheirWay)
        .extracting(batch -> batch.pools.getOrDefault(second, DataRate.ZERO).millibitsPerSecond())
        .allMatch(rate -> rate < planned / 2);
    office.settle();
    assertThat(office.pools)
        .containsEntry(first, office.planner.pools().rate(first))
        .containsEntry(second, office.planner.pools().rate(second));
  }

  @Test
  void soDoRates() {
    for (int i = 0; i < 6; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    office.open(Office.conversation(1, "b", ""));
    office.worker.pass(Duration.ofMillis(20));
    int before = office.onTheirWay.size();
    office.open(Office.conversation(2, "c", ""));
    office.worker.pass(Duration.ofMillis(20));
    assertThat(office.onTheirWay.stream().skip(before).filter(batch -> batch.host.equals("h1")))
        .singleElement()
        .satisfies(batch -> assertThat(batch.rates).hasSize(6));
  }

  /** Hundreds of rates in front of a newcomer's would keep it waiting. */
  @Test
  void aHostIsNotToldOfHundredsThatYieldBeforeItAnswers() {
    for (int i = 0; i < 45; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    office.state = OfficeNetwork.oneWay(7_000);
    office.planner.networkChanged();
    for (int i = 0; i < 5; i++) {
      office.worker.pass(Duration.ofMillis(20));
      office.planner.reported(office.worker.instant(), List.of());
    }
    assertThat(office.onTheirWay.stream().mapToInt(batch -> batch.rates.size()).sum())
        .isEqualTo(32);
  }

  /** Each of whose first rates is told before the one before is answered. */
  @Test
  void whileNewcomersNeverEndTheOthersYield() {
    for (int i = 0; i < 6; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    long first = office.enforced.getOrDefault(ConversationId.of("h1", "a0"), 0L);
    tenCome(i -> Office.conversation(1, "n" + i, ""));
    assertThat(office.enforced.get(ConversationId.of("h1", "a0"))).isLessThan(first * 3 / 4);
  }

  @Test
  void whileNewcomersNeverEndTheirPoolGrows() {
    office.open(Office.pooled(1, "a", ""));
    office.open(Office.pooled(2, "b", ""));
    office.settle();
    PoolId pool = PoolId.of("h1", "eth0");
    long half = office.pools.getOrDefault(pool, 0L);
    tenCome(i -> Office.pooled(1, "n" + i, ""));
    assertThat(office.pools.get(pool)).isGreaterThan(half * 4 / 3);
  }

  private void tenCome(IntFunction<Conversation> newcomer) {
    for (int i = 0; i < 10; i++) {
      office.open(newcomer.apply(i));
      office.worker.pass(Duration.ofMillis(20));
      Office.Batch unanswered = lastTold("h1");
      List.copyOf(office.onTheirWay).stream()
          .filter(batch -> batch != unanswered)
          .forEach(office::deliver);
    }
  }

  private Office.Batch lastTold(String host) {
    return office.onTheirWay.stream()
        .filter(batch -> batch.host.equals(host))
        .reduce((before, after) -> after)
        .orElseThrow();
  }

  private Office.Batch oldest(String host) {
    return office.onTheirWay.stream()
        .filter(batch -> batch.host.equals(host))
        .findFirst()
        .orElseThrow();
  }

  /** Two hosts report by turns, 100 ms apart. */
  @Test
  void whoIsBusyCountsThoughAnotherHostReportedJustBefore() {
    office.open(Office.pooled(1, "a", ""));
    office.open(Office.pooled(2, "b", ""));
    office.settle();
    PoolId busy = PoolId.of("h2", "eth0");
    long half = office.pools.getOrDefault(busy, 0L);
    for (int second = 0; second < 4; second++) {
      office.worker.pass(Duration.ofMillis(900));
      office.report("h1", id -> 0.1);
      office.worker.pass(Duration.ofMillis(100));
      double part = second == 3 ? 1 : 0.1;
      office.report("h2", id -> part);
    }
    office.worker.pass(Duration.ofMillis(200));
    office.settle();
    assertThat(office.pools.get(busy)).isGreaterThan(half * 4 / 3);
  }

  @Test
  void ofMetersThatStandFarMoreAreChangedAtOnceThanAnAgentIsTold() {
    office.state = OfficeNetwork.oneWay(100_000);
    for (int i = 0; i < 100; i++) {
      office.open(Office.metered(1, "m" + i, ""));
    }
    office.settle();
    office.state = OfficeNetwork.oneWay(50_000);
    office.planner.networkChanged();
    office.worker.pass(Duration.ofMillis(20));
    assertThat(office.onTheirWay).hasSize(1);
    assertThat(office.onTheirWay.element().rates).hasSize(100);
  }

  @Test
  void aConversationToAnUnknownHostIsListedWithTheReason() {
    office.open(
        Conversation.builder()
            .id(ConversationId.of("h1", "x"))
            .localAddress("10.0.1.1")
            .remoteAddress("192.0.2.7")
            .build());
    office.settle();
    Proof proof = office.proof("h1", "x");
    assertThat(proof.state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(proof.reason()).contains("192.0.2.7").contains("Maybe");
    assertThat(office.refused).hasSize(1);
    assertThat(office.onTheirWay).isEmpty();
  }

  @Test
  void whyItIsNotServedStandsThoughAnEnforcerAnswersLateThatItDidNotTakeARate() {
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    ConversationId id = ConversationId.of("h1", "a");
    office.planner.unenforceable(id, Unserved.of(Unserved.Code.RULE_REFUSED, "s1"));
    office.settle();
    office.planner.installed(
        "h1", 1, List.of(InstalledRate.of(id, DataRate.ZERO, "It was overtaken.")), Map.of());
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(office.proof("h1", "a").reason()).startsWith("The switch (s1) refused a rule");
  }

  @Test
  void ofWhoIsRefusedAndHasNoAgentNoRateIsSaidToBeInstalled() {
    office.open(Office.metered(1, "a", ""));
    office.settle();
    assertThat(office.proof("h1", "a").installedAt()).isPresent();
    office.planner.unenforceable(
        ConversationId.of("h1", "a"), Unserved.of(Unserved.Code.RULE_REFUSED, "s1"));
    office.settle();
    assertThat(office.proof("h1", "a").installed()).contains(DataRate.ZERO);
    assertThat(office.proof("h1", "a").installedAt()).isEmpty();
    office.worker.pass(Duration.ofSeconds(11));
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.GRANTED);
    assertThat(office.proof("h1", "a").installedAt()).isPresent();
    assertThat(office.proof("h1", "a").installed().orElseThrow()).isGreaterThan(DataRate.ZERO);
  }

  @Test
  void whoIsRefusedWhileTheNetworkChangesIsLedAndMeteredAnew() {
    office.open(Office.metered(1, "a", ""));
    office.settle();
    ConversationId id = ConversationId.of("h1", "a");
    int told = office.batches;
    // The switches have taken its rules away, and said so.
    office.led.remove(id);
    office.planner.unenforceable(id, Unserved.of(Unserved.Code.RULE_REFUSED, "s1"));
    office.state = OfficeNetwork.oneWay(9_000);
    office.planner.networkChanged();
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.GRANTED);
    assertThat(office.led).containsExactly(id);
    assertThat(office.released).as("its meter was taken back").containsExactly(id);
    assertThat(office.batches).as("it was told its rate anew").isGreaterThan(told);
  }

  @Test
  void anUnservedConversationIsServedWhenItsHostAppears() {
    office.open(Office.conversation(1, "a", ""));
    office.state = OfficeNetwork.oneWay(10_000);
    office.planner.networkChanged();
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.GRANTED);
  }

  @Test
  void aSmallerLinkLowersEverybodyBelowIt() {
    for (int i = 0; i < 8; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    office.state = OfficeNetwork.oneWay(4_000);
    office.planner.networkChanged();
    office.settle();
    assertThat(office.enforcedSum()).isLessThanOrEqualTo(3_840_000_000L + 384);
  }

  /** Links come one by one when a switch is back: its neighbours' first, in any order. */
  @Test
  void whoWasGrantedTheOnlyWayThereWasIsLedAlongItWhenThereComesAnother() {
    for (int i = 0; i < 8; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    assertThat(office.led).as("there is one way").isEmpty();
    office.state = OfficeNetwork.twoWays(10_000);
    office.planner.networkChanged();
    office.settle();
    assertThat(office.led).isEqualTo(office.planner.plan().grants().keySet()).hasSize(8);
  }

  /** Default forwarding would follow the link that comes back before anybody has made room. */
  @Test
  void whileTheOtherWayIsGoneEverybodyIsLedAlongTheOneThatIsLeft() {
    office.state = OfficeNetwork.twoWays(10_000);
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    office.state = OfficeNetwork.oneWay(10_000);
    office.planner.networkChanged();
    office.settle();
    office.open(Office.conversation(2, "b", ""));
    office.settle();
    assertThat(office.led).isEqualTo(office.planner.plan().grants().keySet()).hasSize(2);
  }

  @Test
  void aRateThatWasLostOnTheHostIsToldAgain() {
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    long granted = office.grant("h1", "a");
    ConversationId id = ConversationId.of("h1", "a");
    office.enforced.put(id, 7L);
    office.planner.reported(
        office.worker.instant(),
        List.of(
            Counters.of(
                id,
                0,
                0,
                1,
                DataRate.ofMillibitsPerSecond(7),
                java.util.Map.of(),
                java.util.Optional.empty())));
    office.settle();
    assertThat(office.enforced.get(id)).isEqualTo(granted);
  }

  @Test
  void whatOneLeavesIsLentAndTakenBackWhenItReturns() {
    Office lending = new Office(PlannerSettings.DEFAULT.toBuilder().lendThousandths(60).build());
    // All of a type get the same 100 kbit/s, for 200 would not fit: 3.5 Mbit/s are left free.
    for (int i = 0; i < 60; i++) {
      lending.open(Office.conversation(1 + i % 3, "a" + i, ""));
    }
    lending.settle();
    ConversationId borrower = ConversationId.of("h1", "a0");
    for (int i = 0; i < 14; i++) {
      lending.report(id -> id.host().equals("h2") ? 0.1 : 1);
    }
    // 40 share 3.5 Mbit/s that are free and 0.6, the limit, of what the other 20 leave.
    assertThat(lending.enforced.get(borrower)).isBetween(201_500_000L, 202_500_000L);
    assertThat(lending.proofs.find(borrower).orElseThrow().lent().millibitsPerSecond())
        .isEqualTo(lending.enforced.getOrDefault(borrower, 0L) - 100_000_000L);
    assertThat(lending.enforcedSum()).isBetween(10_060_000_000L, 10_100_000_000L);
    lending.report(id -> 1);
    assertThat(lending.enforcedSum()).isLessThanOrEqualTo(9_500_000_000L);
    assertThat(lending.planner.loans().beyondPlan()).isEmpty();
  }

  @Test
  void noMoreIsBorrowedThanADelayAllowsThatGrowsWithIt() {
    office.state = OfficeNetwork.slowing(10_000);
    office.open(Office.conversation(1, "alone", ""));
    office.settle();
    for (int i = 0; i < 14; i++) {
      office.report(id -> 1);
    }
    // Its best is 2 Mbit/s. At 4.5 its path has the 100 ms that it was granted.
    assertThat(office.enforcedSum()).isBetween(4_470_000_000L, 4_500_001_000L);

    Office pooled = new Office();
    pooled.state = OfficeNetwork.slowing(10_000);
    pooled.open(Office.pooled(1, "alone", ""));
    pooled.settle();
    assertThat(pooled.borrowing.values())
        .singleElement()
        .satisfies(most -> assertThat(most / 1_000_000).isEqualTo(4_500));
  }

  @Test
  void theWorstOffStayBelowTheirBestOnlyAsFarAsIsSet() {
    for (int i = 0; i < 8; i++) {
      office.open(Office.conversation(1, "page" + i, ""));
      office.open(Office.conversation(1, "copy" + i, "files/copy"));
    }
    office.settle();
    // A copy's step takes twice the rate of a page's and is worth less, so copies stay lower.
    assertThat(leastUtility()).isCloseTo(1 + 1 / 6.0, NEAR);
    office.epsilon(0);
    office.settle();
    // 300 kbit/s for each page and 800 for each copy: 400 and 800 would be 9.6 Mbit/s.
    assertThat(leastUtility()).isCloseTo(1 + 8 / 19.0, NEAR);
  }

  private double leastUtility() {
    return Stream.of("page", "copy")
        .flatMap(kind -> IntStream.range(0, 8).mapToObj(i -> office.proof("h1", kind + i)))
        .mapToDouble(proof -> proof.computed().orElseThrow().utility().billionths() / 1e9)
        .min()
        .orElseThrow();
  }

  @Test
  void aChangedIntentHoldsAtOnce() {
    office.open(Office.conversation(1, "a", "files/copy"));
    office.settle();
    office.policies.replace(office.policies.tree().without(IntentPath.parse("files/copy")));
    office.settle();
    assertThat(office.proof("h1", "a").requested().node()).isEqualTo(IntentPath.parse("files"));
    assertThat(office.grant("h1", "a")).isEqualTo(2_000_000_000L);
  }

  @Test
  void anIntentThatIsMadeLaterServesWhoHasNamedIt() {
    IntentPath copy = IntentPath.parse("files/copy");
    Policy policy = Objects.requireNonNull(office.policies.tree().policies().get(copy));
    office.policies.replace(office.policies.tree().without(copy));
    office.open(Office.conversation(1, "a", "files/copy"));
    office.settle();
    assertThat(office.proof("h1", "a").requested().node()).isEqualTo(IntentPath.parse("files"));
    assertThat(office.grant("h1", "a")).isEqualTo(2_000_000_000L);
    office.setPolicy(copy, policy);
    office.settle();
    assertThat(office.proof("h1", "a").requested().node()).isEqualTo(copy);
    assertThat(office.grant("h1", "a")).isEqualTo(5_000_000_000L);
  }

  @Test
  void equalEventsGiveEqualPlans() {
    Office twin = new Office();
    for (Office each : List.of(office, twin)) {
      for (int i = 0; i < 25; i++) {
        each.open(Office.conversation(1 + i % 3, "a" + i, i % 2 == 0 ? "" : "files/copy"));
      }
      each.settle();
    }
    assertThat(office.planner.plan().grants()).isEqualTo(twin.planner.plan().grants());
    assertThat(office.enforced).isEqualTo(twin.enforced);
  }
}
