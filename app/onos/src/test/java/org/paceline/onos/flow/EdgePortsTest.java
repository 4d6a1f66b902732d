package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.instructions.Instructions;
import org.paceline.control.model.Conversation;
import org.paceline.intents.network.Path;
import org.paceline.onos.queue.Separation;

/** A conversation's rules are for who sends it, at the port where that is. */
final class EdgePortsTest {
  private static final Conversation CALL = Mesh.conversation("call", 5004);
  private static final Conversation COPY = Mesh.conversation("copy", 5080);
  private static final List<Path> PATHS = Mesh.allPaths();
  private static final Optional<PassedMeter> METER = Optional.of(Mesh.meter(7));
  private static final int MANAGED = 34;
  private static final Treatment APART =
      new Separation(() -> MANAGED, () -> 10, device -> Optional.of(1));

  // Made by each try: tries share the rest.
  private RecordedSwitches switches = new RecordedSwitches(1);
  private final StepWorker worker = new StepWorker();
  private final AtomicInteger hostPort = new AtomicInteger(Mesh.HOST_PORT);

  private ConversationRules rules(Treatment treatment) {
    switches = new RecordedSwitches(1);
    return switches.led(
        Mesh.nextHops(() -> true, hostPort::get), treatment, () -> 100, worker, (id, why) -> {});
  }

  /** Whatever ways two conversations take, and however they are marked and held. */
  @Property(tries = 500, seed = "20")
  void whoeverForgesAnAddressFindsNoRuleOfTheHostThatHasIt(
      @ForAll @IntRange(min = 0, max = 15) int way,
      @ForAll @IntRange(min = 0, max = 15) int other,
      @ForAll boolean isApart,
      @ForAll boolean isMetered) {
    ConversationRules rules = rules(isApart ? APART : Treatment.ALIKE);
    rules.install(COPY, PATHS.get(other));
    rules.install(CALL, PATHS.get(way));
    if (isMetered) {
      rules.meter(CALL, METER);
    }
    List<Integer> path = Mesh.numbers(PATHS.get(way));
    List<Integer> beside = Mesh.numbers(PATHS.get(other));
    for (int at = 1; at <= Mesh.SWITCHES; at++) {
      for (int port = 1; port <= Mesh.HOST_PORT; port++) {
        if (port != cameBy(path, at) && port != cameBy(beside, at)) {
          assertThat(switches.taking(at, Packet.by(port, CALL))).isEmpty();
          assertThat(switches.taking(at, Packet.by(port, CALL).marked(MANAGED))).isEmpty();
        }
      }
    }
    for (int i = 0; i < path.size(); i++) {
      Packet honest = Packet.by(cameBy(path, path.get(i)), CALL);
      FlowRule taken =
          switches
              .taking(path.get(i), i > 0 && isApart ? honest.marked(MANAGED) : honest)
              .orElseThrow();
      assertThat(taken.treatment().allInstructions()).contains(output(next(path, i)));
      assertThat(taken.treatment().meters()).hasSize(i == 0 && isMetered ? 1 : 0);
    }
  }

  /** The port by which packets on this path come to a switch; 0 where they do not. */
  private static int cameBy(List<Integer> path, int at) {
    int i = path.indexOf(at);
    return i < 0 ? 0 : i == 0 ? Mesh.HOST_PORT : path.get(i - 1);
  }

  private static int next(List<Integer> path, int i) {
    return i + 1 < path.size() ? path.get(i + 1) : Mesh.HOST_PORT;
  }

  private static Instructions.OutputInstruction output(int port) {
    return Instructions.createOutput(PortNumber.portNumber(port));
  }

  @Example
  void aHostThatMovesToAnotherPortOfItsSwitchIsMeteredAndReachedThere() {
    ConversationRules rules = rules(Treatment.ALIKE);
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.meter(CALL, METER);
    hostPort.set(8);
    rules.networkChanged();
    worker.passTime();
    worker.passTime();
    assertThat(switches.taking(1, Packet.by(8, CALL)).orElseThrow().treatment().meters())
        .hasSize(1);
    assertThat(switches.taking(1, Packet.by(Mesh.HOST_PORT, CALL))).isEmpty();
    assertThat(switches.taking(5, Packet.by(2, CALL)).orElseThrow().treatment().allInstructions())
        .contains(output(8));
    int written = switches.written();
    rules.networkChanged();
    worker.passTime();
    assertThat(switches.written()).as("nothing has moved since").isEqualTo(written);
  }

  @Example
  void rulesOfAVersionThatDidNotMatchPortsAreGoneWhenThoseThatDoStand() {
    ConversationRules rules = rules(Treatment.ALIKE);
    for (int[] hop : new int[][] {{1, 2}, {2, 5}, {5, Mesh.HOST_PORT}}) {
      switches.applyFlowRules(
          anywhere(hop[0], hop[1], PairRules.PAIR_PRIORITY, ConversationMatch.pair(CALL).build()));
    }
    switches.applyFlowRules(
        anywhere(
            1, 3, PairRules.OWN_PRIORITY + 2, ConversationMatch.of(COPY, COPY.matches().get(0))));
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(COPY, Mesh.over(1, 2, 5));
    worker.passTime();
    for (int at : new int[] {1, 2, 5}) {
      assertThat(switches.rules(Mesh.device(at)))
          .hasSize(1)
          .allMatch(rule -> ConversationMatch.cameBy(rule.selector()).isPresent());
    }
    assertThat(switches.way(COPY)).containsExactly(1, 2, 5);
  }

  private static FlowRule anywhere(int at, int out, int priority, TrafficSelector selector) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId(Mesh.device(at)))
        .fromApp(new DefaultApplicationId(1, "test"))
        .withPriority(priority)
        .makePermanent()
        .withSelector(selector)
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(out)).build())
        .build();
  }
}
