package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Conversation;

/** Whoever sends its packets in fragments passes a meter all the same. */
final class FragmentsTest {
  private static final Conversation CALL = Mesh.conversation("call", 5004);
  private static final Conversation COPY = Mesh.conversation("copy", 5080);

  private final StepWorker worker = new StepWorker();
  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final ConversationRules rules = switches.led(() -> 100, worker, (id, why) -> {});

  private void lead(Conversation conversation, int meter, int... way) {
    rules.install(conversation, Mesh.over(way));
    rules.meter(conversation, Optional.of(Mesh.meter(meter)));
  }

  @Test
  void theyPassTheMeterOfTheirConversation() {
    lead(CALL, 7, 1, 2, 5);
    assertThat(metersOfFragments(CALL)).containsExactly(MeterId.meterId(7));
    assertThat(switches.taking(1, Packet.by(3, CALL).fragment()))
        .as("at the sender's port only")
        .isEmpty();
    rules.meter(CALL, Optional.empty());
    worker.passTime();
    assertThat(metersOfFragments(CALL)).isEmpty();
    rules.remove(CALL);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
  }

  @Test
  void ofSeveralConversationsTheyPassTheMeterWithTheMostRoom() {
    lead(CALL, 7, 1, 2, 5);
    lead(COPY, 8, 1, 2, 5);
    assertThat(metersOfFragments(CALL)).containsExactly(MeterId.meterId(8));
    rules.meter(CALL, Optional.of(Mesh.meter(9)));
    assertThat(metersOfFragments(CALL)).containsExactly(MeterId.meterId(9));
    rules.remove(CALL);
    worker.passTime();
    assertThat(metersOfFragments(COPY)).containsExactly(MeterId.meterId(8));
  }

  @Test
  void aConversationOfAllPortsTakesThemItself() {
    Conversation all = Mesh.conversation("all", 0);
    lead(CALL, 9, 1, 2, 5);
    lead(all, 8, 1, 2, 5);
    assertThat(metersOfFragments(all)).containsExactly(MeterId.meterId(8));
  }

  @Test
  void theyTakeThePathOfThatConversation() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    lead(COPY, 8, 1, 3, 5);
    int before = Mesh.HOST_PORT;
    int at = 1;
    for (int next : new int[] {3, 5, Mesh.HOST_PORT}) {
      assertThat(
              switches
                  .taking(at, Packet.by(before, COPY).fragment())
                  .orElseThrow()
                  .treatment()
                  .allInstructions())
          .contains(Instructions.createOutput(PortNumber.portNumber(next)));
      before = at;
      at = next;
    }
  }

  private Set<MeterId> metersOfFragments(Conversation conversation) {
    FlowRule taking =
        switches.taking(1, Packet.by(Mesh.HOST_PORT, conversation).fragment()).orElseThrow();
    return taking.treatment().meters().stream()
        .map(Instructions.MeterInstruction::meterId)
        .collect(Collectors.toUnmodifiableSet());
  }
}
