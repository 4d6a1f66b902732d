package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.gateway.AgentServerRig.OneSwitch;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PortQueue;
import org.paceline.protocol.PortQueues;
import org.paceline.protocol.QueueCount;
import org.paceline.protocol.QueueCounts;
import org.paceline.protocol.Refusal;

/** What an agent of a switch is told of its ports, and whether it may divide them at all. */
@SuppressWarnings("NullAway.Init")
final class PortQueuesOnTheWireTest {
  private static final QueueShares SHARES =
      QueueShares.of(DataRate.ofKilobitsPerSecond(3_000), DataRate.ofKilobitsPerSecond(6_900));
  private static final PortQueue PORT =
      PortQueue.newBuilder().setSwitchId("s").setPort("eth2").build();
  private static final PortQueue DIVIDED =
      PORT.toBuilder()
          .setElephantsBitsPerSecond(3_000_000)
          .setOthersBitsPerSecond(6_900_000)
          .setElephantDscp(10)
          .build();

  @RegisterExtension final AgentServerRig rig = new AgentServerRig();

  @BeforeEach
  void listen() throws Exception {
    rig.switches.allowed = Optional.of("rack1");
  }

  private AgentServerRig.Agent attached(PortQueue port) throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(Hello.newBuilder().setProtocolVersion(1).setHostId("rack1").addPorts(port).build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    return agent;
  }

  /** That the agent divides this port, and no other; none where it is empty. */
  private void awaitScheduler(String port) throws Exception {
    AgentServerRig.await(() -> divided().equals(port));
    assertThat(divided()).isEqualTo(port);
  }

  private String divided() {
    return rig.schedulers
        .of("s")
        .map(scheduler -> String.join(", ", scheduler.ports().keySet()))
        .orElse("");
  }

  private static void answer(AgentServerRig.Agent agent, long number, PortQueue port) {
    agent.say(
        AgentMessage.newBuilder()
            .setPorts(PortQueues.newBuilder().setNumber(number).addPorts(port))
            .build());
  }

  private static Optional<QueueRefusal> result(CompletableFuture<Optional<QueueRefusal>> told)
      throws Exception {
    return told.get(AgentServerRig.SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aPortIsDividedAsTold() throws Exception {
    AgentServerRig.Agent agent = attached(PORT);
    awaitScheduler("eth2");
    CompletableFuture<Optional<QueueRefusal>> told = rig.schedulers.set(OneSwitch.LINK, SHARES);
    PortQueues heard = agent.hears().getPorts();
    assertThat(heard.getPortsList()).containsExactly(DIVIDED);
    assertThat(told).isNotDone();
    answer(agent, heard.getNumber(), DIVIDED);
    assertThat(result(told)).isEmpty();
    assertThat(rig.schedulers.inForce()).containsOnlyKeys(OneSwitch.LINK).containsValue(SHARES);
    assertThat(rig.schedulers.of("s").orElseThrow())
        .hasToString("rack1: eth2 (3000 kbit/s for elephants, 6900 for others)");

    // Elephants are to be told otherwise: then it is not as wanted any more.
    rig.switches.dscp = 8;
    assertThat(rig.schedulers.inForce()).isEmpty();
    rig.switches.dscp = 10;

    rig.schedulers.clear(OneSwitch.LINK);
    heard = agent.hears().getPorts();
    assertThat(heard.getPortsList()).containsExactly(PORT);
    answer(agent, heard.getNumber(), PORT);
    awaitInForce(false);
  }

  private void awaitInForce(boolean divided) throws Exception {
    AgentServerRig.await(() -> rig.schedulers.inForce().isEmpty() != divided);
    assertThat(rig.schedulers.inForce().isEmpty()).isNotEqualTo(divided);
  }

  @Test
  void whatAnAgentFoundAndWhatItTellsEachSecondIsInForce() throws Exception {
    AgentServerRig.Agent agent = attached(DIVIDED);
    awaitInForce(true);
    agent.say(AgentMessage.newBuilder().setPorts(PortQueues.getDefaultInstance()).build());
    awaitInForce(false);
  }

  private static PortQueue counting(long since, long runningNanos, long bytes, long dropped) {
    QueueCount others =
        QueueCount.newBuilder()
            .setBytes(bytes)
            .setPackets(bytes / 1_000)
            .setDroppedPackets(dropped)
            .build();
    return DIVIDED.toBuilder()
        .setCounts(
            QueueCounts.newBuilder()
                .setSinceUnixNanos(since)
                .setRunningNanos(runningNanos)
                .setElephants(QueueCount.getDefaultInstance())
                .setOthers(others))
        .build();
  }

  private void awaitTraffic(boolean isThere) throws Exception {
    AgentServerRig.await(() -> rig.schedulers.traffic().isEmpty() != isThere);
    assertThat(rig.schedulers.traffic().isEmpty()).isNotEqualTo(isThere);
  }

  @Test
  void whatItsQueuesHaveCountedTwiceIsTheirTraffic() throws Exception {
    AgentServerRig.Agent agent = attached(DIVIDED);
    answer(agent, 0, counting(7, 1_000_000_000, 5_000, 0));
    answer(agent, 0, counting(7, 3_000_000_000L, 105_000, 100));
    awaitTraffic(true);
    QueueTraffic traffic = Objects.requireNonNull(rig.schedulers.traffic().get(OneSwitch.LINK));
    assertThat(traffic.over()).hasSeconds(2);
    assertThat(traffic.elephants().bytes()).isZero();
    // A hundred left it and a hundred were dropped, each of 1,024 bytes on the wire.
    assertThat(traffic.offered(traffic.others())).isEqualTo(DataRate.ofBitsPerSecond(819_200));
    assertThat(traffic.sent(traffic.others())).isEqualTo(DataRate.ofBitsPerSecond(409_600));
    assertThat(traffic.wirePart(traffic.others())).isEqualTo(1.024);

    // Queues that were made anew begin anew, whatever they have counted.
    answer(agent, 0, counting(8, 4_000_000_000L, 205_000, 200));
    awaitTraffic(false);
    answer(agent, 0, counting(8, 5_000_000_000L, 305_000, 200));
    awaitTraffic(true);
    answer(agent, 0, counting(8, 6_000_000_000L, 1_000, 0));
    awaitTraffic(false);
    answer(agent, 0, counting(8, 7_000_000_000L, 2_000, 0));
    awaitTraffic(true);
    // An agent that does not count, or no longer.
    answer(agent, 0, DIVIDED);
    awaitTraffic(false);
    answer(agent, 0, counting(8, 8_000_000_000L, -1, 0));
    answer(agent, 0, counting(8, 9_000_000_000L, 9_000, 0));
    answer(agent, 0, counting(8, 10_000_000_000L, 10_000, 0));
    awaitTraffic(true);
    agent.goes();
    awaitTraffic(false);
  }

  private void awaitDropped(long packets) throws Exception {
    AgentServerRig.await(() -> rig.schedulers.dropped(OneSwitch.LINK) == packets);
    assertThat(rig.schedulers.dropped(OneSwitch.LINK)).isEqualTo(packets);
  }

  /** The switch that sends into them does not count it. */
  @Test
  void whatQueuesDropOfOthersIsCountedHoweverOftenTheirCountersBeginAnew() throws Exception {
    AgentServerRig.Agent agent = attached(DIVIDED);
    answer(agent, 0, counting(7, 1_000_000_000, 5_000, 1_000));
    answer(agent, 0, counting(7, 2_000_000_000L, 5_000, 1_100));
    awaitDropped(100);
    answer(agent, 0, counting(8, 1_000_000_000L, 5_000, 10));
    answer(agent, 0, counting(8, 2_000_000_000L, 5_000, 15));
    awaitDropped(105);
    agent.goes();
    awaitTraffic(false);
    assertThat(rig.schedulers.dropped(OneSwitch.LINK)).isEqualTo(105);
    assertThat(rig.schedulers.dropped(LinkId.of("a", "s"))).isZero();
  }

  @Test
  void whatItCannotDoIsRefusedWithItsReason() throws Exception {
    AgentServerRig.Agent agent = attached(PORT);
    awaitScheduler("eth2");
    CompletableFuture<Optional<QueueRefusal>> told = rig.schedulers.set(OneSwitch.LINK, SHARES);
    answer(
        agent,
        agent.hears().getPorts().getNumber(),
        PORT.toBuilder().setError("It has a queue of somebody else's.").build());
    QueueRefusal refusal = result(told).orElseThrow();
    assertThat(refusal.code()).isEqualTo(QueueRefusal.Code.REFUSED);
    assertThat(refusal.reason()).contains("somebody else's");

    told = rig.schedulers.set(OneSwitch.LINK, SHARES);
    answer(
        agent,
        agent.hears().getPorts().getNumber(),
        DIVIDED.toBuilder().setOthersBitsPerSecond(1_000).build());
    assertThat(result(told).orElseThrow().reason()).contains("1 for others");
  }

  @Test
  void whoHasNobodyThatDividesItIsRefusedAtOnce() throws Exception {
    assertThat(code(OneSwitch.LINK)).isEqualTo(QueueRefusal.Code.NO_SCHEDULER);
    assertThat(code(LinkId.of("a", "s"))).isEqualTo(QueueRefusal.Code.NO_SWITCH_PORT);
    attached(PORT.toBuilder().setPort("eth1").build());
    awaitScheduler("eth1");
    assertThat(code(OneSwitch.LINK)).isEqualTo(QueueRefusal.Code.OTHER_PORTS);
  }

  @Test
  void anAgentThatGoesAnswersNoMore() throws Exception {
    AgentServerRig.Agent agent = attached(PORT);
    awaitScheduler("eth2");
    CompletableFuture<Optional<QueueRefusal>> told = rig.schedulers.set(OneSwitch.LINK, SHARES);
    agent.hears();
    agent.goes();
    assertThat(result(told).orElseThrow().code()).isEqualTo(QueueRefusal.Code.NO_SCHEDULER);
    awaitScheduler("");
  }

  private QueueRefusal.Code code(LinkId link) throws Exception {
    return result(rig.schedulers.set(link, SHARES)).orElseThrow().code();
  }

  /** Any agent could say that it is a switch's. */
  @Test
  void anAgentThatTheOperatorDoesNotNameDividesNothingAndLearnsWhy() throws Exception {
    rig.switches.allowed = Optional.of("rack2");
    AgentServerRig.Agent agent = attached(DIVIDED);
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.SWITCH_NOT_ALLOWED);
    assertThat(refusal.getMessage())
        .contains("host (rack1)", "devices/s/paceline/queueAgent", "Maybe");
    ControllerMessage cleared = agent.hears();
    assertThat(cleared.getPorts().getPortsList()).containsExactly(PORT);
    assertThat(rig.schedulers.of("s")).isEmpty();
    assertThat(code(OneSwitch.LINK)).isEqualTo(QueueRefusal.Code.NO_SCHEDULER);
    answer(agent, cleared.getPorts().getNumber(), PORT);

    // The operator changes his mind: nobody has to start anything again.
    rig.switches.allowed = Optional.of("rack1");
    awaitScheduler("eth2");
  }
}
