package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Many hosts that are told rates at once. */
final class DeliveryTest {
  private static final int HOSTS = 40;
  private static final Path PATH = Path.of(List.of("s", "t"));

  private final ManualWorker worker = new ManualWorker();
  private final Looked conversations = new Looked();
  private final Rollout rollout =
      new Rollout(
          new Nobody.NoRates(),
          new Nobody.NoJournal(),
          (id, path) -> CompletableFuture.allOf(),
          worker::execute,
          () -> {},
          path -> true);
  private final Delivery delivery =
      new Delivery(
          PlannerPorts.builder()
              .network(() -> NetworkState.of(network(), Map.of(), List.of()))
              .rates(new Nobody.NoRates())
              .paths(new Nobody.NoPaths())
              .worker(worker)
              .solving(worker::execute)
              .improving(worker::execute)
              .hosts(new Nobody.NoHosts())
              .clock(worker)
              .journal(new Nobody.NoJournal())
              .build(),
          rollout,
          () -> PlannerSettings.DEFAULT,
          conversations);

  @Test
  void ofAllThatDoNotAnswerInTimeAllAreLookedAtOnce() {
    Map<ConversationId, Grant> grants = new TreeMap<>();
    rollout.limitTo(network(), network());
    for (int host = 0; host < HOSTS; host++) {
      ConversationId id = ConversationId.of("h" + host, "x");
      grants.put(
          id,
          Grant.of(
              "x",
              1,
              DataRate.ofKilobitsPerSecond(100),
              Latency.ofMillis(50),
              Utility.of(3),
              PATH));
      conversations.open.put(id, Office.conversation(host, "x", "files/copy"));
    }
    rollout.aimAt(
        Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, grants),
        Set.of(),
        conversations.open,
        (conversation, path) -> PathChanges.links(path));
    delivery.advance();
    conversations.looks = 0;
    worker.pass(PlannerSettings.DEFAULT.acknowledgementLimit());
    assertThat(conversations.looks).isBetween(1, 2 * HOSTS);
  }

  private static Network network() {
    return Network.of(
        PATH.nodes(),
        List.of(
            Link.of(
                "s",
                "t",
                DataRate.ofKilobitsPerSecond(100 * HOSTS),
                LinkDelay.constant(Latency.ofMillis(1)))));
  }

  /** Counts how often somebody looks at one of them. */
  private static final class Looked extends AbstractMap<ConversationId, Conversation> {
    final Map<ConversationId, Conversation> open = new TreeMap<>();
    int looks;

    @Override
    public @Nullable Conversation get(Object id) {
      looks++;
      return open.get(id);
    }

    @Override
    public Set<Entry<ConversationId, Conversation>> entrySet() {
      return open.entrySet();
    }
  }
}
