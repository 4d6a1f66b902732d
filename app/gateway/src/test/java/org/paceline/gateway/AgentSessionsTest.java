package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.StreamObserver;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.gateway.tls.Peer;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.protocol.ControllerMessage;

/** What is remembered of hosts whose agents are away is bounded, whoever comes and goes. */
final class AgentSessionsTest {
  private static final AgentEvents NOBODY =
      (AgentEvents)
          Proxy.newProxyInstance(
              AgentEvents.class.getClassLoader(),
              new Class<?>[] {AgentEvents.class},
              (nobody, event, what) -> null);

  private final IntentPolicies policies = new IntentPolicies(Catalogue.defaultTree());
  private final AgentSessions sessions = new AgentSessions(new SharedBounds());

  @Test
  void ofTooManyHostsThatAreAwayTheOldestIsForgotten() {
    for (int i = 0; i <= AgentSessions.MOST_AWAY; i++) {
      comesAndGoes("h" + i, 1);
    }
    assertThat(held(AgentSessions.MOST_AWAY)).isEqualTo(AgentSessions.MOST_AWAY);
    assertThat(sessions.held("h0").size()).isZero();
  }

  /** One host may have as many of them as a thousand others. */
  @Test
  void soItIsWithTheirConversations() {
    int each = AgentSessions.MOST_KEPT / 4;
    for (int i = 0; i <= 4; i++) {
      comesAndGoes("h" + i, each);
    }
    assertThat(held(4)).isEqualTo(4 * each);
    assertThat(sessions.held("h0").size()).isZero();
  }

  @Test
  void whoIsHereIsRememberedAndWhoComesBackIsNotTheOldestAnyMore() {
    AgentStream stays = stream();
    assertThat(sessions.claim("stays", stays)).isTrue();
    sessions.held("stays").open(AgentServerRig.opened("c", "10.0.0.2"));
    comesAndGoes("h0", 1);
    for (int i = 1; i < AgentSessions.MOST_AWAY; i++) {
      comesAndGoes("h" + i, 1);
    }
    comesAndGoes("h0", 1);
    comesAndGoes("other", 1);
    assertThat(sessions.held("stays").size()).isEqualTo(1);
    assertThat(sessions.held("h0").size()).isEqualTo(1);
    assertThat(sessions.held("h1").size()).isZero();
  }

  /** Conversations of all hosts up to this one. */
  private int held(int last) {
    return IntStream.rangeClosed(0, last).map(i -> sessions.held("h" + i).size()).sum();
  }

  private void comesAndGoes(String host, int conversations) {
    AgentStream stream = stream();
    assertThat(sessions.claim(host, stream)).isTrue();
    for (int i = 0; i < conversations; i++) {
      sessions.held(host).open(AgentServerRig.opened("c" + i, "10.0.0.2"));
    }
    assertThat(sessions.release(host, stream)).isTrue();
  }

  private AgentStream stream() {
    return new AgentStream(
        sessions,
        new AgentAdmission(
            policies,
            () -> PlannerSettings.DEFAULT,
            "test",
            2,
            Clock.systemUTC(),
            caller -> Optional.empty()),
        NOBODY,
        new NobodyHears(),
        Peer.of(null),
        Optional.empty(),
        new BoundedJournal(new Nobody.NoJournal(), new ManualWorker()));
  }

  private static final class NobodyHears implements StreamObserver<ControllerMessage> {
    @Override
    public void onNext(ControllerMessage message) {}

    @Override
    public void onError(Throwable broken) {}

    @Override
    public void onCompleted() {}
  }
}
