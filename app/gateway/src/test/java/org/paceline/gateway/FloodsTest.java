package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Alarm;
import org.paceline.gateway.flood.Floods;
import org.paceline.gateway.flood.MessageRate;
import org.paceline.protocol.Refusal;

/** What becomes of a host whose agent was cut off, and of what it has said. */
final class FloodsTest {
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());
  private final Floods floods = new Floods(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aHostIsRefusedForAMinuteWithReasonAndAlarmAndMayThenComeAgain() {
    String why = floods.cutOff("h1");
    assertThat(why).contains("(h1)", "(2000) messages", "(60) s", "Maybe");
    pass(Duration.ofSeconds(59));
    assertThat(floods.refusal("h1")).hasValueSatisfying(left -> assertThat(left).contains("(1) s"));
    assertThat(floods.refusal("h2")).isEmpty();
    assertThat(floods.alarms())
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.kind()).isEqualTo(Alarm.Kind.FLOOD);
              assertThat(alarm.agent()).contains("h1");
              assertThat(alarm.about()).isEqualTo("flood of agent h1");
            });
    pass(Duration.ofSeconds(1));
    assertThat(floods.refusal("h1")).isEmpty();
    assertThat(floods.alarms()).isEmpty();
  }

  @Test
  void eachTimeThatItComesToThisAgainItIsRefusedForTwiceAsLongUpToAnHour() {
    for (int minutes : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      floods.cutOff("h1");
      pass(Duration.ofMinutes(minutes).minusSeconds(1));
      floods.forget(0);
      assertThat(floods.refusal("h1")).isPresent();
      pass(Duration.ofSeconds(1));
      assertThat(floods.refusal("h1")).isEmpty();
    }
    pass(Duration.ofHours(1).plusSeconds(1));
    floods.forget(0);
    floods.cutOff("h1");
    pass(Duration.ofMinutes(1));
    assertThat(floods.refusal("h1")).as("after an hour without").isEmpty();
  }

  @Test
  void howMuchAHostHasSaidIsForgottenOnlyOnceItCountsNoMore() {
    MessageRate rate = floods.rate("h1");
    rate.taken(0);
    floods.forget(0);
    assertThat(floods.rate("h1")).isSameAs(rate);
    floods.forget(Duration.ofSeconds(1).toNanos());
    assertThat(floods.rate("h1")).isNotSameAs(rate);
  }

  @Test
  void anAgentThatIsCutOffIsToldWhyIsRefusedWhenItComesBackAndTheOthersGoOn() throws Exception {
    SharedBounds bounds = new SharedBounds();
    AgentSessions sessions = new AgentSessions(bounds, floods);
    try (AgentServerRig rig =
        new AgentServerRig(
            Optional.empty(), Duration.ofSeconds(AgentServerRig.SECONDS), sessions)) {
      AgentServerRig.Agent flooding = rig.agent();
      flooding.say(AgentServerRig.hello("h1").build());
      assertThat(flooding.hears().hasWelcome()).isTrue();
      AgentServerRig.Agent other = rig.agent();
      other.say(AgentServerRig.hello("h2").build());
      assertThat(other.hears().hasWelcome()).isTrue();

      sessions.find("h1").orElseThrow().cutOff();

      Refusal refusal = flooding.hears().getRefusal();
      assertThat(refusal.getCode()).as("it comes again").isEqualTo(Refusal.Code.UNAVAILABLE);
      assertThat(refusal.getMessage()).contains("(60) s");
      AgentServerRig.Agent again = rig.agent();
      again.say(AgentServerRig.hello("h1").build());
      assertThat(again.hears().getRefusal().getMessage()).contains("is not heard for");
      assertThat(sessions.find("h2")).isPresent();
      assertThat(rig.server.alarms(Instant.now()))
          .extracting(Alarm::kind)
          .containsExactly(Alarm.Kind.FLOOD);

      pass(Duration.ofMinutes(1));
      AgentServerRig.Agent later = rig.agent();
      later.say(AgentServerRig.hello("h1").build());
      assertThat(later.hears().hasWelcome()).isTrue();
    }
  }
}
