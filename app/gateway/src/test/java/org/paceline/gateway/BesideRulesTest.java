package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Report;
import org.paceline.protocol.UnmanagedTraffic;

/** What no rule of an agent names, as its controller sees it. */
class BesideRulesTest {
  private static final long SECOND = 1_000_000_000L;
  @RegisterExtension final AgentServerRig rig = new AgentServerRig();
  private AgentServerRig.Agent agent;

  @BeforeEach
  void attach() throws Exception {
    agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.hears();
  }

  private void report(long seconds, long conversationBytes, UnmanagedTraffic.Builder unmanaged) {
    agent.say(
        AgentMessage.newBuilder()
            .setReport(
                Report.newBuilder()
                    .setUnixNanos(seconds * SECOND)
                    .setUnmanaged(unmanaged)
                    .addConversations(
                        ConversationReport.newBuilder()
                            .setConversationId("c1")
                            .setSentBytes(conversationBytes)
                            .setSockets(8)))
            .build());
  }

  private static UnmanagedTraffic.Builder bytes(long sent) {
    return UnmanagedTraffic.newBuilder().setSentBytes(sent);
  }

  private static void await(BooleanSupplier isSo) throws InterruptedException {
    AgentServerRig.await(isSo);
    assertThat(isSo.getAsBoolean()).isTrue();
  }

  /** Of the only host; nothing of it may be known yet. */
  private void awaitSender(Predicate<BesideRules.Sender> isSo) throws InterruptedException {
    await(() -> rig.besideRules.senders().stream().anyMatch(isSo));
  }

  private Proof proof() {
    return rig.proofs.all().iterator().next();
  }

  private BesideRules.Sender sender() {
    return rig.besideRules.senders().get(0);
  }

  @Test
  void aConversationWithoutAnIntentIsGrantedAndItsHostAndLaterItsProcessAreShown()
      throws Exception {
    ConversationOpened opened =
        AgentServerRig.opened("c1", "10.0.0.2").toBuilder().setIntent("").setProcess("").build();
    agent.say(opened);
    assertThat(agent.hearsRates().hasRates()).isTrue();
    await(() -> proof().state() == ConversationState.GRANTED);
    long plan = rig.planner.plan().version();
    agent.say(opened.toBuilder().setProcess("iperf3").setUser("root").build());
    report(1, 0, bytes(0));
    report(2, 250_000, bytes(1_000));
    awaitSender(sender -> sender.managed().bitsPerSecond() == 2_000_000);

    assertThat(proof().conversation().process()).isEqualTo("iperf3");
    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
    assertThat(rig.planner.plan().version())
        .as("nothing is planned anew for a name")
        .isEqualTo(plan);
    assertThat(sender().conversations()).isEqualTo(1);
    assertThat(notes())
        .containsExactly(
            "Host h1 sends beside its agent's rules: 2000 kbit/s under the root's intent; most by"
                + " iperf3 (root) to 10.0.0.2. Maybe name it by a rule there.");
  }

  @Test
  void whatNobodyManagesIsShownAsTheAgentCountsIt() throws Exception {
    report(1, 0, bytes(5_000_000));
    report(
        2, 0, bytes(12_000_000).setProcess("iperf3").setUser("root").setRemoteAddress("10.0.0.2"));
    await(() -> !notes().isEmpty());

    assertThat(sender().unmanaged()).isEqualTo(DataRate.ofKilobitsPerSecond(56_000));
    assertThat(notes().get(0))
        .contains("56000 kbit/s that nobody holds; most by iperf3 (root) to 10.0.0.2")
        .contains("unmatched: manage");
    // An agent that was started again begins at 0.
    report(3, 0, bytes(10));
    awaitSender(sender -> sender.unmanaged().equals(DataRate.ZERO));
    assertThat(notes()).isEmpty();
  }

  @Test
  void whatGoesOutOfTheNetworkWithoutARuleIsHeldByNobody() throws Exception {
    agent.say(AgentServerRig.opened("c1", "192.0.2.9").toBuilder().setIntent("").build());
    agent.hears();
    report(1, 0, bytes(0));
    report(2, 250_000, bytes(0));
    awaitSender(sender -> sender.unmanaged().bitsPerSecond() == 2_000_000);
    assertThat(sender().managed()).isEqualTo(DataRate.ZERO);
  }

  private List<String> notes() {
    return rig.besideRules.senders().stream()
        .filter(BesideRules.Sender::isNotable)
        .map(BesideRules.Sender::sentence)
        .collect(Collectors.toList());
  }
}
