package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Alarm;
import org.paceline.gateway.flood.MessageRate;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationClosed;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Refusal;

/** Some agents take all that all of them may have, and the others do not notice. */
final class SharedBoundsTest {
  private static final Duration PATIENT = Duration.ofSeconds(AgentServerRig.SECONDS);
  private static final int OWN = SharedBounds.OWN_CONVERSATIONS;
  private static final int MANY = 1_000_000;
  private static final int MESSAGES = 5_000;

  private int port;

  private final AtomicLong passed = new AtomicLong();

  private SharedBounds bounds(int streams, int hosts, int conversations, int aSecond) {
    return new SharedBounds(
        streams, hosts, conversations, aSecond, () -> System.nanoTime() + passed.get());
  }

  private static AgentServerRig rig(SharedBounds bounds) throws Exception {
    return new AgentServerRig(Optional.empty(), PATIENT, bounds);
  }

  private static AgentServerRig.Agent attached(AgentServerRig rig, String host) throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello(host).build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    return agent;
  }

  /** Of packets of its own. */
  private ConversationOpened opened(String id) {
    return AgentServerRig.opened(id, "10.0.0.2").toBuilder().setRemotePort(++port).build();
  }

  private static List<Alarm> alarms(AgentServerRig rig) {
    return rig.server.alarms(Instant.now());
  }

  private void isServed(AgentServerRig.Agent agent, String id) throws Exception {
    agent.say(opened(id));
    while (true) {
      ControllerMessage message = agent.hears();
      assertThat(message.hasRates()).as(message.toString()).isTrue();
      agent.acknowledge(message);
      if (message.getRates().getRatesList().stream()
          .anyMatch(rate -> rate.getConversationId().equals(id))) {
        return;
      }
    }
  }

  /**
   * What the planner has to deal with is a line: whoever says little stands behind all that came
   * before.
   */
  @Test
  void eachAgentHasOneMessageAtATimeWithThePlanner() throws Exception {
    try (AgentServerRig rig = rig(new SharedBounds())) {
      AgentServerRig.Agent hostile = attached(rig, "h1");
      AgentServerRig.Agent quiet = attached(rig, "h2");
      CountDownLatch busy = new CountDownLatch(1);
      rig.worker.execute(
          () -> {
            try {
              busy.await();
            } catch (InterruptedException ended) {
              Thread.currentThread().interrupt();
            }
          });
      for (int i = 0; i < MESSAGES; i++) {
        hostile.say(
            AgentMessage.newBuilder().setClosed(ConversationClosed.getDefaultInstance()).build());
      }
      hostile.say(AgentServerRig.opened("last", "nowhere"));
      quiet.say(opened("c1"));
      AgentServerRig.await(() -> rig.told.getOrDefault("opened", 0) == 1);
      AgentServerRig.await(() -> rig.told.getOrDefault("closed", 0) > 0);
      TimeUnit.MILLISECONDS.sleep(200);
      assertThat(rig.told).containsEntry("closed", 1);
      busy.countDown();
      assertThat(hostile.hears().getRefusal().getConversationId()).isEqualTo("last");
      assertThat(rig.told.get("closed")).isEqualTo(MESSAGES);
    }
  }

  @Test
  void oneHostTooManyIsRefusedAndTheOthersGoOn() throws Exception {
    try (AgentServerRig rig = rig(bounds(MANY, 2, MANY, MANY))) {
      AgentServerRig.Agent first = attached(rig, "h1");
      AgentServerRig.Agent second = attached(rig, "h2");
      assertThat(alarms(rig)).isEmpty();
      AgentServerRig.Agent third = rig.agent();
      third.say(AgentServerRig.hello("h3").build());
      Refusal refusal = third.hears().getRefusal();
      assertThat(refusal.getCode()).as("it comes again").isEqualTo(Refusal.Code.UNAVAILABLE);
      assertThat(refusal.getMessage()).contains("(2) hosts with an agent", "Maybe");
      isServed(first, "c1");
      assertThat(alarms(rig))
          .singleElement()
          .satisfies(
              alarm -> {
                assertThat(alarm.kind()).isEqualTo(Alarm.Kind.AGENTS_FULL);
                assertThat(alarm.sentence()).contains("hosts with an agent (2)");
              });
      assertThat(rig.server.alarms(Instant.now().plusSeconds(90)))
          .as("whatever the time of day is")
          .hasSize(1);
      passed.set(TimeUnit.SECONDS.toNanos(90));
      assertThat(alarms(rig)).as("it ends").isEmpty();
      second.goes();
      AgentServerRig.await(() -> rig.planner.agents().size() == 1);
      attached(rig, "h3");
    }
  }

  @Test
  void oneStreamTooManyIsRefusedUntilAnotherEnds() throws Exception {
    try (AgentServerRig rig = rig(bounds(2, MANY, MANY, MANY))) {
      AgentServerRig.Agent first = attached(rig, "h1");
      AgentServerRig.Agent second = attached(rig, "h2");
      AgentServerRig.Agent third = rig.agent();
      assertThat(third.ended.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS))
          .contains("RESOURCE_EXHAUSTED", "(2) streams of agents");
      isServed(first, "c1");
      second.goes();
      assertThat(alarms(rig)).hasSize(1);
      // Until the server has heard of its end.
      while (true) {
        AgentServerRig.Agent again = rig.agent();
        again.say(AgentServerRig.hello("h3").build());
        // Whoever gave up one that is answered late would find its place taken by that one.
        AgentServerRig.await(() -> !again.heard.isEmpty() || !again.ended.isEmpty());
        if (again.ended.isEmpty()) {
          assertThat(again.hears().hasWelcome()).isTrue();
          return;
        }
      }
    }
  }

  @Test
  void whoTakesAllConversationsLeavesEachHostWhatIsItsOwn() throws Exception {
    try (AgentServerRig rig = rig(bounds(MANY, MANY, 10, MANY))) {
      AgentServerRig.Agent other = attached(rig, "h2");
      isServed(other, "early");
      AgentServerRig.Agent greedy = attached(rig, "h1");
      for (int i = 0; i < OWN + 10; i++) {
        greedy.say(opened("c" + i));
      }
      greedy.say(opened("more"));
      Refusal refusal = refusal(greedy);
      assertThat(refusal.getCode()).isEqualTo(Refusal.Code.INVALID_CONVERSATION);
      assertThat(refusal.getConversationId()).isEqualTo("more");
      assertThat(refusal.getMessage()).contains("(10) conversations", "Maybe");
      assertThat(alarms(rig)).hasSize(1);
      isServed(other, "late");
      greedy.goes();
      // What it had is free again.
      AgentServerRig.await(() -> rig.planner.agents().size() == 1);
      for (int i = 0; i < OWN; i++) {
        other.say(opened("n" + i));
      }
      isServed(other, "last");
    }
  }

  @Test
  void soItIsWithThoseThatAHelloNames() throws Exception {
    try (AgentServerRig rig = rig(bounds(MANY, MANY, 10, MANY))) {
      Hello.Builder hello = AgentServerRig.hello("h1");
      for (int i = 0; i < OWN + 30; i++) {
        hello.addConversations(opened("c" + i));
      }
      AgentServerRig.Agent agent = rig.agent();
      agent.say(hello.build());
      assertThat(agent.hears().hasWelcome()).isTrue();
      assertThat(refusal(agent).getMessage()).contains("(20) conversations are not taken");
      AgentServerRig.await(() -> rig.proofs.all().size() == OWN + 10);
      assertThat(rig.proofs.all()).hasSize(OWN + 10);
    }
  }

  /** Others are of addresses that two hosts say are theirs. */
  private static Refusal refusal(AgentServerRig.Agent agent) throws Exception {
    while (true) {
      ControllerMessage message = agent.hears();
      if (message.getRefusal().getMessage().contains("beyond their first few")) {
        return message.getRefusal();
      }
    }
  }

  @Test
  void whoSaysNothingAtAllIsSentAway() throws Exception {
    try (AgentServerRig rig =
        new AgentServerRig(Optional.empty(), Duration.ofMillis(100), bounds(1, MANY, MANY, MANY))) {
      AgentServerRig.Agent silent = rig.agent();
      assertThat(silent.ended.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS))
          .contains("has not said who it is");
    }
  }

  /** Beyond what each has of its own, all wait for what all have, one like the other. */
  @Test
  void messagesOfAllTogetherAreTakenOnlySoFast() {
    SharedBounds bounds = bounds(MANY, MANY, MANY, 1_000);
    long now = TimeUnit.HOURS.toNanos(1);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 1_010; i++) {
      waits.add(bounds.taken(now));
    }
    assertThat(waits.subList(0, 1_000)).containsOnly(0L);
    assertThat(waits.get(1_009)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
    assertThat(bounds.alarms().get(0).sentence()).contains("messages");
    MessageRate own =
        new MessageRate(SharedBounds.OWN_MESSAGES_A_SECOND, SharedBounds.OWN_MESSAGES_AT_ONCE);
    for (int second = 0; second < 100; second++) {
      for (int i = 0; i < SharedBounds.OWN_MESSAGES_A_SECOND; i++) {
        assertThat(own.fits(now)).isTrue();
      }
      now += TimeUnit.SECONDS.toNanos(1);
    }
    int fitting = 0;
    for (int i = 0; i < 10_000; i++) {
      fitting += own.fits(now) ? 1 : 0;
    }
    assertThat(fitting).isBetween(1_000, 1_001);
  }
}
