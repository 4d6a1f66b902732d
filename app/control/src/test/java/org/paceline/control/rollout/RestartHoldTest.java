package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.planning.Plan;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;

final class RestartHoldTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** What the hosts were told before the controller was killed. */
  private final Map<ConversationId, Long> before = new TreeMap<>();

  RestartHoldTest() {
    Office office = new Office();
    for (int host = 1; host <= 3; host++) {
      office.attach(host);
      office.open(Office.conversation(host, "x", "files/copy"));
      office.open(Office.conversation(host, "y", "files/copy"));
    }
    office.settle();
    before.putAll(office.enforced);
    assertThat(office.hosts).containsExactly("h1", "h2", "h3");
  }

  @Test
  void afterARestartNoRateChangesWhileTheAgentsComeBackOneByOne() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1", "h2", "h3"));
    for (int host = 1; host <= 3; host++) {
      comesBack(office, host);
      office.settle();
      office.worker.pass(Duration.ofSeconds(4));
      assertThat(held(office)).isEqualTo(beforeOf(host));
    }
    assertThat(office.planner.plan().grants()).hasSize(6);
  }

  @Test
  void aPlanWaitsForTheNetworkToo() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1"));
    NetworkState whole = office.state;
    office.state = NetworkState.of(Network.of(Set.of(), Set.of()), Map.of(), List.of());
    comesBack(office, 1);
    office.settle();
    assertThat(office.refused).isEmpty();

    office.state = whole;
    office.planner.networkChanged();
    office.worker.pass(Duration.ofSeconds(4));
    office.settle();
    assertThat(office.planner.plan().grants()).hasSize(2);
    assertThat(office.refused).isEmpty();
  }

  @Test
  void aPlanWaitsForLinksThatCarryWhatIsHeld() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1", "h2", "h3"));
    office.state = OfficeNetwork.oneWay(2_000);
    for (int host = 1; host <= 3; host++) {
      comesBack(office, host);
    }
    office.settle();
    office.worker.pass(Duration.ofSeconds(4));
    assertThat(office.planner.plan()).isSameAs(Plan.EMPTY);

    office.state = OfficeNetwork.oneWay(10_000);
    office.planner.networkChanged();
    office.worker.pass(Duration.ofSeconds(1));
    office.settle();
    assertThat(held(office)).isEqualTo(before);
    assertThat(office.planner.plan().grants()).hasSize(6);
  }

  /** No link that is yet to come can make true what the host's own link does not carry. */
  @Test
  void aRateThatItsHostCannotSendIsNotAwaited() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1", "h2"));
    office.state = HostileAgentsTest.narrowAt("h1", office.state);
    before.put(ConversationId.of("h1", "x"), 5_000_000_000L);
    comesBack(office, 1);
    comesBack(office, 2);
    office.worker.pass(Duration.ofSeconds(4));
    assertThat(office.planner.plan().grants()).hasSize(4);
  }

  @Test
  void norAreRatesThatItCannotSendTogether() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1"));
    office.state = HostileAgentsTest.narrowAt("h1", office.state);
    before.put(ConversationId.of("h1", "x"), 1_200_000_000L);
    before.put(ConversationId.of("h1", "y"), 1_200_000_000L);
    comesBack(office, 1);
    office.worker.pass(Duration.ofSeconds(4));
    assertThat(office.planner.plan().grants()).hasSize(2);
  }

  /** Each time anew it would be awaited whether others come, too. */
  @Test
  void anAgentThatComesAndGoesPutsThePlanOffOnce() {
    Office office = new Office();
    for (int times = 0; times < 5; times++) {
      comesBack(office, 1);
      office.worker.pass(Duration.ofSeconds(1));
    }
    assertThat(office.planner.plan().grants()).hasSize(2);
  }

  @Test
  void linksThatNeverComeBackAreAwaitedForAWhileOnly() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1"));
    office.state = OfficeNetwork.oneWay(1_000);
    comesBack(office, 1);
    office.worker.pass(LONG);
    office.settle();
    assertThat(office.planner.plan().grants()).hasSize(2);
    assertThat(held(office).values().stream().mapToLong(rate -> rate).sum())
        .isLessThanOrEqualTo(1_000_000_000);
  }

  @Test
  void whoNeverComesBackHoldsTheOthersUpForAWhileOnly() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1", "h2"));
    comesBack(office, 1);
    office.settle();
    assertThat(office.planner.plan()).isSameAs(Plan.EMPTY);

    office.worker.pass(LONG);
    assertThat(office.planner.plan().grants()).hasSize(2);
  }

  /** As where the machine's own clock was wrong, and the network's time comes when all is up. */
  @Test
  void aClockThatIsSteppedMeanwhileHoldsNobodyUpForLonger() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1", "h2"));
    comesBack(office, 1);
    office.settle();
    office.worker.step(Duration.ofHours(-2));
    office.worker.pass(LONG);
    assertThat(office.planner.plan().grants()).hasSize(2);
  }

  @Test
  void norDoesItEndTheWaitEarly() {
    Office office = new Office(PlannerSettings.DEFAULT, Set.of("h1", "h2"));
    comesBack(office, 1);
    office.worker.step(Duration.ofHours(2));
    office.worker.pass(Duration.ofSeconds(4));
    assertThat(office.planner.plan()).isSameAs(Plan.EMPTY);
  }

  @Test
  void aControllerThatRemembersNobodyWaitsForThoseWhoHoldRates() {
    Office office = new Office();
    office.planner.networkChanged();
    office.settle();
    for (int host = 1; host <= 3; host++) {
      comesBack(office, host);
      office.settle();
      office.worker.pass(Duration.ofSeconds(1));
      assertThat(held(office)).isEqualTo(beforeOf(host));
    }
    office.worker.pass(LONG);
    office.settle();
    assertThat(held(office)).isEqualTo(before);
    assertThat(office.planner.plan().grants()).hasSize(6);
  }

  @Test
  void whatIsHeldStaysThoughAPlanForNobodyCameFirst() {
    // As good as the plan that would be made from nothing, where all are alike.
    before.merge(ConversationId.of("h1", "x"), 200_000_000L, Long::sum);
    Office office = new Office();
    office.planner.networkChanged();
    office.settle();
    for (int host = 1; host <= 3; host++) {
      comesBack(office, host);
    }
    office.worker.pass(LONG);
    office.settle();
    assertThat(held(office)).isEqualTo(before);
    assertThat(office.planner.plan().grants()).hasSize(6);
  }

  @Test
  void whatIsHeldStaysThoughTheSettingsAreToldAfterTheAgentsCame() {
    before.merge(ConversationId.of("h1", "x"), 200_000_000L, Long::sum);
    Office office = new Office();
    for (int host = 1; host <= 3; host++) {
      comesBack(office, host);
    }
    office.worker.pass(Duration.ofSeconds(1));
    office.planner.configure(PlannerSettings.DEFAULT);
    office.worker.pass(LONG);
    office.settle();
    assertThat(held(office)).isEqualTo(before);
    assertThat(office.planner.plan().grants()).hasSize(6);
  }

  @Test
  void agentsThatHoldNothingYetAreServedAtOnce() {
    Office office = new Office();
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.settle();
    assertThat(office.planner.plan().grants()).hasSize(1);
  }

  private void comesBack(Office office, int host) {
    Map<ConversationId, Conversation> open = new TreeMap<>();
    for (String id : List.of("x", "y")) {
      long rate = before.getOrDefault(ConversationId.of("h" + host, id), 0L);
      Conversation held =
          Office.conversation(host, id, "files/copy", DataRate.ofMillibitsPerSecond(rate));
      open.put(held.id(), held);
      office.enforced.put(held.id(), held.rateInForce().millibitsPerSecond());
    }
    office.planner.attached(
        AgentInfo.of("h" + host, List.of(), "htb", "test", "test", Instant.EPOCH),
        List.copyOf(open.values()),
        7);
  }

  private static Map<ConversationId, Long> held(Office office) {
    return new HashMap<>(office.enforced);
  }

  private Map<ConversationId, Long> beforeOf(int hosts) {
    Map<ConversationId, Long> some = new HashMap<>(before);
    some.keySet().removeIf(id -> Integer.parseInt(id.host().substring(1)) > hosts);
    return some;
  }
}
