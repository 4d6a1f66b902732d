package org.paceline.control.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.NetworkState;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.port.PortQueues;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

final class QueueRolloutTest {
  private static final LinkId LINK = LinkId.of("s1", "s2");

  private final ManualWorker worker = new ManualWorker();
  private final Switch port = new Switch();
  private boolean isThere = true;
  private DataRate capacity = DataRate.ofKilobitsPerSecond(10_000);
  private final QueueRollout rollout =
      new QueueRollout(
          PlannerPorts.builder()
              .network(this::network)
              .rates(new Nobody.NoRates())
              .paths(new Nobody.NoPaths())
              .worker(worker)
              .solving(Runnable::run)
              .improving(Runnable::run)
              .hosts(new Nobody.NoHosts())
              .queues(port)
              .clock(worker)
              .journal(new Nobody.NoJournal())
              .build());

  @Test
  void bothQueuesTogetherHaveWhatTheWireCarriesInTheirRatio() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    port.answer(Optional.empty());
    assertThat(port.held).containsEntry(LINK, shares(3_300, 6_600));
  }

  @Test
  void aPortIsToldAgainOnlyWhereItsSharesChange() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    assertThat(port.told).hasSize(1);
    rollout.want(Map.of(LINK, queue(4_500, 4_500)));
    assertThat(port.told).hasSize(2).last().isEqualTo(shares(4_950, 4_950));
    capacity = DataRate.ofKilobitsPerSecond(20_000);
    rollout.want(Map.of(LINK, queue(4_500, 4_500)));
    assertThat(port.told).hasSize(3).last().isEqualTo(shares(9_900, 9_900));
    isThere = false;
    rollout.want(Map.of(LINK, queue(1_000, 1_000)));
    assertThat(port.told).as("nobody knows what a link carries that has just gone").hasSize(3);
  }

  @Test
  void whoComesToThePortWaitsUntilItHasItsQueues() {
    assertThat(rollout.ready(List.of(LINK))).as("no queues are wanted").isDone();
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    CompletableFuture<Void> ready = rollout.ready(List.of(LinkId.of("s0", "s1"), LINK));
    worker.pass(Duration.ofMillis(100));
    assertThat(ready).isNotDone();
    port.answer(Optional.empty());
    worker.pass(Duration.ZERO);
    assertThat(ready).isDone();
  }

  @Test
  void nobodyWaitsForeverForAPortThatDoesNotAnswer() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    CompletableFuture<Void> ready = rollout.ready(List.of(LINK));
    worker.pass(QueueRollout.ANSWER);
    assertThat(ready).isDone();
  }

  @Test
  void aPortKeepsElephantsApartWhileItHasTwoQueuesWhateverTheirShares() {
    assertThat(rollout.keepApart(List.of(LINK))).as("no queues are wanted").isTrue();
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    assertThat(rollout.keepApart(List.of(LINK))).isFalse();
    worker.pass(QueueRollout.ANSWER);
    assertThat(rollout.keepApart(List.of(LINK))).as("no answer").isFalse();
    look();
    port.answer(Optional.of(QueueRefusal.of(QueueRefusal.Code.REFUSED, "its queue")));
    worker.pass(Duration.ZERO);
    assertThat(rollout.keepApart(List.of(LINK))).as("refused").isFalse();
    look();
    port.answer(Optional.empty());
    worker.pass(Duration.ZERO);
    assertThat(rollout.keepApart(List.of(LINK))).isTrue();
    rollout.want(Map.of(LINK, queue(4_500, 4_500)));
    assertThat(rollout.keepApart(List.of(LinkId.of("s0", "s1"), LINK))).isTrue();
    port.answer(Optional.empty());
    port.held.clear();
    look();
    assertThat(rollout.keepApart(List.of(LINK))).as("somebody took them away").isFalse();
  }

  @Test
  void whatSomebodyElseChangedIsToldAgain() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    port.answer(Optional.empty());
    look();
    assertThat(port.told).hasSize(1);
    port.held.put(LINK, shares(1, 9_899));
    look();
    assertThat(port.told).hasSize(2);
    port.answer(Optional.empty());
    assertThat(port.held).containsEntry(LINK, shares(3_300, 6_600));
    assertThat(look()).isEmpty();
  }

  @Test
  void aRefusalIsAnAlarmAfterAWhileAndEndsWhenItIsTaken() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    port.answer(Optional.of(QueueRefusal.of(QueueRefusal.Code.NO_SCHEDULER, "s1")));
    assertThat(look()).isEmpty();
    List<Alarm> alarms = List.of();
    for (int second = 0; second < QueueRollout.ALARMING.toSeconds(); second++) {
      port.answer(Optional.of(QueueRefusal.of(QueueRefusal.Code.NO_SCHEDULER, "s1")));
      alarms = look();
    }
    assertThat(alarms).extracting(Alarm::kind).containsExactly(Alarm.Kind.QUEUES);
    assertThat(alarms.get(0).sentence()).contains("Nobody divides ports of its switch (s1)");
    assertThat(alarms.get(0).link()).contains(LINK);
    port.answer(Optional.empty());
    assertThat(look()).isEmpty();
  }

  @Test
  void queuesThatNobodyWantsAreTakenAwayAfterAllHaveMoved() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    port.answer(Optional.empty());
    rollout.want(Map.of());
    look();
    assertThat(port.held).containsKey(LINK);
    worker.pass(QueueRollout.LINGER.minusSeconds(2));
    look();
    assertThat(port.held).containsKey(LINK);
    worker.pass(Duration.ofSeconds(1));
    look();
    assertThat(port.held).isEmpty();
  }

  @Test
  void queuesThatWereLeftByAnEarlierControllerStayUntilThereIsAPlan() {
    port.held.put(LINK, shares(3_300, 6_600));
    look();
    worker.pass(QueueRollout.LINGER);
    look();
    assertThat(port.held).containsKey(LINK);
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    port.answer(Optional.empty());
    worker.pass(QueueRollout.LINGER);
    look();
    assertThat(port.held).containsKey(LINK);
  }

  @Test
  void allGoAtOnceWhereNothingIsToBeCarriedOut() {
    rollout.want(Map.of(LINK, queue(3_000, 6_000)));
    port.answer(Optional.empty());
    rollout.withdraw();
    assertThat(port.held).isEmpty();
    look();
    assertThat(port.told).hasSize(1);
  }

  private List<Alarm> look() {
    worker.pass(Duration.ofSeconds(1));
    return rollout.look();
  }

  private NetworkState network() {
    return NetworkState.of(
        Network.of(
            List.of("s1", "s2"),
            isThere
                ? List.of(Link.of("s1", "s2", capacity, LinkDelay.constant(Latency.ZERO)))
                : List.of()),
        Map.of(),
        List.of());
  }

  private static Queue queue(long elephants, long others) {
    return Queue.of(
        SchemeName.UTILITY_FAIR, Directive.Reason.ELEPHANTS, LINK, shares(elephants, others));
  }

  private static QueueShares shares(long elephants, long others) {
    return QueueShares.of(
        DataRate.ofKilobitsPerSecond(elephants), DataRate.ofKilobitsPerSecond(others));
  }

  /** A switch that answers when the test says so. */
  private static final class Switch implements PortQueues {
    final List<QueueShares> told = new ArrayList<>();
    final Map<LinkId, QueueShares> held = new TreeMap<>();
    private Optional<CompletableFuture<Optional<QueueRefusal>>> open = Optional.empty();

    @Override
    public boolean divides(LinkId link) {
      return true;
    }

    @Override
    public CompletableFuture<Optional<QueueRefusal>> set(LinkId link, QueueShares shares) {
      told.add(shares);
      open = Optional.of(new CompletableFuture<>());
      return open.get();
    }

    void answer(Optional<QueueRefusal> refusal) {
      if (refusal.isEmpty()) {
        held.put(LINK, told.get(told.size() - 1));
      }
      open.orElseThrow().complete(refusal);
    }

    @Override
    public void clear(LinkId link) {
      held.remove(link);
    }

    @Override
    public Map<LinkId, QueueShares> inForce() {
      return Map.copyOf(held);
    }

    @Override
    public Map<LinkId, QueueTraffic> traffic() {
      return Map.of();
    }
  }
}
