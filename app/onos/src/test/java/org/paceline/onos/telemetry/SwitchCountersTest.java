package org.paceline.onos.telemetry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortStatistics;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.device.PortStatistics;
import org.paceline.control.ManualWorker;
import org.paceline.control.SolverBug;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.telemetry.LinkCount;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/** Two switches with a host at the first: its port 1; between them port 2 at either end. */
final class SwitchCountersTest {
  private static final LinkId BETWEEN = LinkId.of("of:1", "of:2");
  private static final LinkId BACK = LinkId.of("of:2", "of:1");
  private static final LinkId UP = LinkId.of("host", "of:1");
  private static final LinkId DOWN = LinkId.of("of:1", "host");
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final ManualWorker worker = new ManualWorker().goingOn();
  private final Map<String, CompletableFuture<Map<Long, PortCount>>> answers = new HashMap<>();
  private final Map<String, CompletableFuture<Map<Long, Long>>> dropped = new HashMap<>();
  private final Map<LinkId, Long> inKernel = new HashMap<>();
  private final List<String> queuesAsked = new ArrayList<>();
  private Duration ofPorts = PERIOD;
  private Duration ofQueues = PERIOD;
  private final Runnable changed;
  private Optional<SolverBug> broken = Optional.empty();
  private final Set<String> others = new HashSet<>();
  private final List<String> asked = new ArrayList<>();
  private final List<Map<LinkId, LinkCount>> rounds = new ArrayList<>();

  SwitchCountersTest() {
    changed =
        new SwitchCounters(
                new Devices(),
                () -> network(),
                new Questions(),
                link -> inKernel.getOrDefault(link, 0L),
                worker,
                rounds::add)
            .start(() -> ofPorts, () -> ofQueues);
  }

  private static NetworkState network() {
    return NetworkState.of(
        Network.of(Set.of("host", "of:1", "of:2"), List.of()),
        Map.of(),
        Map.of(),
        Map.of(
            BETWEEN, LinkPorts.of(Optional.of(2L), Optional.of(2L)),
            BACK, LinkPorts.of(Optional.of(2L), Optional.of(2L)),
            UP, LinkPorts.of(Optional.empty(), Optional.of(1L)),
            DOWN, LinkPorts.of(Optional.of(1L), Optional.empty())),
        List.of());
  }

  private final class Questions implements PortQuestions {
    @Override
    public Optional<CompletableFuture<Map<Long, PortCount>>> ports(DeviceId device) {
      asked.add(device.toString());
      return Optional.ofNullable(answers.get(device.toString()));
    }

    @Override
    public Optional<CompletableFuture<Map<Long, Long>>> queues(DeviceId device) {
      queuesAsked.add(device.toString());
      return Optional.ofNullable(dropped.get(device.toString()));
    }
  }

  private static LinkCount count(long bytes) {
    return LinkCount.of(bytes, bytes / 100, 0, Duration.ofMinutes(1));
  }

  private void answers(String device, Map<Long, PortCount> counts) {
    answers.put(device, CompletableFuture.completedFuture(counts));
  }

  @Test
  void aLinkCountsWhatItsFirstSwitchSendsAndOneFromAHostWhatItsSwitchReceives() {
    answers(
        "of:1",
        Map.of(1L, PortCount.of(count(100), count(200)), 2L, PortCount.of(count(300), count(400))));
    answers("of:2", Map.of(2L, PortCount.of(count(500), count(600))));
    worker.pass(PERIOD);
    assertThat(rounds)
        .containsExactly(
            Map.of(BETWEEN, count(300), BACK, count(500), UP, count(200), DOWN, count(100)));
  }

  @Test
  void eachSwitchIsAskedOnceARoundHoweverManyPortsItHas() {
    answers("of:1", Map.of());
    answers("of:2", Map.of());
    worker.pass(PERIOD);
    assertThat(asked).containsExactlyInAnyOrder("of:1", "of:2");
    worker.pass(PERIOD);
    assertThat(asked).hasSize(4);
  }

  private void every(int portSeconds, int queueSeconds) {
    ofPorts = Duration.ofSeconds(portSeconds);
    ofQueues = Duration.ofSeconds(queueSeconds);
    changed.run();
  }

  private void queuesDropped(String device, long atPort2) {
    dropped.put(device, CompletableFuture.completedFuture(Map.of(2L, atPort2)));
  }

  private LinkCount lastBetween() {
    return requireNonNull(rounds.get(rounds.size() - 1).get(BETWEEN));
  }

  private long droppedBetween() {
    return lastBetween().droppedPackets();
  }

  private void bothAnswer() {
    answers("of:1", Map.of(2L, PortCount.of(count(300), count(400))));
    answers("of:2", Map.of(2L, PortCount.of(count(500), count(600))));
  }

  @Test
  void whatAnAgentsQueuesDroppedIsDroppedByTheLinkThatLeavesByThem() {
    bothAnswer();
    queuesDropped("of:1", 3);
    worker.pass(PERIOD);
    assertThat(droppedBetween()).isEqualTo(3);
    inKernel.put(BETWEEN, 40L);
    worker.pass(PERIOD);
    assertThat(droppedBetween()).isEqualTo(43);
    assertThat(requireNonNull(rounds.get(1).get(BACK)).droppedPackets()).isZero();
  }

  @Test
  void inTheSamePeriodPortsAndQueuesAreReadTogetherAndToldOnce() {
    bothAnswer();
    queuesDropped("of:1", 4);
    worker.pass(PERIOD.multipliedBy(3));
    assertThat(asked).hasSize(6);
    assertThat(queuesAsked).hasSize(6);
    assertThat(rounds).hasSize(3);
    assertThat(droppedBetween()).isEqualTo(4);
  }

  @Test
  void portsAndQueuesAreEachReadInTheirOwnPeriod() {
    bothAnswer();
    every(2, 10);
    worker.pass(Duration.ofSeconds(20));
    assertThat(asked).hasSize(2 * 10);
    // With the first reading of ports, and then in their own period.
    assertThat(queuesAsked).hasSize(2 + 2 * 2);
  }

  @Test
  void queuesThatAreReadMoreOftenAreToldWithWhatTheirPortCountedBefore() {
    bothAnswer();
    every(10, 1);
    queuesDropped("of:1", 4);
    worker.pass(Duration.ofSeconds(10));
    assertThat(asked).hasSize(2);
    queuesDropped("of:1", 9);
    worker.pass(Duration.ofSeconds(1));
    assertThat(asked).hasSize(2);
    assertThat(droppedBetween()).isEqualTo(9);
    assertThat(lastBetween().bytes()).isEqualTo(300);
  }

  @Test
  void betweenTwoReadingsOfQueuesWhatTheyDroppedBeforeStands() {
    bothAnswer();
    every(1, 30);
    queuesDropped("of:1", 4);
    worker.pass(Duration.ofSeconds(1));
    assertThat(droppedBetween()).isEqualTo(4);
    queuesDropped("of:1", 9);
    worker.pass(Duration.ofSeconds(28));
    assertThat(droppedBetween()).isEqualTo(4);
    worker.pass(Duration.ofSeconds(2));
    assertThat(droppedBetween()).isEqualTo(9);
  }

  @Test
  void queuesThatSayNothingOnceHaveDroppedWhatTheySaidBefore() {
    bothAnswer();
    queuesDropped("of:1", 4);
    worker.pass(PERIOD);
    dropped.put("of:1", CompletableFuture.failedFuture(new IllegalStateException("silent")));
    worker.pass(PERIOD);
    assertThat(droppedBetween()).isEqualTo(4);
  }

  @Test
  void anotherPeriodHoldsAtOnce() {
    bothAnswer();
    every(30, 30);
    worker.pass(Duration.ofSeconds(8));
    assertThat(asked).isEmpty();
    every(2, 30);
    worker.pass(Duration.ofSeconds(1));
    assertThat(asked).hasSize(2);
    every(30, 3);
    queuesAsked.clear();
    worker.pass(Duration.ofSeconds(6));
    assertThat(asked).hasSize(2);
    // At once, since more than 3 s are over, and then twice more.
    assertThat(queuesAsked).hasSize(2 * 3);
  }

  @Test
  void aSwitchThatDoesNotAnswerKeepsNothingOfTheOthersBack() {
    answers.put("of:1", CompletableFuture.failedFuture(new IllegalStateException("silent")));
    answers("of:2", Map.of(2L, PortCount.of(count(500), count(600))));
    worker.pass(PERIOD);
    assertThat(rounds).containsExactly(Map.of(BACK, count(500)));
  }

  @Test
  void aSwitchOfAnotherMasterIsNotAsked() {
    others.add("of:2");
    answers("of:1", Map.of(2L, PortCount.of(count(300), count(400))));
    worker.pass(PERIOD);
    assertThat(asked).containsExactly("of:1");
    assertThat(rounds).containsExactly(Map.of(BETWEEN, count(300)));
  }

  @Test
  void ofASwitchThatNobodyCanAskWhatOnosPolledCounts() {
    answers("of:2", Map.of());
    worker.pass(PERIOD);
    assertThat(rounds)
        .containsExactly(
            Map.of(
                BETWEEN, LinkCount.of(700, 7, 3, Duration.ofSeconds(60, 5)),
                DOWN, LinkCount.of(0, 0, 0, Duration.ofSeconds(60, 5)),
                UP, LinkCount.of(0, 0, 0, Duration.ofSeconds(60, 5))));
  }

  @ParameterizedTest
  @EnumSource
  void aRoundInWhichSomethingIsThrownIsNotTheLast(SolverBug bug) {
    answers("of:1", Map.of());
    answers("of:2", Map.of(2L, PortCount.of(count(500), count(600))));
    broken = Optional.of(bug);
    worker.pass(PERIOD);
    worker.pass(PERIOD);
    assertThat(rounds).isEmpty();
    broken = Optional.empty();
    worker.pass(PERIOD);
    assertThat(rounds).containsExactly(Map.of(BACK, count(500)));
  }

  private final class Devices extends DeviceServiceAdapter {
    @Override
    public MastershipRole getRole(DeviceId device) {
      broken.ifPresent(SolverBug::thrown);
      return others.contains(device.toString()) ? MastershipRole.STANDBY : MastershipRole.MASTER;
    }

    @Override
    public List<PortStatistics> getPortStatistics(DeviceId device) {
      return List.of(polled(device, 1, 0, 0, 0), polled(device, 2, 700, 7, 3));
    }

    private PortStatistics polled(
        DeviceId device, int port, long bytes, long packets, long dropped) {
      return DefaultPortStatistics.builder()
          .setDeviceId(device)
          .setPort(PortNumber.portNumber(port))
          .setBytesSent(bytes)
          .setPacketsSent(packets)
          .setPacketsTxDropped(dropped)
          .setDurationSec(60)
          .setDurationNano(5)
          .build();
    }
  }
}
