package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Proof;
import org.paceline.control.planning.Plan;
import org.paceline.intents.network.Network;

/** Who is held to a rate while the network that the controller sees has no way for it. */
final class DisconnectedConversationsTest {
  private static final ConversationId METERED = ConversationId.of("h1", "m");

  private final Office office = new Office();

  @Test
  void itKeepsRateRulesAndMeterAndIsServedWhenThereIsAWayAgain() {
    changeTo(OfficeNetwork.twoWays(10_000));
    openMetered();
    long granted = rate();
    int told = office.batches;
    // One direction of each way is enough.
    changeTo(without(office.state, "s1 -> s2", "s1 -> s3"));
    assertThat(proof().state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(proof().reason()).startsWith("No way leads from (10.0.1.1)");
    assertHeld(granted, told);
    changeTo(OfficeNetwork.twoWays(10_000));
    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
    assertHeld(granted, told);
  }

  @Test
  void likewiseWhereAHostIsOutOfSight() {
    changeTo(OfficeNetwork.twoWays(10_000));
    openMetered();
    long granted = rate();
    int told = office.batches;
    Map<String, String> seen = new HashMap<>(office.state.nodesByAddress());
    seen.remove("10.0.2.1");
    changeTo(NetworkState.of(office.state.network(), seen, List.of()));
    assertThat(proof().reason()).contains("10.0.2.1");
    assertHeld(granted, told);
  }

  @Test
  void whoReceivesFromAHostThatIsNotKnownAnyMorePasses() {
    office.attach(1);
    office.open(
        Conversation.builder()
            .id(ConversationId.of("h1", "in"))
            .localAddress("10.0.2.1")
            .remoteAddress("10.0.1.1")
            .enforcement(Enforcement.RECEIVER)
            .incoming(true)
            .build());
    office.settle();
    assertThat(office.planner.plan().grants()).hasSize(1);
    Map<String, String> seen = new HashMap<>(office.state.nodesByAddress());
    seen.remove("10.0.2.1");
    changeTo(NetworkState.of(office.state.network(), seen, List.of()));
    assertThat(office.planner.plan().directives()).isEqualTo(Directives.NONE);
  }

  @Test
  void whatItMayBeSendingOverLinksThatAreLeftIsNobodyElses() {
    for (int i = 0; i < 10; i++) {
      office.open(Office.conversation(1 + i % 2, "a" + i, "files/copy"));
    }
    office.settle();
    changeTo(without(office.state, "h1 -> s1"));
    Plan plan = office.planner.plan();
    assertThat(plan.grants()).hasSize(5);
    assertThat(plan.restrained()).hasSize(5);
    assertThat(office.enforcedSum()).isEqualTo(9_000_000_000L);
    assertThat(installedAsPlanned()).isTrue();
    plan.restrained().keySet().forEach(office::close);
    office.settle();
    assertThat(office.enforcedSum()).as("the others have the room").isEqualTo(9_000_000_000L);
    assertThat(installedAsPlanned()).isTrue();
  }

  @Test
  void whoCameWhileThereWasNoWayHoldsNothing() {
    changeTo(without(OfficeNetwork.twoWays(10_000), "s1 -> s2", "s1 -> s3"));
    openMetered();
    assertThat(office.planner.plan().restrained()).isEmpty();
    assertThat(office.led).isEmpty();
  }

  @Test
  void whenItEndsNothingIsLeftOfIt() {
    changeTo(OfficeNetwork.twoWays(10_000));
    openMetered();
    changeTo(without(office.state, "s1 -> s2", "s1 -> s3"));
    office.close(METERED);
    office.settle();
    assertThat(office.led).isEmpty();
    assertThat(office.released).containsExactly(METERED);
    assertThat(office.planner.plan().restrained()).isEmpty();
  }

  private void openMetered() {
    office.open(Office.metered(1, "m", "files/copy"));
    office.settle();
  }

  private void changeTo(NetworkState state) {
    office.state = state;
    office.planner.networkChanged();
    office.settle();
  }

  private static NetworkState without(NetworkState state, String... links) {
    Network network = state.network();
    return NetworkState.of(
        Network.of(
            network.nodes(),
            network.links().stream()
                .filter(link -> !Set.of(links).contains(link.id().toString()))
                .collect(Collectors.toList())),
        state.nodesByAddress(),
        List.of());
  }

  private void assertHeld(long rate, int told) {
    assertThat(rate()).isEqualTo(rate);
    assertThat(office.batches).as("nothing new is told").isEqualTo(told);
    assertThat(office.led).containsExactly(METERED);
    assertThat(office.released).isEmpty();
  }

  private boolean installedAsPlanned() {
    return office.planner.plan().directives().paces().entrySet().stream()
        .allMatch(
            each ->
                each.getValue().rate().millibitsPerSecond()
                    == office.enforced.getOrDefault(each.getKey(), 0L));
  }

  private Proof proof() {
    return office.proofs.find(METERED).orElseThrow();
  }

  private long rate() {
    return office.enforced.getOrDefault(METERED, 0L);
  }
}
